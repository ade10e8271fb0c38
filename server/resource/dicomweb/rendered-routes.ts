import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { z } from 'zod';
import {
  dicomWebFrameThumbnail,
  dicomWebRendered,
  dicomWebRenderedFrame,
  dicomWebRenderedSeries,
  dicomWebRenderedStudy,
  dicomWebSeriesThumbnail,
  dicomWebStudyThumbnail,
  dicomWebThumbnail,
} from '../../../contract/dicomweb.ts';
import type { DicomWebImageRow } from '../../db/stores/dicomweb-images.ts';
import type { RenderedOptions } from '../../dicom/imaging.ts';
import type { Principal } from '../../domain/policy/principal.ts';
import { ProblemError } from '../../domain/problem-error.ts';
import { bind } from '../../route-binding.ts';
import { acceptedBy, chosenBy, type MediaRange } from './accept.ts';
import { annotationOf, annotationWarning } from './annotation.ts';
import { type DicomWebDependencies, rootOf } from './dependencies.ts';
import { type Part, sendParts, startedFrom } from './multipart.ts';
import { decoded, requireFrames } from './requested-frame.ts';
import { type ResourceParams, requireImagesAt, retrievalOf } from './requested-images.ts';
import { maxPictureEdge, type PictureFormat, pictureFormatFor, sendPicture } from './send-picture.ts';

const jpegFor = (range: MediaRange): 'jpeg' | null => (pictureFormatFor(range) === 'jpeg' ? 'jpeg' : null);
/** Pictures of a study or series are parts, whether the client names the parts or the whole. */
const partFormatFor = ({ type, partType, ...range }: MediaRange): PictureFormat | null =>
  pictureFormatFor({ ...range, partType, type: type === 'multipart/related' ? (partType ?? '*/*') : type });

const invalid = (fieldKey: string) => new ProblemError('invalid-request', [{ fieldKey }]);

/** Reads a viewport: what is left out of the region is that of the whole image. @throws ProblemError 'invalid-request' */
const viewportOf = (text: string | undefined): RenderedOptions['viewport'] => {
  if (text === undefined) return null;
  const [width = 0, height = 0, ...region] = text.split(',').map(Number);
  if (width < 1 || height < 1 || width > maxPictureEdge || height > maxPictureEdge) throw invalid('viewport');
  if (region.length === 0) return { width, height, source: null };
  const [left = 0, top = 0, wide = 0, high = 0] = region;
  const source = { left, top, width: wide || Number.MAX_SAFE_INTEGER, height: high || Number.MAX_SAFE_INTEGER };
  if (Object.values(source).some((value) => !(value >= 0))) throw invalid('viewport');
  return { width, height, source };
};

const functions = { linear: 'LINEAR', 'linear-exact': 'LINEAR_EXACT', sigmoid: 'SIGMOID' } as const;

const windowOf = (text: string | undefined): RenderedOptions['window'] => {
  if (text === undefined) return null;
  const [centre = '', width = '', name = 'linear'] = text.split(',');
  const isKnown = (given: string): given is keyof typeof functions => given in functions;
  if (!isKnown(name) || Number(width) <= 0) throw invalid('window');
  return { centre: Number(centre), width: Number(width), function: functions[name] };
};

interface PictureCall<Query = { readonly accept?: string | undefined; readonly viewport?: string | undefined }> {
  readonly principal: Principal;
  readonly params: ResourceParams & { readonly frames?: string };
  readonly query: Query;
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
}
type Rendering = z.output<NonNullable<typeof dicomWebRendered.query>>;
type RenderedCall = PictureCall<Rendering>;

const lookOf = ({ quality, window, viewport }: Rendering) => ({
  quality,
  window: windowOf(window),
  viewport: viewportOf(viewport),
});

/** Registers rendered images and thumbnails (WADO-RS, PS3.18 10.4.1.1.3 and 10.4.1.1.4). */
export const dicomWebRenderedRoutes = (server: FastifyInstance, deps: DicomWebDependencies): void => {
  const { binding, accessLog, thumbnails, storedImaging } = deps;

  const pictureOf = (row: DicomWebImageRow, options: RenderedOptions) =>
    decoded(storedImaging.renderedFrame(row.sha256, options, 'waited-for'));

  const rendered = async ({ principal, params, query, request, reply }: RenderedCall) => {
    const [row] = await requireImagesAt(deps, principal, params);
    const [frame = 1] = requireFrames(params.frames ?? '1', row);
    const format = chosenBy(acceptedBy(request, query.accept), pictureFormatFor);
    const annotation = annotationOf(query.annotation, row);
    const options = { ...lookOf(query), annotation, frame: frame - 1, format };
    await accessLog.note(retrievalOf(principal, params, row));
    reply.headers(annotationWarning(query.annotation, rootOf(deps, params.clinic)));
    return sendPicture(reply, format, await pictureOf(row, options));
  };

  /** One picture of each image; of one with several frames the first. */
  const renderedAll = async ({ principal, params, query, request, reply }: RenderedCall) => {
    const rows = await requireImagesAt(deps, principal, params);
    const all = rows.filter(({ kind }) => kind === 'image');
    if (all.length === 0) throw new ProblemError('image-has-no-pixels');
    const intact = all.filter(({ file_error }) => file_error === null);
    const images = intact.length > 0 ? intact : all;
    const format = chosenBy(acceptedBy(request, query.accept), partFormatFor);
    const options = { ...lookOf(query), frame: 0, format };
    await accessLog.note(retrievalOf(principal, params, rows[0]));
    async function* pictures(): AsyncGenerator<Part> {
      for (const row of images) {
        const bytes = await pictureOf(row, { ...options, annotation: annotationOf(query.annotation, row) });
        yield { contentType: `image/${format}`, open: async () => [bytes] };
      }
    }
    if (images.length < all.length) reply.code(206);
    reply.headers(annotationWarning(query.annotation, rootOf(deps, params.clinic)));
    return sendParts(reply, `image/${format}`, await startedFrom(pictures()));
  };

  bind(server, binding, dicomWebRenderedStudy, renderedAll);
  bind(server, binding, dicomWebRenderedSeries, renderedAll);

  bind(server, binding, dicomWebRendered, rendered);
  bind(server, binding, dicomWebRenderedFrame, rendered);

  const thumbnail = async ({ principal, params, query, request, reply }: PictureCall) => {
    const rows = await requireImagesAt(deps, principal, params);
    const row = rows.find(({ kind }) => kind === 'image');
    if (!row) throw new ProblemError('image-has-no-pixels');
    const [frame = 1] = requireFrames(params.frames ?? '1', row);
    chosenBy(acceptedBy(request, query.accept), jpegFor);
    const viewport = viewportOf(query.viewport);
    await accessLog.note(retrievalOf(principal, params, row));
    if (!viewport && frame === 1) return sendPicture(reply, 'jpeg', await decoded(thumbnails.of(row.sha256)));
    const edge = viewport ? Math.min(viewport.width, viewport.height) : 400;
    const options = { maxEdge: edge, frame: frame - 1, format: 'jpeg' } as const;
    const { bytes } = await decoded(storedImaging.thumbnail(row.sha256, options, 'waited-for'));
    return sendPicture(reply, 'jpeg', bytes);
  };

  bind(server, binding, dicomWebStudyThumbnail, thumbnail);
  bind(server, binding, dicomWebSeriesThumbnail, thumbnail);
  bind(server, binding, dicomWebThumbnail, thumbnail);
  bind(server, binding, dicomWebFrameThumbnail, thumbnail);
};
