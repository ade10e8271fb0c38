import { rename, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { syncFolder } from '../storage/folders.ts';
import { backupsIn, removingEnding, timeOfBackup } from './layout.ts';
import type { BackupManifest } from './manifest.ts';
import { readFileList, readManifest } from './read-backup.ts';

const dayMs = 24 * 60 * 60 * 1000;

export interface Retention {
  readonly keepDays: number;
  readonly now: Date;
  readonly signal: AbortSignal;
}

/** Returns the hashes that a backup has, or null when its manifest, its tables or its list of files are not whole. */
const hashesOf = async (folder: string): Promise<{ readonly manifest: BackupManifest; has: Set<string> } | null> => {
  try {
    const manifest = await readManifest(folder);
    for (const { file, sizeBytes } of [...manifest.tables, manifest.files.list])
      if ((await stat(path.join(folder, file))).size !== sizeBytes) return null;
    const files = await readFileList(folder, manifest);
    return files.length === manifest.files.count ? { manifest, has: new Set(files.map(({ sha256 }) => sha256)) } : null;
  } catch {
    return null;
  }
};

/**
 * Removes backups older than `keepDays`: never the newest whole one or a newer one, nor one with a file that the newest lacks. Returns the
 * names of the removed ones.
 */
export const pruneBackups = async (to: string, { keepDays, now, signal }: Retention): Promise<readonly string[]> => {
  const { complete, removing } = await backupsIn(to);
  for (const name of removing) await rm(path.join(to, name), { recursive: true });
  const isExpired = (name: string) => timeOfBackup(name).getTime() < now.getTime() - keepDays * dayMs;
  if (!complete.some(isExpired)) return [];
  let newest: Awaited<ReturnType<typeof hashesOf>> = null;
  const removed: string[] = [];
  for (const name of complete.toReversed()) {
    const folder = path.join(to, name);
    if (!newest) {
      newest = await hashesOf(folder);
      continue;
    }
    if (!isExpired(name) || signal.aborted) continue;
    const lacking = newest.manifest.files.absent;
    const older = lacking.length > 0 ? await hashesOf(folder) : null;
    if (lacking.some(({ sha256 }) => older?.has.has(sha256))) continue;
    // Renamed first: a folder that is half removed must not count as a backup.
    const going = `${folder}${removingEnding}`;
    await rename(folder, going);
    await syncFolder(to);
    await rm(going, { recursive: true });
    removed.push(name);
  }
  return removed;
};
