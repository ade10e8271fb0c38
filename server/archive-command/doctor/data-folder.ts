import { randomBytes } from 'node:crypto';
import { constants, readFileSync } from 'node:fs';
import { access, open, readdir, realpath, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { defaultReserve, readSpace } from '../../storage/disk-space.ts';
import { isMissing } from '../../storage/storage-error.ts';
import { type Check, failure, guarded, kindOf, ok, warning } from './check.ts';

const gigabytes = (bytes: number): string => `${(bytes / 1e9).toFixed(1)} GB`;

/** Returns the folder where the disk of this folder is mounted. */
const mountPoint = async (folder: string): Promise<string> => {
  const parent = path.dirname(folder);
  if (parent === folder || (await stat(parent)).dev !== (await stat(folder)).dev) return folder;
  return mountPoint(parent);
};

/** Returns device and file system of a mount point; an empty text where the system does not list them. */
const deviceOf = (mount: string): string => {
  try {
    const lines = readFileSync('/proc/mounts', 'utf8').split('\n');
    const [device, , type] = lines.findLast((line) => line.split(' ')[1] === mount)?.split(' ') ?? [];
    return device && type ? ` (${device}, ${type})` : '';
  } catch {
    return '';
  }
};

const space = (folder: string, reserveGb: number | null): Promise<Check> =>
  guarded('disk space', 'Check the disk of the data folder', async () => {
    const { freeBytes, totalBytes } = await readSpace(folder);
    const mount = await mountPoint(await realpath(folder));
    const text = `${gigabytes(freeBytes)} of ${gigabytes(totalBytes)} free on ${mount}${deviceOf(mount)}`;
    const cure = 'Free space, or move the data folder to a larger disk';
    if (freeBytes < (reserveGb ?? defaultReserve(totalBytes)))
      return failure('disk space', `${text}: imports wait`, cure);
    return freeBytes < totalBytes / 10 ? warning('disk space', text, cure) : ok('disk space', text);
  });

const millisecondsOf = async (work: () => Promise<unknown>): Promise<number> => {
  const since = performance.now();
  await work();
  return performance.now() - since;
};

const sampleBytes = 8e6;
const syncs = 20;
const filesRead = 16;

/** Reads a few stored files, the oldest shards first, which the system has hardly in memory. Returns MB/s; null without files. */
const readSpeed = async (root: string): Promise<number | null> => {
  const files: string[] = [];
  for (const shard of (await readdir(root).catch(() => [])).filter((name) => /^[0-9a-f]{2}$/.test(name))) {
    const [name] = await readdir(path.join(root, shard));
    if (name !== undefined) files.push(path.join(root, shard, name));
    if (files.length === filesRead) break;
  }
  let bytes = 0;
  const milliseconds = await millisecondsOf(async () => {
    for (const file of files) {
      const handle = await open(file);
      try {
        bytes += (await handle.readFile()).byteLength;
      } finally {
        await handle.close();
      }
    }
  });
  return bytes === 0 ? null : bytes / milliseconds / 1e3;
};

const speed = (folder: string): Promise<Check> =>
  guarded('disk speed', 'Check the disk of the data folder', async () => {
    const file = path.join(folder, `.doctor-${process.pid}`);
    const handle = await open(file, 'wx', 0o600);
    try {
      const bytes = randomBytes(sampleBytes);
      const writing = await millisecondsOf(async () => {
        await handle.writeFile(bytes);
        await handle.sync();
      });
      const syncing = await millisecondsOf(async () => {
        for (let done = 0; done < syncs; done += 1) {
          await handle.write(bytes, 0, 4096, done * 4096);
          await handle.sync();
        }
      });
      const reading = await readSpeed(path.join(folder, 'files'));
      const [written, sync] = [sampleBytes / writing / 1e3, syncing / syncs];
      const text =
        `writes ${written.toFixed(0)} MB/s, ${sync.toFixed(1)} ms for each fsync` +
        `${reading === null ? '' : `, reads stored files with ${reading.toFixed(0)} MB/s`}`;
      const cure = 'Use a local SSD for the data folder: every import waits for fsync';
      return written < 20 || sync > 50 ? warning('disk speed', text, cure) : ok('disk speed', text);
    } finally {
      await handle.close();
      await rm(file, { force: true });
    }
  });

/** Checks that the data folder is writable, its disk and how fast that is. */
export const checkDataFolder = async (folder: string, reserveBytes: number | null): Promise<readonly Check[]> => {
  const name = 'data folder';
  try {
    await access(folder, constants.W_OK | constants.X_OK);
  } catch (error) {
    if (isMissing(error)) {
      const cure =
        'Mount its disk, or name the right folder with DENTARIUM_DATA; the first start of the server creates it';
      return [warning(name, `${folder} does not exist`, cure)];
    }
    return [
      failure(
        name,
        `${folder} is not writable (${kindOf(error)})`,
        'Mount its disk; if it is mounted, give the folder to the user of the server',
      ),
    ];
  }
  return [ok(name, `${folder} is writable`), await space(folder, reserveBytes), await speed(folder)];
};
