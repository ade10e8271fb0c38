import type { FastifyInstance, FastifyReply } from 'fastify';
import { dicomWebInstance, dicomWebOneSeries, dicomWebStudy } from '../../../contract/dicomweb.ts';
import type { DicomWebImageRow } from '../../db/stores/dicomweb-images.ts';
import { bind } from '../../route-binding.ts';
import { acceptedBy, chosenBy, type MediaRange } from './accept.ts';
import type { DicomWebDependencies } from './dependencies.ts';
import { type Part, sendParts, startedFrom } from './multipart.ts';
import { type RetrieveCall, requireImagesAt, retrievalOf } from './requested-images.ts';
import { allowsStored, sendObject, verifiedObject } from './send-object.ts';

const dicom = 'application/dicom';

const allowsParts = ({ type, partType }: MediaRange): boolean =>
  type === '*/*' || (type === 'multipart/related' && [null, dicom, 'application/*', '*/*'].includes(partType));

/** A range of one object allows it alone; for a study or series it is ignored (PS3.18 10.4.4). */
const formFor =
  (isInstance: boolean, rows: readonly DicomWebImageRow[]) =>
  (range: MediaRange): 'parts' | 'single' | null => {
    if (!allowsStored(range, rows)) return null;
    if (allowsParts(range)) return 'parts';
    return isInstance && (range.type === dicom || range.type === 'application/*') ? 'single' : null;
  };

/** Registers the retrieval of objects (WADO-RS, PS3.18 10.4.1.1.1), byte for byte unless they were corrected or moved. */
export const dicomWebInstanceRoutes = (server: FastifyInstance, deps: DicomWebDependencies): void => {
  const { binding, accessLog } = deps;

  async function* partsOf(rows: readonly DicomWebImageRow[]): AsyncGenerator<Part> {
    for (const row of rows) {
      const { open } = await verifiedObject(deps, row);
      yield { contentType: `${dicom}; transfer-syntax=${row.transfer_syntax}`, open: async () => open() };
    }
  }

  const retrieve = async ({ principal, params, query, request, reply }: RetrieveCall): Promise<FastifyReply> => {
    const rows = await requireImagesAt(deps, principal, params);
    const [first] = rows;
    const form = chosenBy(acceptedBy(request, query.accept), formFor(params.instance !== undefined, rows));
    await accessLog.note(retrievalOf(principal, params, first));
    if (form === 'single') return sendObject(deps, first, request, reply);
    const intact = rows.filter((row) => row.file_error === null);
    // Partial content: some objects are known to be damaged or missing (PS3.18 10.4.3.2).
    if (intact.length > 0 && intact.length < rows.length) reply.code(206);
    return sendParts(reply, dicom, await startedFrom(partsOf(intact.length > 0 ? intact : rows)));
  };

  bind(server, binding, dicomWebStudy, retrieve);
  bind(server, binding, dicomWebOneSeries, retrieve);
  bind(server, binding, dicomWebInstance, retrieve);
};
