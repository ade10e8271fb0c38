import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { buffer } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ZipFile } from 'yazl';
import { awsComplete, importAwsDirectoryParse, importAwsParse } from '../../contract/aws-uploads.ts';
import { openObjectStore } from '../../server/storage/object-store.ts';
import { type ArchiveUnderTest, archiveUnderTest } from './archive-under-test.ts';
import { type AwsArchive, awsImports, startAwsArchive, waitOptions } from './aws-imports.ts';
import { sendByStore, sendParts } from './aws-under-test.ts';
import type { ObjectStoreProcess } from './object-store-process.ts';
import { smallObject } from './small-object.ts';

let running: AwsArchive;
let archive: ArchiveUnderTest;
let objectStore: ObjectStoreProcess;
const { call, beginImport, begin, cancel, expectEmptyStore } = awsImports(() => running);

beforeAll(async () => {
  running = await startAwsArchive();
  ({ archive, objectStore } = running);
});
afterAll(async () => {
  await archive?.close();
  await objectStore?.close();
});

const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');

let count = 0;
/** A new DICOM object of this archive's patient, about 6.4 megabytes. */
const largeObject = (): Uint8Array => {
  count += 1;
  const pixels = new Uint16Array(randomBytes(2000 * 1600 * 2).buffer).map((value) => value & 0x0fff);
  return smallObject({ Rows: 2000, Columns: 1600, PixelData: pixels, SOPInstanceUID: `2.25.77${count}` });
};

