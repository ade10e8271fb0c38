import type { Kysely } from 'kysely';
import { isDatabaseUnavailable } from '../db/database-unavailable.ts';
import type { Schema } from '../db/schema.ts';
import type { DicomDeviceRow } from '../db/stores/dicom-devices.ts';
import { findBySopInstances } from '../db/stores/images.ts';
import { statuses } from '../dimse/message/message.ts';
import { fileSink } from '../dimse/provider/file-sink.ts';
import { type OpenSink, StoreRefused } from '../dimse/provider/object-sink.ts';
import { ProblemError } from '../domain/problem-error.ts';
import type { ObjectReceiver } from '../imports/receive-object.ts';
import type { FileStore } from '../storage/file-store.ts';
import { dataSetHash } from './data-set-of.ts';

interface StoreDependencies {
  readonly db: Kysely<Schema>;
  readonly files: FileStore;
  readonly receiver: ObjectReceiver;
  readonly maxObjectBytes: number;
}

/** What the device may try again. */
const refusalOf = (error: unknown): unknown => {
  if (error instanceof ProblemError) return new StoreRefused(statuses.outOfResources, 'The clinic takes no images');
  return isDatabaseUnavailable(error)
    ? new StoreRefused(statuses.outOfResources, 'The database is not available')
    : error;
};

/** Stores the objects of one association of a device as imports of its clinic (C-STORE). */
export const archiveStore = (
  { db, files, receiver, maxObjectBytes }: StoreDependencies,
  device: DicomDeviceRow,
): { readonly openSink: OpenSink; readonly finish: () => Promise<void> } => {
  const { id, customerId, name, atOnce } = device;
  const sender = { customerId, source: 'dicom', sourceId: id, sourceName: name, accountId: null, atOnce } as const;
  const taskIds = new Set<string>();

  /** Returns whether the clinic has the object in a file with other meta information. One that was deleted is sent again: the import says so. */
  const hasSame = async (sopInstanceUid: string, sha256: string): Promise<boolean> => {
    const known = await findBySopInstances(db, customerId, [sopInstanceUid]);
    for (const row of known.filter((one) => one.sha256 !== sha256 && !one.is_binned))
      if ((await dataSetHash(files, row.sha256)) === (await dataSetHash(files, sha256))) return true;
    return false;
  };

  const openSink = fileSink({
    files,
    maxBytes: maxObjectBytes,
    record: async ({ sopInstanceUid }, stored, { studyInstanceUid }) => {
      try {
        if (await hasSame(sopInstanceUid, stored.sha256)) return;
        const object = { studyInstanceUid: studyInstanceUid ?? '', sopInstanceUid };
        taskIds.add((await receiver.record(sender, object, stored)).taskId);
      } catch (error) {
        throw refusalOf(error);
      }
    },
  });
  return { openSink, finish: () => receiver.finish(taskIds) };
};
