import { access, mkdir, readdir, rename, rmdir, stat, unlink } from 'node:fs/promises';
import path from 'node:path';
import { type StoreFolders, syncFolder } from './folders.ts';
import { restoreFile } from './restore-file.ts';
import { isMissing } from './storage-error.ts';

const isDay = (name: string): boolean => /^\d{4}-\d{2}-\d{2}$/.test(name);
const isHash = (name: string): boolean => /^[0-9a-f]{64}$/.test(name);
const dayMs = 24 * 60 * 60 * 1000;

/** Returns the day (UTC, YYYY-MM-DD) that many days ago. */
export const dayBefore = (days: number): string => new Date(Date.now() - days * dayMs).toISOString().slice(0, 10);
const today = (): string => dayBefore(0);

/** A file in quarantine: `quarantine/<day>/<sha256>`. */
export interface QuarantinedFile {
  /** YYYY-MM-DD (UTC) on which it was quarantined. */
  readonly day: string;
  readonly sha256: string;
  readonly path: string;
}

/** Number of files in one query. */
const atOnce = 500;

const daysOf = async ({ quarantine }: StoreFolders): Promise<string[]> =>
  (await readdir(quarantine)).filter(isDay).sort();

/** Moves a file from the sweep folder into today's quarantine. @throws ENOENT when another process took it */
export const moveToDay = async (folders: StoreFolders, held: string, sha256: string): Promise<void> => {
  const folder = path.join(folders.quarantine, today());
  const made = await mkdir(folder, { recursive: true });
  if (made !== undefined) await syncFolder(folders.quarantine);
  await rename(held, path.join(folder, sha256));
};

/** Restores a file from any day to its place. Returns whether one day had it. */
export const restoreFromDay = async (folders: StoreFolders, sha256: string): Promise<boolean> => {
  let restored = false;
  for (const day of await daysOf(folders))
    if (await restoreFile(folders, path.join(folders.quarantine, day, sha256), sha256)) restored = true;
  return restored;
};

/** Returns the paths at which the days have this file, whether they do or not. */
export const quarantinedCopies = async (folders: StoreFolders, sha256: string): Promise<string[]> =>
  (await daysOf(folders)).map((day) => path.join(folders.quarantine, day, sha256));

/** Yields quarantined files in groups of one day each, the oldest day first. */
export async function* quarantinedFiles(folders: StoreFolders): AsyncGenerator<readonly QuarantinedFile[]> {
  for (const day of await daysOf(folders)) {
    const folder = path.join(folders.quarantine, day);
    const names = (await readdir(folder)).filter(isHash);
    for (let at = 0; at < names.length; at += atOnce)
      yield names.slice(at, at + atOnce).map((sha256) => ({ day, sha256, path: path.join(folder, sha256) }));
  }
}

const isInPlace = (folders: StoreFolders, sha256: string): Promise<boolean> =>
  access(folders.pathOf(sha256)).then(
    () => true,
    () => false,
  );

export interface QuarantineCount {
  readonly files: number;
  readonly bytes: number;
  /** The oldest day, null without files. */
  readonly since: Date | null;
}

export interface QuarantineCleanup {
  /** Files of earlier days (YYYY-MM-DD) are removed for good; null: none. */
  readonly removeBefore: string | null;
  readonly referencedAmong: (hashes: readonly string[]) => Promise<ReadonlySet<string>>;
  readonly signal?: AbortSignal;
}

/**
 * Cleans up the quarantine: restores files that a row references again, drops files that are in their place again, and removes old ones for
 * good. Returns what remains, and what was removed and restored.
 */
export const tidyQuarantine = async (
  folders: StoreFolders,
  { removeBefore, referencedAmong, signal }: QuarantineCleanup,
): Promise<QuarantineCount & { readonly removed: number; readonly restored: number }> => {
  let [files, bytes, removed, restored] = [0, 0, 0, 0];
  let since: Date | null = null;
  const tidy = async (one: QuarantinedFile, isNamed: boolean): Promise<void> => {
    if (isNamed) {
      if (await restoreFile(folders, one.path, one.sha256)) restored += 1;
      return;
    }
    const { size } = await stat(one.path);
    const isOld = removeBefore !== null && one.day < removeBefore;
    // Another node may be moving an equal file to today's folder; its clock may be behind.
    const isSettled = one.day < dayBefore(1);
    if (isOld || (isSettled && (await isInPlace(folders, one.sha256)))) {
      await unlink(one.path);
      if (isOld) removed += 1;
      return;
    }
    files += 1;
    bytes += size;
    since ??= new Date(`${one.day}T00:00:00Z`);
  };
  for await (const some of quarantinedFiles(folders)) {
    signal?.throwIfAborted();
    const named = await referencedAmong(some.map(({ sha256 }) => sha256));
    for (const one of some) {
      await tidy(one, named.has(one.sha256)).catch((error) => {
        // Another node was faster.
        if (!isMissing(error)) throw error;
      });
    }
  }
  for (const day of await daysOf(folders)) {
    if (day === today()) continue;
    await rmdir(path.join(folders.quarantine, day)).catch(() => undefined);
  }
  return { files, bytes, since, removed, restored };
};

/** Returns files and bytes of each day, the oldest first. */
export const quarantinedDays = async (
  folders: StoreFolders,
): Promise<{ readonly day: string; readonly files: number; readonly bytes: number }[]> => {
  const days = new Map<string, { files: number; bytes: number }>();
  for await (const some of quarantinedFiles(folders)) {
    for (const { day, path: file } of some) {
      const { size } = await stat(file).catch(() => ({ size: 0 }));
      const { files, bytes } = days.get(day) ?? { files: 0, bytes: 0 };
      days.set(day, { files: files + 1, bytes: bytes + size });
    }
  }
  return [...days].map(([day, count]) => ({ day, ...count }));
};