describe('an import through the object store', () => {
  it('uploads parts, fetches, reads and imports the file, and leaves nothing in the store', async () => {
    const limits = await (await archive.call('/resource/ImageImport/limits')).json();
    expect(limits.aws).toBe(true);
    const id = await beginImport({ totalFilesCount: 2 });
    const [large, small] = [largeObject(), smallObject({ SOPInstanceUID: '2.25.7001' })];
    const key = randomUUID();
    const begun = await begin(id, key, large.length, 'Åsa Lindström/large.dcm');
    expect(begun.missing.map(({ number }) => number)).toEqual([1, 2]);
    expect(begun.awsDirectroryKey).toBe(`imports/${id}`);
    const url = new URL(begun.missing[0]?.url ?? '');
    expect(url.pathname).toBe(`/clinic/imports/${id}/${begun.awsFileName}`);
    expect(begun.awsFileName).toMatch(/^[0-9a-f-]{36}$/);
    await sendParts(large, begun);
    const { fileId, awsFileName } = await call()(awsComplete, { id, key });
    expect(awsFileName).toBe(begun.awsFileName);
    await sendByStore(call(), id, 'small.dcm', small);
    expect(await objectStore.objects()).toHaveLength(2);
    const waiting = await archive.task(id);
    expect(waiting.files.map(({ path, status }) => [path, status])).toEqual([
      ['Åsa Lindström/large.dcm', 'received'],
      ['small.dcm', 'received'],
    ]);
    await call()(importAwsParse, { id, awsFileName });
    const parsed = await archive.waitForStep(id, 3);
    expect(parsed.files.map(({ status, problem }) => [status, problem])).toEqual([
      ['parsed', null],
      ['parsed', null],
    ]);
    await expect.poll(() => objectStore.objects(), waitOptions).toEqual([]);
    expect((await archive.post('/resource/ImageImport/dicom/import', { id })).ok).toBe(true);
    const done = await archive.waitForStep(id, 5);
    const imageUid = done.files.find((file) => file.id === fileId)?.imageUid;
    const stored = await archive.call(`/resource/viewset/get_image?imageUID=${imageUid}`);
    expect(sha256(new Uint8Array(await stored.arrayBuffer()))).toBe(sha256(large));
    const task = await archive.db.selectFrom('import_task').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
    expect(task.aws_upload).toBe(true);
    // A lost reply: repeated requests change nothing.
    await call()(importAwsParse, { id, awsFileName }).catch((error) => expect(String(error)).toContain('409'));
  });

  it('of a zip fetches, unpacks and reads it', async () => {
    const id = await beginImport({ kind: 'dicomdir', name: 'disc.zip' });
    const zip = new ZipFile();
    for (const number of [1, 2])
      zip.addBuffer(Buffer.from(smallObject({ SOPInstanceUID: `2.25.706${number}` })), `disc/${number}.dcm`);
    zip.end();
    await sendByStore(call(), id, 'disc.zip', await buffer(zip.outputStream));
    await call()(importAwsDirectoryParse, { id, awsDirectroryKey: `imports/${id}` });
    const { files } = await archive.waitForStep(id, 3);
    expect(files.map(({ path, status }) => `${path} ${status}`).sort()).toEqual([
      'disc.zip unpacked',
      'disc/1.dcm parsed',
      'disc/2.dcm parsed',
    ]);
  });

  it('belongs to the patient in the ledger, whatever the object key', async () => {
    const [id, other] = [await beginImport(), await beginImport()];
    const { awsFileName } = await sendByStore(call(), id, 'a.dcm', smallObject({ SOPInstanceUID: '2.25.7002' }));
    const expectInvalid = (work: Promise<unknown>) => expect(work).rejects.toThrow('400');
    await sendByStore(call(), other, 'a.dcm', smallObject({ SOPInstanceUID: '2.25.7003' }));
    await expectInvalid(call()(importAwsParse, { id: other, awsFileName }));
    await expectInvalid(call()(importAwsParse, { id, awsFileName: '../x' }));
    await expectInvalid(call()(importAwsDirectoryParse, { id, awsDirectroryKey: `imports/${other}` }));
    expect((await archive.task(id)).step).toBe(0);
    await call()(importAwsDirectoryParse, { id, awsDirectroryKey: `imports/${id}` });
    expect((await archive.waitForStep(id, 3)).files.map(({ status }) => status)).toEqual(['parsed']);
    await cancel(other);
  });

  it('is visible to its own clinic only', async () => {
    const id = await beginImport();
    const key = randomUUID();
    const otherDoctorId = archive.clinics.otherDoctorId;
    const hidden = (work: Promise<unknown>) => expect(work).rejects.toThrow('404');
    await hidden(begin(id, key, 10, 'a.dcm', otherDoctorId));
    const objectsOfTask = archive.db.selectFrom('import_object').select('name').where('task_id', '=', id);
    expect(await objectsOfTask.execute()).toEqual([]);
    const begun = await begin(id, key, 10);
    await hidden(begin(id, key, 10, 'a.dcm', otherDoctorId));
    await hidden(call(otherDoctorId)(awsComplete, { id, key }));
    await hidden(call(otherDoctorId)(importAwsParse, { id, awsFileName: begun.awsFileName }));
    await hidden(call(otherDoctorId)(importAwsDirectoryParse, { id, awsDirectroryKey: begun.awsDirectroryKey }));
    await hidden(call()(awsComplete, { id, key: randomUUID() }));
    await cancel(id);
  });

  it('enforces the limits of the installation', async () => {
    const id = await beginImport();
    const messageOf = async (work: Promise<unknown>) =>
      work.then(
        () => 'taken',
        (error: Error) => error.message,
      );
    expect(await messageOf(begin(id, randomUUID(), 40 * 2 ** 20 + 1))).toMatch(/413.*too-large/);
    expect(await messageOf(begin(id, randomUUID(), 10, `${'f/'.repeat(40)}a.dcm`))).toContain('too-deep');
    expect(await messageOf(begin(id, randomUUID(), 10, '../../a.dcm'))).toContain('invalid-request');
    for (let number = 0; number < 5; number += 1) await begin(id, randomUUID(), 10, `${number}.dcm`);
    expect(await messageOf(begin(id, randomUUID(), 10))).toContain('too-many-files');
    await cancel(id);
    expect(await messageOf(begin(id, randomUUID(), 10))).toContain('import-wrong-step');
  });
});

