import { randomUUID } from 'node:crypto';
import type { Transaction } from 'kysely';
import type { Schema } from '../../db/schema.ts';
import { insertImages } from '../../db/stores/images.ts';
import { noteStudyDate } from '../../db/stores/patients.ts';
import { ensureSeries, ensureStudy, seriesMovedFrom } from '../../db/stores/studies.ts';
import type { ParsedFile } from '../read/parsed-file.ts';

/** Owner of the objects. */
export interface Owner {
  readonly customerId: string;
  readonly patientId: string;
}

export interface NewObjectOptions extends Owner {
  readonly fileName: string;
  /** Set by the demo data, whose ids are the same in every installation. */
  readonly imageId?: string;
}

export interface NewObject {
  readonly imageId: string;
  readonly fileName: string;
  readonly file: ParsedFile;
}

/** Thrown when a concurrent transaction wrote the same object, or its study for another patient: classify again. */
export class ConcurrentChangeError extends Error {
  override readonly name = 'ConcurrentChangeError';
}

/** Fixed lock order, so that imports of the same studies wait instead of deadlocking. */
const sorted = <Value>(groups: ReadonlyMap<string, readonly Value[]>): [string, readonly Value[]][] =>
  [...groups].toSorted(([one], [other]) => (one < other ? -1 : 1));

const studyIds = async (
  transaction: Transaction<Schema>,
  { customerId, patientId }: Owner,
  files: readonly ParsedFile[],
): Promise<ReadonlyMap<string, string>> => {
  const ids = new Map<string, string>();
  for (const [uid, group] of sorted(Map.groupBy(files, (file) => file.studyUid))) {
    const study = await ensureStudy(transaction, {
      customerId,
      patientId,
      uid,
      description: group.find((file) => file.studyDescription)?.studyDescription ?? '',
      studyDate: group.find((file) => file.studyDate)?.studyDate ?? null,
      accessionNumber: group.find((file) => file.accessionNumber)?.accessionNumber ?? null,
    });
    if (study.patientId !== patientId) throw new ConcurrentChangeError();
    ids.set(uid, study.id);
  }
  return ids;
};

const seriesKey = (file: ParsedFile): string => `${file.studyUid} ${file.seriesUid}`;

/**
 * Throws ConcurrentChangeError when a series of these files was moved to another study before the locks were taken: its new files belong there.
 */
const checkSeriesStayed = async (
  transaction: Transaction<Schema>,
  { customerId }: Owner,
  files: readonly ParsedFile[],
): Promise<void> => {
  const uids = [...new Set(files.map((file) => file.studyUid))];
  const moved = await seriesMovedFrom(transaction, customerId, uids);
  const keys = new Set(moved.map((row) => `${row.origin_study_uid} ${row.uid}`));
  if (files.some((file) => keys.has(seriesKey(file)))) throw new ConcurrentChangeError();
};

const seriesIds = async (
  transaction: Transaction<Schema>,
  studies: ReadonlyMap<string, string>,
  files: readonly ParsedFile[],
): Promise<ReadonlyMap<string, string>> => {
  const ids = new Map<string, string>();
  for (const [key, [file]] of sorted(Map.groupBy(files, seriesKey))) {
    const studyId = file && studies.get(file.studyUid);
    if (!file || !studyId) continue;
    const { seriesUid: uid, modality, seriesNumber: number, seriesDescription: description } = file;
    ids.set(key, await ensureSeries(transaction, { studyId, uid, modality, number, description }));
  }
  return ids;
};

const imageRow = ({ customerId }: Owner, seriesId: string, { imageId, fileName, file }: NewObject) => ({
  id: imageId,
  customer_id: customerId,
  series_id: seriesId,
  sop_instance_uid: file.sopInstanceUid,
  sop_class_uid: file.sopClassUid,
  kind: file.kind,
  source: file.source,
  sha256: file.objectSha256,
  size_bytes: file.objectSizeBytes,
  file_name: fileName,
  original_sha256: file.originalSha256,
  number: file.instanceNumber,
  rows: file.rows,
  columns: file.columns,
  frames: file.frames,
  transfer_syntax: file.transferSyntaxUid,
  compression: file.compression,
  teeth: file.teeth,
  laterality: file.laterality,
  acquired_at: file.acquiredAt,
  comments: file.comments,
  sensor_type: file.sensorType,
  // A document has no thumbnail to wait for.
  thumb_status: file.kind === 'document' ? ('ready' as const) : ('pending' as const),
});

/**
 * Inserts the rows of one patient's objects, each with a different SOP Instance UID: missing studies and series, and the images. Their bytes
 * must be in the store.
 * @throws ConcurrentChangeError, to be caught outside so that the transaction rolls back
 */
export const insertObjects = async (
  transaction: Transaction<Schema>,
  owner: Owner,
  objects: readonly NewObject[],
): Promise<void> => {
  if (objects.length === 0) return;
  const files = objects.map((object) => object.file);
  const studies = await studyIds(transaction, owner, files);
  await checkSeriesStayed(transaction, owner, files);
  const series = await seriesIds(transaction, studies, files);
  const rows = objects
    .map((object) => imageRow(owner, series.get(seriesKey(object.file)) ?? '', object))
    .toSorted((one, other) => (one.sop_instance_uid < other.sop_instance_uid ? -1 : 1));
  if (!(await insertImages(transaction, rows))) throw new ConcurrentChangeError();
  const studyDates = files.flatMap((file) => file.studyDate ?? []).sort();
  const latestDate = studyDates.at(-1);
  if (latestDate) await noteStudyDate(transaction, owner.patientId, latestDate);
};

/** Inserts one object. Returns the id of the image. */
export const insertObject = async (
  transaction: Transaction<Schema>,
  { imageId = randomUUID(), fileName, ...owner }: NewObjectOptions,
  file: ParsedFile,
): Promise<string> => {
  await insertObjects(transaction, owner, [{ imageId, fileName, file }]);
  return imageId;
};
