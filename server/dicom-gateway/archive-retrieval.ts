import type { ConnectionOptions } from 'node:tls';
import type { Kysely } from 'kysely';
import type { AccessAction } from '../../contract/access-log.ts';
import type { DataSet } from '../../dicom/data-set.ts';
import { tags } from '../../dicom/tags.ts';
import type { AccessLog } from '../access-log/access-log.ts';
import type { Schema } from '../db/schema.ts';
import { type DicomDeviceRow, dicomDestination } from '../db/stores/dicom-devices.ts';
import { type DicomWebImageRow, dicomWebImages } from '../db/stores/dicomweb-images.ts';
import type { DicomWebLevel } from '../db/stores/dicomweb-keys.ts';
import type { Imaging } from '../dicom/imaging.ts';
import { statuses } from '../dimse/message/message.ts';
import type { Retrieval } from '../dimse/provider/retrieve-services.ts';
import { RequestRefused } from '../dimse/provider/services.ts';
import type { FileStore } from '../storage/file-store.ts';
import { fetchedObject } from './fetched-object.ts';
import { nodeOf } from './node-of.ts';
import { levelOf, soundValue } from './query-level.ts';

interface RetrievalDependencies {
  readonly db: Kysely<Schema>;
  readonly files: FileStore;
  readonly imaging: Pick<Imaging, 'frame'>;
  readonly accessLog: AccessLog;
  /** For destinations that are called by TLS. */
  readonly callTls: ConnectionOptions;
  readonly onFailure: (error: unknown) => void;
}

const uidsOf = (identifier: DataSet, tag: number): readonly string[] => [
  ...new Set(identifier.codes(tag).filter(Boolean).map(soundValue)),
];

const keyOf: Readonly<Record<DicomWebLevel, number>> = {
  study: tags.studyInstanceUid,
  series: tags.seriesInstanceUid,
  instance: tags.sopInstanceUid,
};
const actionOf: Readonly<Record<DicomWebLevel, AccessAction>> = {
  study: 'study.retrieved',
  series: 'series.retrieved',
  instance: 'image.retrieved',
};
const idOf = (row: DicomWebImageRow, level: DicomWebLevel): string =>
  ({ study: row.study_id, series: row.series_id, instance: row.id })[level];

/** Fetches studies, series and images of the clinic of a device (C-MOVE, C-GET). Each is logged before its first object leaves. */
export const archiveRetrieval = (
  { db, files, imaging, accessLog, callTls, onFailure }: RetrievalDependencies,
  device: DicomDeviceRow,
): Retrieval => {
  const { id: accountId, customerId } = device;

  const rowsOf = async (identifier: DataSet, level: DicomWebLevel): Promise<readonly DicomWebImageRow[]> => {
    const uids = uidsOf(identifier, keyOf[level]);
    if (uids.length === 0)
      throw new RequestRefused(statuses.dataSetDoesNotMatch, 'The unique key of the level is missing');
    if (level === 'study') {
      const rows: DicomWebImageRow[] = [];
      for (const studyUid of uids) rows.push(...(await dicomWebImages(db, { customerId, studyUid })));
      return rows;
    }
    const [studyUid = ''] = uidsOf(identifier, tags.studyInstanceUid);
    const [seriesUid = ''] = uidsOf(identifier, tags.seriesInstanceUid);
    if (level === 'instance') {
      const rows = await dicomWebImages(db, { customerId, studyUid, seriesUid });
      return rows.filter((row) => uids.includes(row.sop_instance_uid));
    }
    return (await dicomWebImages(db, { customerId, studyUid })).filter((row) => uids.includes(row.series_uid));
  };

  const log = async (rows: readonly DicomWebImageRow[], level: DicomWebLevel, destination: string | null) => {
    const entries = new Map(
      rows.map((row) => [
        idOf(row, level),
        {
          accountId,
          customerId,
          patientId: row.patient_id,
          action: actionOf[level],
          objectId: idOf(row, level),
          detail: destination,
        },
      ]),
    );
    await accessLog.note(...entries.values());
  };

  return {
    onError: onFailure,
    destinationOf: async (aeTitle) => {
      const found = aeTitle.includes('\0') ? undefined : await dicomDestination(db, { customerId, aeTitle });
      const node = found && nodeOf(found, callTls);
      if (!node) throw new RequestRefused(statuses.destinationUnknown, 'The destination is not known');
      return node;
    },
    objectsOf: async (identifier, destination) => {
      const level = levelOf(identifier);
      const rows = await rowsOf(identifier, level);
      await log(rows, level, destination);
      return rows.map((row) => fetchedObject({ files, imaging }, row));
    },
  };
};
