import { randomUUID } from 'node:crypto';
import type { DestroyedFile, FileDestruction } from '../destroy-file.ts';
import { dayBefore, type QuarantineCleanup, type QuarantineCount } from '../quarantine-days.ts';
import type { UnnamedFile, UnnamedSearch } from '../unnamed-files.ts';
import type { Bucket, BucketObject } from './bucket.ts';
import { filesPrefix, hashOfKey, keyOf, quarantineKeyOf, quarantinePrefix, removingPrefix } from './bucket-layout.ts';

const hourMs = 60 * 60 * 1000;
const dayMs = 24 * hourMs;
/** Limit of a copy inside of a store. Larger files stay where they are. */
const maxCopyBytes = 5 * 2 ** 30;
const isDay = (name: string): boolean => /^\d{4}-\d{2}-\d{2}$/.test(name);

const daysOf = async (bucket: Bucket): Promise<string[]> => (await bucket.folders(quarantinePrefix)).filter(isDay);

/**
 * Restores a file from a day of the quarantine. Returns whether one had it. The copy there stays until `tidyObjects` finds it settled: a sweep
 * of another node may still remove the file, which it has judged before.
 */
export const restoreFromDays = async (bucket: Bucket, sha256: string): Promise<boolean> => {
  for (const day of await daysOf(bucket))
    if (await bucket.copy(quarantineKeyOf(day, sha256), keyOf(sha256))) return true;
  return false;
};

/** Yields unreferenced files in groups: one query for each page of the listing. Objects not written by a store are skipped. */
export async function* unnamedObjects(
  bucket: Bucket,
  { orphanMs, referencedAmong, signal }: Omit<UnnamedSearch, 'root'>,
): AsyncGenerator<readonly UnnamedFile[]> {
  for await (const page of bucket.list(filesPrefix)) {
    signal?.throwIfAborted();
    const old = page.flatMap(({ key, sizeBytes, changedMs }) => {
      const sha256 = hashOfKey(key);
      return sha256 && Date.now() - changedMs > orphanMs ? [{ sha256, sizeBytes, changedMs }] : [];
    });
    if (old.length === 0) continue;
    const named = await referencedAmong(old.map(({ sha256 }) => sha256));
    const unnamed = old.filter(({ sha256 }) => !named.has(sha256));
    if (unnamed.length > 0) yield unnamed;
  }
}

/**
 * Quarantines one file if it is old and not referenced. A bucket cannot move: the file is copied, then removed. A file that is written or
 * referenced meanwhile is found in the quarantine by reads, and is restored by them and by the next clean-up. Copies in the quarantine
 * are removed by the clean-up only.
 * @returns its size in bytes; null when it was not quarantined
 */
export const quarantineObject = async (
  bucket: Bucket,
  sha256: string,
  isOld: (changedMs: number) => boolean,
  isReferenced: () => Promise<boolean>,
): Promise<number | null> => {
  const key = keyOf(sha256);
  const found = await bucket.head(key);
  if (!found || found.sizeBytes > maxCopyBytes || !isOld(found.changedMs) || (await isReferenced())) return null;
  const quarantined = quarantineKeyOf(dayBefore(0), sha256);
  if (!(await bucket.copy(key, quarantined))) return null;
  const now = await bucket.head(key);
  if (now && !isOld(now.changedMs)) return null;
  await bucket.remove(key);
  if (!(await isReferenced())) return found.sizeBytes;
  await bucket.copy(quarantined, key);
  return null;
};

export interface QuarantinedObject extends BucketObject {
  readonly day: string;
  readonly sha256: string;
}

/** Yields quarantined files in groups of one day each, the oldest day first. */
export async function* quarantinedObjects(bucket: Bucket): AsyncGenerator<readonly QuarantinedObject[]> {
  for (const day of await daysOf(bucket)) {
    for await (const page of bucket.list(`${quarantinePrefix}${day}/`))
      yield page.flatMap((object) => {
        const sha256 = hashOfKey(object.key);
        return sha256 ? [{ ...object, day, sha256 }] : [];
      });
  }
}

/** As `tidyQuarantine` of a folder. */
export const tidyObjects = async (
  bucket: Bucket,
  { removeBefore, referencedAmong, signal }: QuarantineCleanup,
): Promise<QuarantineCount & { readonly removed: number; readonly restored: number }> => {
  let [files, bytes, removed, restored] = [0, 0, 0, 0];
  let since: Date | null = null;
  const tidy = async ({ key, day, sha256, sizeBytes }: QuarantinedObject, isNamed: boolean): Promise<void> => {
    const isInPlace = (isNamed || day < dayBefore(1)) && (await bucket.head(keyOf(sha256))) !== null;
    if (isNamed && !isInPlace && (await bucket.copy(key, keyOf(sha256)))) restored += 1;
    const isExpired = !isNamed && removeBefore !== null && day < removeBefore;
    // Another node may be judging the file at this moment; its clock may be behind.
    const isSettled = day < dayBefore(1);
    if (isNamed && !(isInPlace && isSettled)) return;
    if (isExpired || (isSettled && isInPlace)) {
      await bucket.remove(key);
      if (isExpired) removed += 1;
      return;
    }
    files += 1;
    bytes += sizeBytes;
    since ??= new Date(`${day}T00:00:00Z`);
  };
  for await (const some of quarantinedObjects(bucket)) {
    signal?.throwIfAborted();
    const named = await referencedAmong(some.map(({ sha256 }) => sha256));
    for (const one of some) await tidy(one, named.has(one.sha256));
  }
  return { files, bytes, since, removed, restored };
};

const judgeAndRemove = async (
  bucket: Bucket,
  sha256: string,
  { isReferenced, isOld }: FileDestruction,
): Promise<DestroyedFile> => {
  const found = await bucket.head(keyOf(sha256));
  if (found && !isOld(found.changedMs)) return 'recent';
  if (await isReferenced()) return 'referenced';
  // In this order: a sweep copies only from its place to the quarantine.
  await bucket.remove(keyOf(sha256));
  for (const day of await daysOf(bucket)) await bucket.remove(quarantineKeyOf(day, sha256));
  return 'gone';
};

/**
 * Removes a file for good, with its copies in quarantine. A mark in the bucket makes writers of the same bytes wait (`bucket-batch.ts`), and is
 * set before the age of the file is read. Can be repeated after a crash.
 */
export const destroyObject = async (
  bucket: Bucket,
  sha256: string,
  destruction: FileDestruction,
): Promise<DestroyedFile> => {
  const mark = `${removingPrefix}${sha256}.${randomUUID()}`;
  await bucket.writeText(mark, new Date().toISOString());
  // After an error the mark stays: the store may still carry out a removal that it did not confirm.
  const outcome = await judgeAndRemove(bucket, sha256, destruction);
  await bucket.remove(mark);
  for await (const marks of bucket.list(`${removingPrefix}${sha256}.`))
    for (const { key, changedMs } of marks) if (changedMs < Date.now() - hourMs) await bucket.remove(key);
  return outcome;
};

/** Aborts uploads and removes marks that a process left that died more than a day ago. */
export const removeObjectLeftovers = async (bucket: Bucket): Promise<void> => {
  const diedBefore = Date.now() - dayMs;
  await bucket.abortUploads(diedBefore);
  for await (const marks of bucket.list(removingPrefix))
    for (const { key, changedMs } of marks) if (changedMs < diedBefore) await bucket.remove(key);
};