describe('an object store', () => {
  it('that is unavailable delays an import without losing anything', async () => {
    const id = await beginImport();
    const bytes = smallObject({ SOPInstanceUID: '2.25.7040' });
    const { awsFileName, fileId } = await sendByStore(call(), id, 'a.dcm', bytes);
    await objectStore.kill();
    await expect(begin(id, randomUUID(), 10)).rejects.toThrow('503 {"code":"object-store-away"');
    await call()(importAwsParse, { id, awsFileName });
    await expect
      .poll(async () => (await archive.task(id)).files[0], waitOptions)
      .toMatchObject({
        id: fileId,
        status: 'received',
        problem: 'storage-failed',
        detail: 'waits for the object store',
      });
    expect(await archive.task(id)).toMatchObject({ step: 1, error: false });
    await objectStore.start();
    const parsed = await archive.waitForStep(id, 3);
    expect(parsed.files).toMatchObject([{ id: fileId, status: 'parsed', problem: null, detail: null }]);
    expect(archive.failures.map(String).join()).not.toMatch(/imports\/|http|secret/);
  });

  it('that lost or changed an object causes only that file to be rejected', async () => {
    const id = await beginImport({ totalFilesCount: 3 });
    const lost = await sendByStore(call(), id, 'lost.dcm', smallObject({ SOPInstanceUID: '2.25.7050' }));
    const right = smallObject({ SOPInstanceUID: '2.25.7051' });
    const changed = await sendByStore(call(), id, 'changed.dcm', right);
    const { awsFileName } = await sendByStore(call(), id, 'good.dcm', smallObject({ SOPInstanceUID: '2.25.7052' }));
    const store = await openObjectStore(objectStore.config);
    await store.discard(`imports/${id}/${lost.awsFileName}`, null);
    const key = `imports/${id}/${changed.awsFileName}`;
    const overwrite = async (bytes: Uint8Array) => {
      const uploadId = await store.createUpload(key);
      const url = await store.signPart(key, uploadId, 1, bytes.length);
      await fetch(url, { method: 'PUT', body: Uint8Array.from(bytes) });
      await store.completeUpload(key, uploadId, (await store.partsOf(key, uploadId)) ?? []);
    };
    await overwrite(randomBytes(5000));
    await call()(importAwsParse, { id, awsFileName });
    const { files } = await archive.waitForStep(id, 3);
    expect(files.map(({ fileName, status, problem }) => [fileName, status, problem])).toEqual([
      ['lost.dcm', 'refused', 'storage-failed'],
      ['changed.dcm', 'refused', 'storage-failed'],
      ['good.dcm', 'parsed', null],
    ]);
    // It can be retried until the import is deleted.
    expect(await objectStore.objects()).toContain(key);
    await overwrite(right);
    store.close();
    expect((await archive.post('/resource/ImageImport/retry', { id })).ok).toBe(true);
    const statuses = async () => (await archive.task(id)).files.map(({ status }) => status);
    await expect.poll(statuses, waitOptions).toEqual(['refused', 'parsed', 'parsed']);
    await cancel(id);
  });

  it('holds no fetched, rejected or cancelled object at the end', async () => {
    await expectEmptyStore();
    const awaited = archive.db.selectFrom('import_object').select('name').where('gone_at', 'is', null);
    await expect.poll(() => awaited.execute(), waitOptions).toEqual([]);
  });

  it('that is not configured has no routes', async () => {
    const plain = await archiveUnderTest();
    expect((await (await plain.call('/resource/ImageImport/limits')).json()).aws).toBe(false);
    const body = { id: randomUUID(), key: randomUUID() };
    const reply = await plain.post(awsComplete.path, body);
    expect([reply.status, await reply.json()]).toMatchObject([404, { code: 'not-found' }]);
    await plain.close();
  });
});
