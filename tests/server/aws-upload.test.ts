import { randomBytes, randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { awsComplete, importAwsDirectoryParse, importAwsParse } from '../../contract/aws-uploads.ts';
import { openObjectStore } from '../../server/storage/object-store.ts';
import type { ArchiveUnderTest } from './archive-under-test.ts';
import { type AwsArchive, awsImports, partBytes, startAwsArchive } from './aws-imports.ts';
import { partsOf, sendByStore, sendParts } from './aws-under-test.ts';
import type { ObjectStoreProcess } from './object-store-process.ts';
import { smallObject } from './small-object.ts';

let running: AwsArchive;
let archive: ArchiveUnderTest;
let objectStore: ObjectStoreProcess;
const { call, beginImport, begin, cancel } = awsImports(() => running);

beforeAll(async () => {
  running = await startAwsArchive();
  ({ archive, objectStore } = running);
});
afterAll(async () => {
  await archive?.close();
  await objectStore?.close();
});

describe('an upload', () => {
  it('that was interrupted resumes with the missing parts', async () => {
    const id = await beginImport();
    const key = randomUUID();
    const bytes = randomBytes(2 * partBytes + 1234);
    const begun = await begin(id, key, bytes.length);
    const [first, second, third] = partsOf(bytes, begun);
    for (const part of [first, third]) await fetch(part?.url ?? '', { method: 'PUT', body: part?.bytes ?? '' });
    const again = await begin(id, key, bytes.length);
    expect(again.awsFileName).toBe(begun.awsFileName);
    expect(again.missing.map(({ number }) => number)).toEqual([2]);
    expect(again.receivedBytes).toBe(partBytes + 1234);
    await expect(call()(awsComplete, { id, key })).rejects.toThrow(/409.*conflict/);
    await fetch(again.missing[0]?.url ?? '', { method: 'PUT', body: second?.bytes ?? '' });
    const { fileId } = await call()(awsComplete, { id, key });
    expect(await begin(id, key, bytes.length)).toMatchObject({ fileId, missing: [], receivedBytes: bytes.length });
    await cancel(id);
  });

  it('is one file, also for repeated and concurrent requests', async () => {
    const id = await beginImport();
    const key = randomUUID();
    const bytes = smallObject({ SOPInstanceUID: '2.25.7010' });
    const begun = await Promise.all([1, 2, 3].map(() => begin(id, key, bytes.length)));
    expect(new Set(begun.map(({ awsFileName }) => awsFileName)).size).toBe(1);
    for (const one of begun) await sendParts(bytes, one);
    const completed = await Promise.all([1, 2, 3].map(() => call()(awsComplete, { id, key })));
    expect(new Set(completed.map(({ fileId }) => fileId)).size).toBe(1);
    expect((await archive.task(id)).files).toHaveLength(1);
    // The key identifies this file.
    await expect(begin(id, key, bytes.length + 1)).rejects.toThrow(/409/);
    await expect(begin(id, key, bytes.length, 'b.dcm')).rejects.toThrow(/409/);
    await cancel(id);
  });

  it('of another size than announced is rejected', async () => {
    const id = await beginImport();
    const key = randomUUID();
    const begun = await begin(id, key, 100);
    expect((await fetch(begun.missing[0]?.url ?? '', { method: 'PUT', body: randomBytes(101) })).status).toBe(403);
    // By a client with the keys of the store itself.
    const thief = await openObjectStore(objectStore.config);
    const row = await archive.db
      .selectFrom('import_object')
      .selectAll()
      .where('key', '=', key)
      .executeTakeFirstOrThrow();
    const objectKey = `imports/${id}/${row.name}`;
    const url = await thief.signPart(objectKey, row.upload_id ?? '', 1, 101);
    expect((await fetch(url, { method: 'PUT', body: randomBytes(101) })).status).toBe(200);
    await expect(call()(awsComplete, { id, key })).rejects.toThrow(/409.*conflict/);
    expect((await begin(id, key, 100)).missing).toHaveLength(1);
    // It is rejected even when completed without the archive.
    await thief.completeUpload(
      objectKey,
      row.upload_id ?? '',
      (await thief.partsOf(objectKey, row.upload_id ?? '')) ?? [],
    );
    await expect(call()(awsComplete, { id, key })).rejects.toThrow(/409.*conflict/);
    expect((await archive.task(id)).files).toEqual([]);
    const anew = await begin(id, key, 100);
    await sendParts(randomBytes(100), anew);
    await call()(awsComplete, { id, key });
    thief.close();
    await cancel(id);
  });

  it('completed before its reply was lost is found as complete', async () => {
    const id = await beginImport();
    const key = randomUUID();
    await sendParts(randomBytes(10), await begin(id, key, 10));
    const store = await openObjectStore(objectStore.config);
    const row = await archive.db
      .selectFrom('import_object')
      .selectAll()
      .where('key', '=', key)
      .executeTakeFirstOrThrow();
    const at = [`imports/${id}/${row.name}`, row.upload_id ?? ''] as const;
    await store.completeUpload(...at, (await store.partsOf(...at)) ?? []);
    store.close();
    expect(await begin(id, key, 10)).toMatchObject({ missing: [], receivedBytes: 10, fileId: null });
    expect((await call()(awsComplete, { id, key })).fileId).toBeTruthy();
    await cancel(id);
  });

  it('of two files with the same path creates two rows', async () => {
    const id = await beginImport();
    const twice = smallObject({ SOPInstanceUID: '2.25.7020' });
    await sendByStore(call(), id, 'image.dcm', twice);
    await sendByStore(call(), id, 'image.dcm', smallObject({ SOPInstanceUID: '2.25.7021' }));
    // One of them also through the archive itself.
    expect((await archive.send(id, 'image.dcm', twice)).ok).toBe(true);
    await call()(importAwsDirectoryParse, { id, awsDirectroryKey: `imports/${id}` });
    const { files } = await archive.waitForStep(id, 3);
    expect(files.map(({ fileName }) => fileName)).toEqual(['image.dcm', 'image.dcm', 'image.dcm']);
    expect(new Set(files.map(({ path }) => path)).size).toBe(3);
    expect(files.filter(({ status }) => status === 'refused')).toEqual([]);
  });

  it('of an empty file is rejected with its problem when read', async () => {
    const id = await beginImport({ totalFilesCount: 2 });
    await sendByStore(call(), id, 'nothing.dcm', new Uint8Array());
    const { awsFileName } = await sendByStore(call(), id, 'b.dcm', smallObject({ SOPInstanceUID: '2.25.7030' }));
    await call()(importAwsParse, { id, awsFileName });
    const { files } = await archive.waitForStep(id, 3);
    expect(files.map(({ fileName, problem }) => [fileName, problem])).toEqual([
      ['nothing.dcm', 'empty'],
      ['b.dcm', null],
    ]);
  });
});
