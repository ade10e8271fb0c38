import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import {
  dicomWebFrameThumbnail,
  dicomWebRendered,
  dicomWebRenderedFrame,
  dicomWebSeriesThumbnail,
  dicomWebStudyThumbnail,
  dicomWebThumbnail,
} from '../../../contract/dicomweb.ts';
import type { QueryOf } from '../../../contract/route.ts';
import type { RenderedOptions } from '../../dicom/imaging.ts';
import type { Principal } from '../../domain/policy/principal.ts';
import { ProblemError } from '../../domain/problem-error.ts';
import { bind } from '../../route-binding.ts';
import { acceptedBy, chosenBy, type MediaRange } from './accept.ts';
import type { DicomWebDependencies } from './dependencies.ts';
import { decoded, requireFrames } from './requested-frame.ts';
import { type ResourceParams, requireImagesAt, retrievalOf } from './requested-images.ts';

const formatFor = ({ type }: MediaRange): 'jpeg' | 'png' | null => {
  if (['*/*', 'image/*', 'image/jpeg', 'image/jpg'].includes(type)) return 'jpeg';
  return type === 'image/png' ? 'png' : null;
};
const jpegFor = (range: MediaRange): 'jpeg' | null => (formatFor(range) === 'jpeg' ? 'jpeg' : null);

const maxEdge = 8_192;
const invalid = (fieldKey: string) => new ProblemError('invalid-request', [{ fieldKey }]);

type Rendering = QueryOf<typeof dicomWebRendered>;

/** Reads a viewport: what is left out of the region is that of the whole image. @throws ProblemError 'invalid-request' */
const viewportOf = (text: string | undefined): RenderedOptions['viewport'] => {
  if (text === undefined) return null;
  const [width = 0, height = 0, ...region] = text.split(',').map(Number);
  if (width < 1 || height < 1 || width > maxEdge || height > maxEdge) throw invalid('viewport');
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

interface PictureCall {
  readonly principal: Principal;
  readonly params: ResourceParams & { readonly frames?: string };
  readonly query: { readonly accept?: string | undefined; readonly viewport?: string | undefined };
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
}

const sendPicture = (reply: FastifyReply, mediaType: string, bytes: Uint8Array): FastifyReply =>
  reply
    .headers({ 'cache-control': 'private, no-store', 'x-content-type-options': 'nosniff' })
    .type(mediaType)
    .send(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength));

/** Registers rendered images and thumbnails (WADO-RS, PS3.18 10.4.1.1.3 and 10.4.1.1.4). */
export const dicomWebRenderedRoutes = (server: FastifyInstance, deps: DicomWebDependencies): void => {
  const { binding, accessLog, thumbnails, storedImaging } = deps;

  const rendered = async (call: PictureCall & { readonly query: Rendering & { readonly quality: number } }) => {
    const { principal, params, query, request, reply } = call;
    const [row] = await requireImagesAt(deps, principal, params);
    const [frame = 1] = requireFrames(params.frames ?? '1', row);
    const format = chosenBy(acceptedBy(request, query.accept), formatFor);
    const viewport = viewportOf(query.viewport);
    const options = { frame: frame - 1, format, quality: query.quality, window: windowOf(query.window), viewport };
    await accessLog.note(retrievalOf(principal, params, row));
    const bytes = await decoded(storedImaging.renderedFrame(row.sha256, options, 'waited-for'));
    return sendPicture(reply, `image/${format}`, bytes);
  };

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
    if (!viewport && frame === 1) return sendPicture(reply, 'image/jpeg', await decoded(thumbnails.of(row.sha256)));
    const edge = viewport ? Math.min(viewport.width, viewport.height) : 400;
    const options = { maxEdge: edge, frame: frame - 1, format: 'jpeg' } as const;
    const { bytes } = await decoded(storedImaging.thumbnail(row.sha256, options, 'waited-for'));
    return sendPicture(reply, 'image/jpeg', bytes);
  };

  bind(server, binding, dicomWebStudyThumbnail, thumbnail);
  bind(server, binding, dicomWebSeriesThumbnail, thumbnail);
  bind(server, binding, dicomWebThumbnail, thumbnail);
  bind(server, binding, dicomWebFrameThumbnail, thumbnail);
};
