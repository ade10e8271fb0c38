import { Readable } from 'node:stream';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { dicomWebInstanceMetadata, dicomWebSeriesMetadata, dicomWebStudyMetadata } from '../../../contract/dicomweb.ts';
import { type DicomJson, jsonOf } from '../../../dicom/dicom-json.ts';
import { DicomProblem } from '../../../dicom/problem.ts';
import type { DicomWebImageRow } from '../../db/stores/dicomweb-images.ts';
import type { Principal } from '../../domain/policy/principal.ts';
import { searchKey } from '../../domain/search-key.ts';
import { bind } from '../../route-binding.ts';
import { isFileError } from '../derive-failure.ts';
import { acceptedBy, chosenBy, jsonTypeFor } from './accept.ts';
import { readElementsOf } from './attribute-reader.ts';
import { type DicomWebDependencies, rootOf } from './dependencies.ts';
import { attribute, patientJson, studyJson } from './match-json.ts';
import { startedFrom } from './multipart.ts';
import { type ResourceParams, requireImagesAt, retrievalOf } from './requested-images.ts';

/** Headers read at the same time. */
const atOnce = 8;

const numberOf = (text: unknown): string => searchKey(String(text ?? '')).replaceAll(' ', '');

/** Returns whether the file has the number of the patient, with or without its century. */
const isOfPatient = (file: DicomJson, { personal_number }: DicomWebImageRow): boolean => {
  const [stated, recorded] = [numberOf(file['00100020']?.Value?.[0]), numberOf(personal_number)];
  return stated === recorded || (stated.length >= 10 && recorded.endsWith(stated));
};

/** Returns the attributes of a file with patient and study as the records have them: a corrected or moved image shows its patient. */
export const ofRecord = (file: DicomJson, row: DicomWebImageRow): DicomJson => {
  const others = isOfPatient(file, row)
    ? file
    : Object.fromEntries(Object.entries(file).filter(([tag]) => !tag.startsWith('0010')));
  const record = {
    ...patientJson(row),
    ...studyJson(row),
    '00080005': attribute('CS', 'ISO_IR 192'),
    '0020000E': attribute('UI', row.series_uid),
    '00080016': attribute('UI', row.sop_class_uid),
    '00080018': attribute('UI', row.sop_instance_uid),
  };
  const all = Object.entries({ ...others, ...record });
  return Object.fromEntries(all.toSorted(([one], [other]) => (one < other ? -1 : 1)));
};

interface MetadataCall {
  readonly principal: Principal;
  readonly params: ResourceParams;
  readonly query: { readonly accept?: string | undefined };
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
}

/** Registers the retrieval of metadata (WADO-RS, PS3.18 10.4.1.1.2) as JSON. */
export const dicomWebMetadataRoutes = (server: FastifyInstance, deps: DicomWebDependencies): void => {
  const { binding, files, fileErrors, accessLog } = deps;

  const metadataOf = async (row: DicomWebImageRow): Promise<DicomJson> => {
    const { study_uid, series_uid, sop_instance_uid, customer_id } = row;
    const place = `studies/${study_uid}/series/${series_uid}/instances/${sop_instance_uid}`;
    const address = (path: string) => `${rootOf(deps, customer_id)}/${place}/bulkdata/${path}`;
    try {
      const { dataSet } = await fileErrors.watch(row.sha256, () => readElementsOf(files, row));
      return ofRecord(jsonOf(dataSet, address), row);
    } catch (error) {
      // One unreadable file must not hide the others of its series.
      if (error instanceof DicomProblem) return ofRecord({}, row);
      throw error;
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

  const retrieve = async ({ principal, params, query, request, reply }: MetadataCall): Promise<FastifyReply> => {
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
