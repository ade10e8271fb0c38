import { Readable } from 'node:stream';
import type { FastifyInstance, FastifyReply } from 'fastify';
import { dicomWebInstanceMetadata, dicomWebSeriesMetadata, dicomWebStudyMetadata } from '../../../contract/dicomweb.ts';
import { type DicomJson, jsonOf } from '../../../dicom/dicom-json.ts';
import { DicomProblem } from '../../../dicom/problem.ts';
import type { DicomWebImageRow } from '../../db/stores/dicomweb-images.ts';
import { bind } from '../../route-binding.ts';
import { isFileError } from '../derive-failure.ts';
import { acceptedBy, chosenBy, jsonTypeFor } from './accept.ts';
import { readElementsOf } from './attribute-reader.ts';
import { type DicomWebDependencies, placeOf, rootOf } from './dependencies.ts';
import { startedFrom } from './multipart.ts';
import { asRecorded } from './recorded-identity.ts';
import { type RetrieveCall, requireImagesAt, retrievalOf } from './requested-images.ts';

/** Headers read at the same time. */
const atOnce = 8;

/** Registers the retrieval of metadata (WADO-RS, PS3.18 10.4.1.1.2) as JSON. */
export const dicomWebMetadataRoutes = (server: FastifyInstance, deps: DicomWebDependencies): void => {
  const { binding, files, fileErrors, accessLog } = deps;

  const metadataOf = async (row: DicomWebImageRow): Promise<DicomJson> => {
    const place = placeOf(row.study_uid, row.series_uid, row.sop_instance_uid);
    const address = (path: string) => `${rootOf(deps, row.customer_id)}${place}/bulkdata/${path}`;
    try {
      const { dataSet } = await fileErrors.watch(row.sha256, () => readElementsOf(files, row));
      return asRecorded(jsonOf(dataSet, address), row);
    } catch (error) {
      if (!(error instanceof DicomProblem)) throw error;
      await fileErrors.watch(row.sha256, () => files.verify(row.sha256));
      // An intact file that is unreadable must not hide the others of its series.
      return asRecorded({}, row);
    }
  };

  /** Leaves out files that are damaged or missing, while there are others. */
  async function* textsOf(rows: readonly DicomWebImageRow[]): AsyncGenerator<string> {
    let failure: unknown = null;
    let sent = 0;
    for (let at = 0; at < rows.length; at += atOnce) {
      const read = await Promise.allSettled(rows.slice(at, at + atOnce).map(metadataOf));
      for (const result of read) {
        if (result.status === 'fulfilled') {
          yield `${sent === 0 ? '[' : ','}${JSON.stringify(result.value)}`;
          sent += 1;
        } else if (isFileError(result.reason)) failure = result.reason;
        else throw result.reason;
      }
    }
    if (sent === 0) throw failure;
    yield ']';
  }

  const retrieve = async ({ principal, params, query, request, reply }: RetrieveCall): Promise<FastifyReply> => {
    const rows = await requireImagesAt(deps, principal, params);
    const type = chosenBy(acceptedBy(request, query.accept), jsonTypeFor);
    await accessLog.note(retrievalOf(principal, params, rows[0]));
    const texts = await startedFrom(textsOf(rows));
    return reply.type(type).send(Readable.from(texts, { objectMode: false }));
  };

  bind(server, binding, dicomWebStudyMetadata, retrieve);
  bind(server, binding, dicomWebSeriesMetadata, retrieve);
  bind(server, binding, dicomWebInstanceMetadata, retrieve);
};
