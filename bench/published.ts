import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, readFile, rename, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

export interface Published {
  readonly name: string;
  readonly version: string;
  /** Checksum of the package in the registry. */
  readonly sha1: string;
  /** Its folder in the cache. */
  readonly folder: string;
}

/**
 * Fetches an npm package that is no dependency of the product, once, into `DENTARIUM_BENCH_CACHE` or the folder for
 * temporary files. Resolves with the folder of its package.json.
 */
export const fetchPublished = async ({ name, version, sha1, folder: called }: Published): Promise<string> => {
  const cache = process.env.DENTARIUM_BENCH_CACHE ?? path.join(tmpdir(), 'dentarium-bench');
  const folder = path.join(cache, called);
  if (existsSync(folder)) return path.join(folder, 'package');
  const unpacked = `${folder}.new`;
  await rm(unpacked, { recursive: true, force: true });
  await mkdir(unpacked, { recursive: true });
  await run('npm', ['pack', `${name}@${version}`, '--pack-destination', unpacked]);
  const file = `${name.replace('@', '').replace('/', '-')}-${version}.tgz`;
  const archive = path.join(unpacked, file);
  const sum = createHash('sha1')
    .update(await readFile(archive))
    .digest('hex');
  if (sum !== sha1) throw new Error(`${file} has changed: ${sum}`);
  await run('tar', ['xzf', archive, '-C', unpacked]);
  await rename(unpacked, folder);
  return path.join(folder, 'package');
};
