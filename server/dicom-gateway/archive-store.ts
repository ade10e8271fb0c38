import type { Kysely } from 'kysely';
import { isDatabaseUnavailable } from '../db/database-unavailable.ts';
import type { Schema } from '../db/schema.ts';
import type { DicomDeviceRow } from '../db/stores/dicom-devices.ts';
import { statuses } from '../dimse/message/message.ts';
import { fileSink } from '../dimse/provider/file-sink.ts';
import { type OpenSink, StoreRefused } from '../dimse/provider/object-sink.ts';
import { ProblemError } from '../domain/problem-error.ts';
import type { ObjectReceiver } from '../imports/receive-object.ts';
import type { FileStore } from '../storage/file-store.ts';
import { hasObject } from './has-object.ts';

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

  const openSink = fileSink({
    files,
    maxBytes: maxObjectBytes,
    record: async ({ sopInstanceUid }, stored, { studyInstanceUid }) => {
      try {
        const { sha256 } = stored;
        // The same file becomes a duplicate of its import, which says so; so does one that was deleted.
        const isOtherFile = (image: { readonly sha256: string }) => image.sha256 !== sha256;
        if (await hasObject({ db, files }, { customerId, sopInstanceUid, sha256 }, isOtherFile)) return;
        const object = { studyInstanceUid: studyInstanceUid ?? '', sopInstanceUid };
        taskIds.add((await receiver.record(sender, object, stored)).taskId);
      } catch (error) {
        throw refusalOf(error);
      }
    },
  });
  return { openSink, finish: () => receiver.finish(taskIds) };
};
