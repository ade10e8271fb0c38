import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { dicomWebInstance, dicomWebOneSeries, dicomWebStudy } from '../../../contract/dicomweb.ts';
import { fileMeta } from '../../../dicom/write/file-meta.ts';
import type { DicomWebImageRow } from '../../db/stores/dicomweb-images.ts';
import type { Principal } from '../../domain/policy/principal.ts';
import { bind } from '../../route-binding.ts';
import { sendStored } from '../send-stored.ts';
import { acceptedBy, chosenBy, type MediaRange } from './accept.ts';
import type { DicomWebDependencies } from './dependencies.ts';
import { type Part, sendParts, startedFrom } from './multipart.ts';
import { type ResourceParams, requireImagesAt, retrievalOf } from './requested-images.ts';

const dicom = 'application/dicom';

/** Objects are sent as they are stored, which `*`, the stored syntax, and no syntax at all allow. */
const allowsStored = ({ transferSyntax }: MediaRange, rows: readonly DicomWebImageRow[]): boolean =>
  transferSyntax === null || transferSyntax === '*' || rows.every((row) => row.transfer_syntax === transferSyntax);

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

interface RetrieveCall {
  readonly principal: Principal;
  readonly params: ResourceParams;
  readonly query: { readonly accept?: string | undefined };
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
}

async function* withMeta(start: readonly Uint8Array[], body: AsyncIterable<Uint8Array>) {
  yield* start;
  yield* body;
}

/** Registers the retrieval of objects (WADO-RS, PS3.18 10.4.1.1.1), byte for byte as they are stored. */
export const dicomWebInstanceRoutes = (server: FastifyInstance, deps: DicomWebDependencies): void => {
  const { binding, files, fileErrors, accessLog } = deps;

  /** A file that was stored without preamble gets what PS3.10 needs. */
  const missingStart = async (row: DicomWebImageRow): Promise<readonly Uint8Array[]> => {
    const head = await (await files.openRange(row.sha256, { first: 0, last: 133 })).toArray();
    const bytes = Buffer.concat(head);
    if (bytes.subarray(128, 132).toString('latin1') === 'DICM') return [];
    const hasMeta = bytes.readUInt16LE(0) === 2;
    const whole = fileMeta(row.sop_class_uid ?? '', row.sop_instance_uid, row.transfer_syntax);
    return hasMeta ? whole.slice(0, 1) : whole;
  };

  async function* partsOf(rows: readonly DicomWebImageRow[]): AsyncGenerator<Part> {
    for (const row of rows) {
      await fileErrors.watch(row.sha256, () => files.verify(row.sha256));
      const start = await missingStart(row);
      const open = async () => withMeta(start, await files.openRange(row.sha256));
      yield { contentType: `${dicom}; transfer-syntax=${row.transfer_syntax}`, open };
    }
  }

  const retrieve = async ({ principal, params, query, request, reply }: RetrieveCall): Promise<FastifyReply> => {
    const rows = await requireImagesAt(deps, principal, params);
    const [first] = rows;
    const form = chosenBy(acceptedBy(request, query.accept), formFor(params.instance !== undefined, rows));
    await accessLog.note(retrievalOf(principal, params, first));
    if (form === 'single' && (await missingStart(first)).length === 0) {
      const { sha256, size_bytes: sizeBytes } = first;
      const body = { sha256, sizeBytes, contentType: dicom, cacheControl: 'private, no-store' };
      return sendStored({ files, fileErrors }, body, request, reply);
    }
    const intact = rows.filter((row) => row.file_error === null);
    // Partial content: some objects are known to be damaged or missing (PS3.18 10.4.3.2).
    if (intact.length > 0 && intact.length < rows.length) reply.code(206);
    return sendParts(reply, dicom, await startedFrom(partsOf(intact.length > 0 ? intact : rows)));
  };

  bind(server, binding, dicomWebStudy, retrieve);
  bind(server, binding, dicomWebOneSeries, retrieve);
  bind(server, binding, dicomWebInstance, retrieve);
};
