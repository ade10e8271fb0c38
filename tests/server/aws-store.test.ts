import { randomBytes, randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ObjectStore, openObjectStore } from '../../server/storage/object-store.ts';
import { ObjectStoreError } from '../../server/storage/object-store-error.ts';
import { type ObjectStoreProcess, startObjectStore } from './object-store-process.ts';

const mebibyte = 2 ** 20;
const never = new AbortController().signal;
let process: ObjectStoreProcess;
let store: ObjectStore;

beforeAll(async () => {
  process = await startObjectStore(2);
  store = await openObjectStore(process.config);
});
afterAll(async () => {
  store?.close();
  await process?.close();
});

const newKey = () => `imports/${randomUUID()}/${randomUUID()}`;
const put = (url: string, body: Uint8Array) => fetch(url, { method: 'PUT', body: Uint8Array.from(body) });

/** Uploads the parts and returns the upload. */
const upload = async (key: string, parts: readonly Uint8Array[]) => {
  const uploadId = await store.createUpload(key);
  for (const [index, bytes] of parts.entries()) {
    const reply = await put(await store.signPart(key, uploadId, index + 1, bytes.length), bytes);
    expect(reply.status).toBe(200);
  }
  return uploadId;
};

const read = async (key: string): Promise<Buffer | null> => {
  const source = await store.read(key, never);
  if (!source) return null;
  const chunks: Uint8Array[] = [];
  for await (const chunk of source) chunks.push(chunk);
  return Buffer.concat(chunks);
};

describe('multipart upload', () => {
  it('creates an object with the same bytes, and removes it completely', async () => {
    const parts = [randomBytes(5 * mebibyte), randomBytes(5 * mebibyte), randomBytes(77)];
    const key = newKey();
    const uploadId = await upload(key, parts);
    const arrived = await store.partsOf(key, uploadId);
    // Three parts on two pages.
    expect(arrived?.map(({ number, sizeBytes }) => [number, sizeBytes])).toEqual([
      [1, 5 * mebibyte],
      [2, 5 * mebibyte],
      [3, 77],
    ]);
    expect(await store.sizeOf(key)).toBeNull();
    expect(await store.completeUpload(key, uploadId, arrived ?? [])).toBe(true);
    expect(await store.sizeOf(key)).toBe(10 * mebibyte + 77);
    expect((await read(key))?.equals(Buffer.concat(parts))).toBe(true);
    // Completing again: the store no longer knows the upload.
    expect(await store.completeUpload(key, uploadId, arrived ?? [])).toBe(false);
    expect(await store.partsOf(key, uploadId)).toBeNull();
    expect(await process.objects()).toEqual([key]);
    expect(await store.discard(key, uploadId)).toBe(true);
    expect(await process.objects()).toEqual([]);
    expect(await read(key)).toBeNull();
  });

  it('of an empty file has one empty part', async () => {
    const key = newKey();
    const uploadId = await upload(key, [new Uint8Array()]);
    expect(await store.completeUpload(key, uploadId, (await store.partsOf(key, uploadId)) ?? [])).toBe(true);
    expect(await store.sizeOf(key)).toBe(0);
    await store.discard(key, null);
  });

  it('removes uploads that were never recorded', async () => {
    const key = newKey();
    const known = await upload(key, [randomBytes(10)]);
    await store.createUpload(key);
    const other = newKey();
    const untouched = await store.createUpload(other);
    expect(await store.discard(key, known)).toBe(true);
    expect(await process.uploads()).toEqual([untouched]);
    await store.discard(other, null);
    expect(await process.uploads()).toEqual([]);
  });
});

