import { spawnSync } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { openArchiveFolder } from '../server/archive-folder/open-folder.ts';
import { writeBackup } from '../server/backup/write-backup.ts';
import { openDatabase } from '../server/db/open-database.ts';
import { inParallel } from '../server/jobs/in-parallel.ts';
import { changeFiles, storedTexts } from './backup/files.ts';
import { fillClinic } from './gallery/fill.ts';

const images = Number(process.env.DENTARIUM_BENCH_IMAGES ?? 100_000);
const limitSeconds = 60;

const secondsOf = async (work: () => Promise<unknown>): Promise<number> => {
  const from = performance.now();
  await work();
  return (performance.now() - from) / 1_000;
};

/** Copies a folder as a backup of files does: unchanged files are linked to the copy before. */
const rsync = (root: string, to: string, before: string | null): number | null => {
  const link = before === null ? [] : [`--link-dest=${before}`];
  const from = performance.now();
  const { error, status, stderr } = spawnSync('rsync', ['-a', ...link, `${root}/`, to], { encoding: 'utf8' });
  if (error) return null;
  if (status !== 0) throw new Error(`rsync: ${stderr}`);
  return (performance.now() - from) / 1_000;
};

/** A full and an incremental backup of 100,000 files with 1 % changed, beside rsync with hard links, which copies only the files. */
export const benchBackup = async (): Promise<void> => {
  const folder = await mkdtemp(path.join(tmpdir(), 'bench-backup-'));
  const dataFolder = path.join(folder, 'data');
  await mkdir(dataFolder);
  const { database, close } = await openDatabase({ dataFolder });
  try {
    await openArchiveFolder(database.db, path.join(dataFolder, 'files'));
    await fillClinic(database.db, images);
    const root = path.join(dataFolder, 'files');
    await changeFiles(database.db, 1);
    const writeFiles = async () =>
      inParallel(await storedTexts(database.db), 16, async ({ text, sha256 }) => {
        const shard = path.join(root, sha256.slice(0, 2));
        await mkdir(shard, { recursive: true });
        await writeFile(path.join(shard, sha256), text);
      });
    await writeFiles();
    const to = path.join(folder, 'backups');
    await mkdir(to);
    const options = { database, root, to, version: 'bench', keepMs: 1e9, onProgress: () => undefined };
    console.log(`backup: ${images} files; limit of the incremental backup ${limitSeconds} s`);
    const full = await secondsOf(() => writeBackup({ ...options, incremental: false }));
    const peerFull = rsync(root, path.join(folder, 'peer-1'), null);
    await changeFiles(database.db, 0.01);
    await writeFiles();
    const incremental = await secondsOf(() => writeBackup({ ...options, incremental: true }));
    const peerIncremental = rsync(root, path.join(folder, 'peer-2'), path.join(folder, 'peer-1'));
    const beside = (own: number, peer: number | null) =>
      peer === null ? 'rsync is not installed' : `rsync ${peer.toFixed(1)} s (${(own / peer).toFixed(2)} of it)`;
    console.log(`  full         ${full.toFixed(1)} s, ${beside(full, peerFull)}`);
    console.log(`  incremental  ${incremental.toFixed(1)} s, ${beside(incremental, peerIncremental)}`);
    if (incremental > limitSeconds) console.log('  SLOW');
  } finally {
    await close();
    await rm(folder, { recursive: true, force: true });
  }
};
