import type { FastifyInstance } from 'fastify';
import { dicomWebBulkData } from '../../../contract/dicomweb.ts';
import { elementAt, elementVr, littleEndianBytes } from '../../../dicom/dicom-json.ts';
import { isPixelData } from '../../../dicom/read-elements.ts';
import type { DicomWebImageRow } from '../../db/stores/dicomweb-images.ts';
import { ProblemError } from '../../domain/problem-error.ts';
import { bind } from '../../route-binding.ts';
import { requestedRange } from '../byte-range.ts';
import { acceptedBy, chosenBy, type MediaRange } from './accept.ts';
import { readElementsOf } from './attribute-reader.ts';
import type { DicomWebDependencies } from './dependencies.ts';
import { frameFormFor } from './frame-form.ts';
import { sendFrames } from './frame-routes.ts';
import { type Part, sendParts } from './multipart.ts';
import { decoded, requireFrames } from './requested-frame.ts';
import { requireImagesAt, retrievalOf } from './requested-images.ts';

const octets = 'application/octet-stream';

const formFor = ({ type, partType }: MediaRange): 'parts' | 'single' | null => {
  if (type === 'multipart/related') return [null, octets, 'application/*', '*/*'].includes(partType) ? 'parts' : null;
  return ['*/*', 'application/*', octets].includes(type) ? 'single' : null;
};

/** Registers the bytes to which metadata refer (WADO-RS, PS3.18 10.4.1.1.5). Pixel data is sent as its frames, one part each. */
export const dicomWebBulkDataRoutes = (server: FastifyInstance, deps: DicomWebDependencies): void => {
  const { binding, files, fileErrors, accessLog, storedImaging } = deps;

  const bytesOf = async (row: DicomWebImageRow, path: string): Promise<Buffer> => {
    const { dataSet: root } = await decoded(fileErrors.watch(row.sha256, () => readElementsOf(files, row)));
    const found = elementAt(root, path);
    if (!found) throw new ProblemError('not-found');
    const { dataSet, element } = found;
    const bytes = littleEndianBytes(dataSet, element, elementVr(dataSet, element));
    return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  };

  bind(server, binding, dicomWebBulkData, async ({ principal, params, query, request, reply }) => {
    const [row] = await requireImagesAt(deps, principal, params);
    const ranges = acceptedBy(request, query.accept);
    if (isPixelData(Number.parseInt(params.element, 16)) && !params.element.includes('.')) {
      const frames = requireFrames(Array.from({ length: row.frames }, (_, index) => index + 1).join(), row);
      const form = chosenBy(ranges, frameFormFor(row.transfer_syntax, frames.length));
      await accessLog.note(retrievalOf(principal, params, row));
      return sendFrames(reply, { storedImaging, row }, frames, form);
    }
    const form = chosenBy(ranges, formFor);
    await accessLog.note(retrievalOf(principal, params, row));
    const bytes = await bytesOf(row, params.element);
    if (form === 'parts') {
      const parts = async function* (): AsyncGenerator<Part> {
        yield { contentType: octets, open: async () => [bytes] };
      };
      return sendParts(reply, octets, parts());
    }
    reply.headers({ 'accept-ranges': 'bytes', 'x-content-type-options': 'nosniff' }).type(octets);
    const range = requestedRange(request.headers.range, bytes.length);
    if (range === 'unsatisfiable') return reply.code(416).header('content-range', `bytes */${bytes.length}`).send();
    if (range === null) return reply.send(bytes);
    reply.code(206).header('content-range', `bytes ${range.first}-${range.last}/${bytes.length}`);
    return reply.send(bytes.subarray(range.first, range.last + 1));
  });
};
