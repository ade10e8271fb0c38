import type { FastifyInstance } from 'fastify';
import type { z } from 'zod';
import { dicomWebUri } from '../../../contract/dicomweb.ts';
import type { DicomWebImageRow } from '../../db/stores/dicomweb-images.ts';
import type { RenderedOptions } from '../../dicom/imaging.ts';
import { ProblemError } from '../../domain/problem-error.ts';
import { bind } from '../../route-binding.ts';
import { chosenBy, type MediaRange, mediaRanges } from './accept.ts';
import { annotationOf, annotationWarning } from './annotation.ts';
import { type DicomWebDependencies, rootOf } from './dependencies.ts';
import { decoded, requireFrames } from './requested-frame.ts';
import { requireImagesAt, retrievalOf } from './requested-images.ts';
import { allowsStored, sendObject } from './send-object.ts';
import { maxPictureEdge, pictureFormatFor, sendPicture } from './send-picture.ts';

const dicom = 'application/dicom';

type Query = z.output<NonNullable<typeof dicomWebUri.query>>;

/** A single frame is a picture by default, anything else an object (PS3.18 table 8.7.4-1). */
const defaultType = ({ kind, frames }: DicomWebImageRow): string =>
  kind === 'image' && frames === 1 ? 'image/jpeg' : dicom;

const formFor = (range: MediaRange): 'dicom' | 'jpeg' | 'png' | null =>
  range.type === dicom ? 'dicom' : pictureFormatFor(range);

const windowOf = ({ windowCenter: centre, windowWidth: width }: Query): RenderedOptions['window'] => {
  if (centre === undefined && width === undefined) return null;
  // Each requires the other (PS3.18 9.4.1.2.5).
  if (centre === undefined) throw new ProblemError('invalid-request', [{ fieldKey: 'windowCenter' }]);
  if (width === undefined || width <= 0) throw new ProblemError('invalid-request', [{ fieldKey: 'windowWidth' }]);
  return { centre, width, function: 'LINEAR' };
};

/** The region of an image in its pixels. @throws ProblemError 'invalid-request' for one without area */
const sourceOf = (region: string, whole: { readonly width: number; readonly height: number }) => {
  const [left = 0, top = 0, right = 0, bottom = 0] = region.split(',').map(Number);
  if (right <= left || bottom <= top || right > 1 || bottom > 1)
    throw new ProblemError('invalid-request', [{ fieldKey: 'region' }]);
  return {
    left: left * whole.width,
    top: top * whole.height,
    width: (right - left) * whole.width,
    height: (bottom - top) * whole.height,
  };
};

/** The picture fits into `columns` and `rows`; without both it is as large as what it shows. */
const viewportOf = ({ rows, columns, region }: Query, row: DicomWebImageRow): RenderedOptions['viewport'] => {
  if (rows === undefined && columns === undefined && region === undefined) return null;
  const whole = { left: 0, top: 0, width: row.columns ?? 1, height: row.rows ?? 1 };
  const source = region === undefined ? whole : sourceOf(region, whole);
  const isFree = rows === undefined && columns === undefined;
  const size = isFree
    ? { width: source.width, height: source.height }
    : { width: maxPictureEdge, height: maxPictureEdge };
  return { width: columns ?? size.width, height: rows ?? size.height, source };
};

/** Registers WADO-URI (PS3.18 chapter 9), which older programs use. */
export const dicomWebUriRoutes = (server: FastifyInstance, deps: DicomWebDependencies): void => {
  const { binding, accessLog, storedImaging } = deps;

  bind(server, binding, dicomWebUri, async ({ principal, params, query, request, reply }) => {
    const resource = { ...params, study: query.studyUID, series: query.seriesUID, instance: query.objectUID };
    const [row] = await requireImagesAt(deps, principal, resource);
    const form = chosenBy(mediaRanges(query.contentType ?? defaultType(row)), formFor);
    const range = { type: dicom, partType: null, transferSyntax: query.transferSyntax ?? null, quality: 1 };
    if (form === 'dicom' && !allowsStored(range, [row])) throw new ProblemError('not-acceptable');
    const [frame = 1] = form === 'dicom' ? [] : requireFrames(String(query.frameNumber), row);
    const options = {
      frame: frame - 1,
      quality: query.imageQuality,
      window: windowOf(query),
      viewport: viewportOf(query, row),
      annotation: annotationOf(query.annotation, row),
    };
    await accessLog.note(retrievalOf(principal, resource, row));
    if (form === 'dicom') return sendObject(deps, row, request, reply);
    reply.headers(annotationWarning(query.annotation, rootOf(deps, params.clinic)));
    const picture = storedImaging.renderedFrame(row.sha256, { ...options, format: form }, 'waited-for');
    return sendPicture(reply, form, await decoded(picture));
  });
};
