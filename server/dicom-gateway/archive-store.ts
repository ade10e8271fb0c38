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
import { movedObjects } from './fetching/moved-objects.ts';
import { hasObject } from './has-object.ts';

interface StoreDependencies {
  readonly db: Kysely<Schema>;
  readonly files: FileStore;
  readonly receiver: ObjectReceiver;
  readonly maxObjectBytes: number;
  readonly filesPerImport: number;
}

/** What the device may try again. */
const refusalOf = (error: unknown): unknown => {
  if (error instanceof ProblemError) return new StoreRefused(statuses.outOfResources, 'The clinic takes no images');
  return isDatabaseUnavailable(error)
    ? new StoreRefused(statuses.outOfResources, 'The database is not available')
    : error;
};

/** @throws StoreRefused when the device may try again */
const available = async <Result>(work: Promise<Result>): Promise<Result> => {
  try {
    return await work;
  } catch (error) {
    throw refusalOf(error);
  }
};

/** Stores the objects of one association of a device (C-STORE): what a fetch has asked for in its import, the rest as imports of its clinic. */
export const archiveStore = (
  dependencies: StoreDependencies,
  device: DicomDeviceRow,
): { readonly openSink: OpenSink; readonly finish: () => Promise<void> } => {
  const { db, files, receiver, maxObjectBytes } = dependencies;
  const { id, customerId, name, atOnce, canStore } = device;
  const moved = movedObjects(dependencies, device);
  const sender = { customerId, source: 'dicom', sourceId: id, sourceName: name, accountId: null, atOnce } as const;
  const taskIds = new Set<string>();

  const ensureMayStore = () => {
    if (!canStore) throw new StoreRefused(statuses.notAuthorized, 'The device may not store this object');
  };

  const store = fileSink({
    files,
    maxBytes: maxObjectBytes,
    record: async ({ sopInstanceUid }, stored, { studyInstanceUid }) => {
      if (await available(moved.take({ studyInstanceUid, sopInstanceUid }, stored))) return;
      ensureMayStore();
      const { sha256 } = stored;
      // The same file becomes a duplicate of its import, which says so; so does one that was deleted.
      const isOtherFile = (image: { readonly sha256: string }) => image.sha256 !== sha256;
      if (await available(hasObject({ db, files }, { customerId, sopInstanceUid, sha256 }, isOtherFile))) return;
      const object = { studyInstanceUid: studyInstanceUid ?? '', sopInstanceUid };
      taskIds.add((await available(receiver.record(sender, object, stored))).taskId);
    },
  });

  const openSink: OpenSink = async (object) => {
    const { sopInstanceUid } = object;
    if (await available(moved.isAsked(sopInstanceUid))) return moved.watched(sopInstanceUid, await store(object));
    ensureMayStore();
    return store(object);
  };
  return { openSink, finish: () => receiver.finish(taskIds) };
};
