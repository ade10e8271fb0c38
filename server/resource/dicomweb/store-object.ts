import { findBySopInstances } from '../../db/stores/images.ts';
import type { ObjectSender } from '../../imports/receive-object.ts';
import { StorageError, type StoredFile } from '../../storage/file-store.ts';
import { freeChunk } from '../../storage/free-chunk.ts';
import type { ResourceDependencies } from '../dependencies.ts';
import { type ObjectUids, watchHead } from './object-uids.ts';

/** Reasons for which an object is refused (PS3.18 I.2.2, PS3.4 B.2.3). */
export const failureReasons = {
  /** No space, or larger than the limit. */
  outOfResources: 0xa700,
  /** Of another study than the request names. */
  otherStudy: 0xa900,
  /** No DICOM file, or one without the UIDs that every object has. */
  notUnderstood: 0xc000,
  /** The archive cannot store it, or has other bytes under its UID. */
  processing: 0x0110,
} as const;

export type FailureReason = (typeof failureReasons)[keyof typeof failureReasons];

export interface StoreOutcome {
  readonly uids: ObjectUids | null;
  /** Null: stored. */
  readonly failure: FailureReason | null;
  readonly taskId: string | null;
}

export type StoreDependencies = Pick<ResourceDependencies, 'db' | 'files' | 'receiver' | 'limits'>;

export const refused = (uids: ObjectUids | null, failure: FailureReason): StoreOutcome => ({
  uids,
  failure,
  taskId: null,
});

const reasonOf = (error: unknown): FailureReason => {
  if (!(error instanceof StorageError) || error.code === 'away') throw error;
  return error.code === 'full' || error.code === 'too-large'
    ? failureReasons.outOfResources
    : failureReasons.processing;
};

/** Returns whether the clinic has another object under this UID: it is never replaced. */
const isOther = async (
  { db }: StoreDependencies,
  { customerId }: ObjectSender,
  sopInstanceUid: string,
  { sha256 }: StoredFile,
): Promise<boolean> =>
  (await findBySopInstances(db, customerId, [sopInstanceUid])).some((row) => row.sha256 !== sha256);

/**
 * Stores the bytes of one object, and acknowledges them when they are durable and their row is committed.
 * @param studyUid the only study that the request may have; undefined: any
 * @throws StorageError 'away'; errors of the source and of the database
 */
export const storeObject = async (
  deps: StoreDependencies,
  sender: ObjectSender,
  source: AsyncIterable<Uint8Array>,
  studyUid: string | undefined,
): Promise<StoreOutcome> => {
  const head = watchHead();
  const batch = deps.files.batch();
  try {
    const stored = await batch.add(head.passing(source), deps.limits.fileBytes, { free: freeChunk });
    const uids = head.uids();
    const { sopClassUid, sopInstanceUid, studyInstanceUid } = uids ?? {};
    if (!sopClassUid || !sopInstanceUid || !studyInstanceUid) return refused(uids, failureReasons.notUnderstood);
    if (studyUid !== undefined && studyUid !== studyInstanceUid) return refused(uids, failureReasons.otherStudy);
    if (await isOther(deps, sender, sopInstanceUid, stored)) return refused(uids, failureReasons.processing);
    await batch.keep();
    const { taskId } = await deps.receiver.record(sender, { studyInstanceUid, sopInstanceUid }, stored);
    return { uids, failure: null, taskId };
  } catch (error) {
    const failure = reasonOf(error);
    // A store that is full has not read what names the object.
    for await (const _ of head.passing(source));
    return refused(head.uids(), failure);
  } finally {
    await batch.discard();
  }
};