describe('signed URL', () => {
  it('accepts only its own part with its size', async () => {
    const key = newKey();
    const uploadId = await store.createUpload(key);
    const url = await store.signPart(key, uploadId, 1, 10);
    const expectForbidden = async (address: string, bytes = randomBytes(10), method = 'PUT') => {
      const reply = await fetch(address, { method, ...(method === 'PUT' && { body: bytes }) });
      expect(reply.status).toBe(403);
      return reply.text();
    };
    expect(await expectForbidden(url.replace('partNumber=1', 'partNumber=2'))).toContain('SignatureDoesNotMatch');
    expect(await expectForbidden(url.replace(uploadId, `${uploadId.slice(1)}0`))).toContain('SignatureDoesNotMatch');
    expect(await expectForbidden(url.replace(/imports\/[^?]+/, newKey()))).toContain('SignatureDoesNotMatch');
    expect(await expectForbidden(url.replace('X-Amz-Expires=3600', 'X-Amz-Expires=86400'))).toContain(
      'SignatureDoesNotMatch',
    );
    expect(await expectForbidden(url.replace(/X-Amz-Signature=.{4}/, 'X-Amz-Signature=0000'))).toContain(
      'SignatureDoesNotMatch',
    );
    expect(await expectForbidden(url, randomBytes(11))).toContain('SignatureDoesNotMatch');
    expect(await expectForbidden(url, undefined, 'DELETE')).toContain('SignatureDoesNotMatch');
    expect(await expectForbidden(url.split('?')[0] ?? '')).toContain('AccessDenied');
    expect(await store.partsOf(key, uploadId)).toEqual([]);
    expect((await put(url, randomBytes(10))).status).toBe(200);
    await store.discard(key, uploadId);
  });

  it('contains neither the secret nor a checksum of an empty body', async () => {
    const url = await store.signPart(newKey(), 'upload', 1, 10);
    expect(url).not.toContain(process.config.secretAccessKey);
    expect(url.toLowerCase()).not.toContain('checksum');
  });

  it('expires', async () => {
    const brief = await openObjectStore(process.config, 1);
    const key = newKey();
    const uploadId = await brief.createUpload(key);
    const url = await brief.signPart(key, uploadId, 1, 10);
    await expect.poll(async () => (await put(url, randomBytes(10))).status, { timeout: 10_000 }).toBe(403);
    brief.close();
    await store.discard(key, uploadId);
  });

  it('uses the endpoint for browsers', async () => {
    const behind = await openObjectStore({ ...process.config, publicEndpoint: 'https://files.clinic.example:8443' });
    const url = new URL(await behind.signPart('imports/a/b', 'upload', 1, 10));
    expect(`${url.origin}${url.pathname}`).toBe('https://files.clinic.example:8443/clinic/imports/a/b');
    const named = await openObjectStore({ ...process.config, publicEndpoint: 'https://s3.example', pathStyle: false });
    expect(new URL(await named.signPart('imports/a/b', 'upload', 1, 10)).origin).toBe('https://clinic.s3.example');
    behind.close();
    named.close();
  });
});

describe('a failing store', () => {
  const errorOf = async (work: Promise<unknown>) => {
    const error = await work.then(
      () => null,
      (reason: unknown) => reason,
    );
    expect(error).toBeInstanceOf(ObjectStoreError);
    return error as ObjectStoreError;
  };

  it('rejects wrong keys and an unknown bucket, and the error contains no secret', async () => {
    const wrongKeys = await openObjectStore({ ...process.config, secretAccessKey: 'another-secret' });
    const denied = await errorOf(wrongKeys.createUpload(newKey()));
    expect(denied.code).toBe('denied');
    expect(JSON.stringify([denied.message, denied.stack])).not.toMatch(/another-secret|imports\/|http/);
    const nowhere = await openObjectStore({ ...process.config, bucket: 'no-such-bucket' });
    expect((await errorOf(nowhere.createUpload(newKey()))).code).toBe('denied');
    expect((await errorOf(nowhere.read(newKey(), never))).code).toBe('denied');
    wrongKeys.close();
    nowhere.close();
  });

  it('is reported as unavailable, also in the middle of an object', async () => {
    const key = newKey();
    const bytes = randomBytes(30 * mebibyte);
    const uploadId = await upload(key, [bytes]);
    await store.completeUpload(key, uploadId, (await store.partsOf(key, uploadId)) ?? []);
    const source = (await store.read(key, never)) ?? [];
    const broken = (async () => {
      for await (const _ of source) await process.kill();
    })();
    expect((await errorOf(broken)).code).toBe('away');
    expect((await errorOf(store.sizeOf(key))).code).toBe('away');
    await process.start();
    expect((await read(key))?.equals(bytes)).toBe(true);
    await store.discard(key, null);
  });

  it('releases the connection of an aborted reader', async () => {
    const key = newKey();
    const uploadId = await upload(key, [randomBytes(20 * mebibyte)]);
    await store.completeUpload(key, uploadId, (await store.partsOf(key, uploadId)) ?? []);
    const stopping = new AbortController();
    const source = (await store.read(key, stopping.signal)) ?? [];
    const reading = (async () => {
      for await (const _ of source) stopping.abort(new Error('stopped'));
    })();
    await expect(reading).rejects.toThrow('stopped');
    await store.discard(key, null);
  });
});
