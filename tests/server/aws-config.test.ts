import { readFileSync } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { partBytesFor, partsOf } from '../../server/imports/aws/part-plan.ts';
import { publicOriginOf, readObjectStore } from '../../server/storage/object-store-config.ts';
import { freePort } from '../free-port.ts';
import { filesBelow } from '../imports-of.ts';
import { runChild, runToEnd } from './child-server.ts';

const settings = {
  DENTARIUM_S3_ENDPOINT: 'https://s3.clinic.example/',
  DENTARIUM_S3_BUCKET: 'dentarium-files',
  DENTARIUM_S3_ACCESS_KEY_ID: 'AKIAEXAMPLE',
  DENTARIUM_S3_SECRET_ACCESS_KEY: 'a-secret-that-is-never-printed',
};
const folders: string[] = [];
const newFolder = async () => {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'dentarium-aws-config-'));
  folders.push(folder);
  return folder;
};
afterAll(async () => {
  for (const folder of folders) await rm(folder, { recursive: true, force: true });
});

describe('object store settings', () => {
  it('are null when none are given', () => {
    expect(readObjectStore({ PORT: '8080', DENTARIUM_S3_BUCKET: '' })).toBeNull();
  });

  it('have defaults for the rarely needed ones', () => {
    const store = readObjectStore(settings);
    expect(store).toEqual({
      endpoint: 'https://s3.clinic.example',
      publicEndpoint: 'https://s3.clinic.example',
      region: 'us-east-1',
      bucket: 'dentarium-files',
      accessKeyId: 'AKIAEXAMPLE',
      secretAccessKey: 'a-secret-that-is-never-printed',
      pathStyle: true,
    });
  });

  it('contain the public origin for browsers', () => {
    const originOf = (changes: Record<string, string>) => {
      const store = readObjectStore({ ...settings, ...changes });
      return store && publicOriginOf(store);
    };
    expect(originOf({})).toBe('https://s3.clinic.example');
    expect(originOf({ DENTARIUM_S3_PUBLIC_ENDPOINT: 'http://files.example:9000' })).toBe('http://files.example:9000');
    expect(originOf({ DENTARIUM_S3_PATH_STYLE: '0' })).toBe('https://dentarium-files.s3.clinic.example');
  });

  it.each([
    ['DENTARIUM_S3_ENDPOINT', 'minio:9000'],
    ['DENTARIUM_S3_BUCKET', 'No Bucket'],
    ['DENTARIUM_S3_PATH_STYLE', 'perhaps'],
    ['DENTARIUM_S3_PUBLIC_ENDPOINT', 'ftp://files.example'],
  ])('that are invalid are named: %s', (name, value) => {
    expect(() => readObjectStore({ ...settings, [name]: value })).toThrow(name);
  });

  it('that are incomplete stop the start with a message without the secret', async () => {
    const { DENTARIUM_S3_ENDPOINT: _, ...half } = settings;
    const { code, lines } = await runToEnd(['--data', await newFolder(), '--empty'], half);
    expect([code, lines]).toEqual([1, ['Setting DENTARIUM_S3_ENDPOINT: is missing, and the object store needs it']]);
  });
});

it('load the SDK only when the store is opened', () => {
  const root = path.join(import.meta.dirname, '../..');
  const importing = filesBelow(root, 'server').filter((file) =>
    /^import (?!type )[^;]*'@(aws-sdk|smithy)\//m.test(readFileSync(path.join(root, file), 'utf8')),
  );
  expect(importing).toEqual([]);
});

describe('part planning', () => {
  const gigabyte = 2 ** 30;
  const mebibyte = 2 ** 20;

  it.each([
    [0, 16 * mebibyte, 16 * mebibyte, 1],
    [1, 16 * mebibyte, 16 * mebibyte, 1],
    [16 * mebibyte, 16 * mebibyte, 16 * mebibyte, 1],
    [16 * mebibyte + 1, 16 * mebibyte, 16 * mebibyte, 2],
    // S3 accepts no part below 5 MiB, and at most 10,000 parts.
    [20 * mebibyte, mebibyte, 5 * mebibyte, 4],
    [500 * gigabyte, 16 * mebibyte, 52 * mebibyte, 9847],
  ])(
    'of %i bytes with a requested part size of %i: %i bytes each, %i parts',
    (sizeBytes, requested, partBytes, count) => {
      expect(partBytesFor(sizeBytes, requested)).toBe(partBytes);
      const parts = partsOf(sizeBytes, partBytes);
      expect(parts).toHaveLength(count);
      expect(parts.reduce((sum, part) => sum + part.sizeBytes, 0)).toBe(sizeBytes);
      expect(parts.map(({ number }) => number)).toEqual(parts.map((_, index) => index + 1));
      for (const part of parts.slice(0, -1)) expect(part.sizeBytes).toBe(partBytes);
    },
  );
});

describe('a server with an object store', () => {
  it('allows pages to connect to its public origin only, and logs no secret', async () => {
    const dataFolder = await newFolder();
    const port = await freePort();
    const child = runChild(['--port', String(port), '--data', dataFolder, '--empty'], {
      ...settings,
      DENTARIUM_S3_ENDPOINT: 'http://127.0.0.1:9',
      DENTARIUM_S3_PUBLIC_ENDPOINT: 'https://files.clinic.example',
    });
    await child.isStarted();
    const { headers } = await fetch(`http://127.0.0.1:${port}/health`);
    const policy = headers.get('content-security-policy') ?? '';
    expect(policy).toContain("connect-src 'self' https://files.clinic.example;");
    await child.stop('SIGTERM');
    const log = await readFile(path.join(dataFolder, 'server.log'), 'utf8');
    expect(`${log}${child.output()}`).not.toContain('a-secret-that-is-never-printed');
  });
});
