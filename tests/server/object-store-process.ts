import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import type { ObjectStoreConfig } from '../../server/storage/object-store-config.ts';
import { freePort } from '../free-port.ts';

export interface ObjectStoreProcess {
  readonly config: ObjectStoreConfig;
  /** The same as environment variables of the server. */
  readonly environment: Readonly<Record<string, string>>;
  readonly folder: string;
  /** Keys of the objects in the bucket. */
  objects(): Promise<string[]>;
  /** Ids of uploads that are neither complete nor aborted. */
  uploads(): Promise<string[]>;
  /** Lets the server fail from now on, or work again. */
  setMode(mode: '' | 'silent' | 'full' | 'flip' | 'stall'): Promise<void>;
  /** Stops at once. The data stays. */
  kill(): Promise<void>;
  /** Restarts at the same address. */
  start(): Promise<void>;
  /** Stops and deletes the data. */
  close(): Promise<void>;
}

const bucket = 'clinic';
const keys = { accessKeyId: 'TESTKEY', secretAccessKey: 'test-secret-of-the-object-store' };
const mark = '._S3rver_object';

/**
 * An S3 server (s3rver) in a separate process on a free port. `tests/server/object-store/` adds what s3rver lacks: signatures of version 4,
 * listing and aborting uploads, sizes and ETags of parts. Remaining differences from Amazon: only signed hashes of bodies are verified,
 * and there are no permissions, versions, locks or rate limits.
 */
export const startObjectStore = async (partsPerPage = 1000): Promise<ObjectStoreProcess> => {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'dentarium-s3-'));
  const port = await freePort();
  const endpoint = `http://127.0.0.1:${port}`;
  const config = { endpoint, publicEndpoint: endpoint, region: 'eu-north-1', bucket, ...keys, pathStyle: true };
  let child: ChildProcess | null = null;

  const start = async () => {
    const argument = JSON.stringify({ port, folder, bucket, keys, partsPerPage });
    const script = path.join(import.meta.dirname, 'object-store/s3-server.ts');
    const begun = spawn(process.execPath, [script, argument], { stdio: ['pipe', 'pipe', 'inherit'] });
    child = begun;
    const lines = createInterface(begun.stdout);
    const first = await Promise.race([once(lines, 'line'), once(begun, 'exit')]);
    if (first[0] !== 'ready') throw new Error('the object store did not start');
  };

  const kill = async () => {
    const ending = child;
    child = null;
    if (!ending || ending.exitCode !== null) return;
    const exit = once(ending, 'exit');
    ending.kill('SIGKILL');
    await exit;
  };

  await start();
  const bucketFolder = path.join(folder, bucket);
  return {
    config,
    environment: {
      DENTARIUM_S3_ENDPOINT: endpoint,
      DENTARIUM_S3_BUCKET: bucket,
      DENTARIUM_S3_REGION: config.region,
      DENTARIUM_S3_ACCESS_KEY_ID: keys.accessKeyId,
      DENTARIUM_S3_SECRET_ACCESS_KEY: keys.secretAccessKey,
    },
    folder,
    objects: async () => {
      const names = existsSync(bucketFolder) ? await readdir(bucketFolder, { recursive: true }) : [];
      return names.filter((name) => name.endsWith(mark)).map((name) => name.slice(0, -mark.length));
    },
    uploads: async () => {
      const uploads = path.join(bucketFolder, '._S3rver_uploads');
      return existsSync(uploads) ? readdir(uploads) : [];
    },
    setMode: (mode) => writeFile(path.join(folder, 'mode'), mode),
    kill,
    start,
    close: async () => {
      await kill();
      await rm(folder, { recursive: true, force: true });
    },
  };
};
