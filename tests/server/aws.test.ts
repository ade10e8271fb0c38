import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { buffer } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ZipFile } from 'yazl';
import { awsBegin, awsComplete, importAwsDirectoryParse, importAwsParse } from '../../contract/aws-uploads.ts';
import { importBegin } from '../../contract/import-calls.ts';
import type { BodyOf } from '../../contract/route.ts';
import { defaultLimits } from '../../server/imports/limits.ts';
import { openObjectStore } from '../../server/storage/object-store.ts';
import { type ArchiveUnderTest, archiveUnderTest } from './archive-under-test.ts';
import { callerOf, partsOf, sendByStore, sendParts } from './aws-under-test.ts';
import { type ObjectStoreProcess, startObjectStore } from './object-store-process.ts';
import { smallObject } from './small-object.ts';

const partBytes = 5 * 2 ** 20;
const patience = { timeout: 30_000, interval: 50 };
let objectStore: ObjectStoreProcess;
let archive: ArchiveUnderTest;
let patientId: string;

beforeAll(async () => {
  objectStore = await startObjectStore();
  const limits = { ...defaultLimits, partBytes, fileBytes: 40 * 2 ** 20, filesPerImport: 5 };
  archive = await archiveUnderTest({ objectStore: objectStore.config, limits });
  patientId = await archive.addPatient();
});
afterAll(async () => {
  await archive?.close();
  await objectStore?.close();
});

const call = (as?: string) => callerOf((target, body) => archive.post(target, body, as));
const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');

const beginImport = async (changes: Partial<BodyOf<typeof importBegin>> = {}): Promise<string> => {
  const { id } = await call()(importBegin, { patientId, totalFilesCount: 1, ...changes });
  return id;
};
const begin = (id: string, key: string, sizeBytes: number, path = 'a.dcm', as?: string) =>
  call(as)(awsBegin, { id, key, path, sizeBytes });
const cancel = async (id: string) => expect((await archive.post('/resource/ImageImport/cancel', { id })).ok).toBe(true);
/** Of what was fetched nothing stays, of what was given up nothing for long. */
const nothingLeft = async () => {
  await expect.poll(() => objectStore.objects(), patience).toEqual([]);
  await expect.poll(() => objectStore.uploads(), patience).toEqual([]);
};

let count = 0;
/** A DICOM object of this archive's patient that there was not yet, of some 6.4 megabytes. */
const largeObject = (): Uint8Array => {
  count += 1;
  const pixels = new Uint16Array(randomBytes(2000 * 1600 * 2).buffer).map((value) => value & 0x0fff);
  return smallObject({ Rows: 2000, Columns: 1600, PixelData: pixels, SOPInstanceUID: `2.25.77${count}` });
};

describe('an import by way of the object store', () => {
  it('goes the whole way: in parts, fetched, read, imported, and nothing stays behind', async () => {
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
    const parsed = await archive.reached(id, 3);
    expect(parsed.files.map(({ status, problem }) => [status, problem])).toEqual([
      ['parsed', null],
      ['parsed', null],
    ]);
    await expect.poll(() => objectStore.objects(), patience).toEqual([]);
    expect((await archive.post('/resource/ImageImport/dicom/import', { id })).ok).toBe(true);
    const done = await archive.reached(id, 5);
    const imageUid = done.files.find((file) => file.id === fileId)?.imageUid;
    const stored = await archive.call(`/resource/viewset/get_image?imageUID=${imageUid}`);
    expect(sha256(new Uint8Array(await stored.arrayBuffer()))).toBe(sha256(large));
    const task = await archive.db.selectFrom('import_task').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
    expect(task.aws_upload).toBe(true);
    // A lost reply: asked again, nothing happens twice.
    await call()(importAwsParse, { id, awsFileName }).catch((error) => expect(String(error)).toContain('409'));
  });

  it('of a zip fetches it, unpacks it, and reads what is in it', async () => {
    const id = await beginImport({ kind: 'dicomdir', name: 'disc.zip' });
    const zip = new ZipFile();
    for (const number of [1, 2])
      zip.addBuffer(Buffer.from(smallObject({ SOPInstanceUID: `2.25.706${number}` })), `disc/${number}.dcm`);
    zip.end();
    await sendByStore(call(), id, 'disc.zip', await buffer(zip.outputStream));
    await call()(importAwsDirectoryParse, { id, awsDirectroryKey: `imports/${id}` });
    const { files } = await archive.reached(id, 3);
    expect(files.map(({ path, status }) => `${path} ${status}`).sort()).toEqual([
      'disc.zip unpacked',
      'disc/1.dcm parsed',
      'disc/2.dcm parsed',
    ]);
  });

  it('is of one patient only as the ledger says, whatever the object is called', async () => {
    const [id, other] = [await beginImport(), await beginImport()];
    const { awsFileName } = await sendByStore(call(), id, 'a.dcm', smallObject({ SOPInstanceUID: '2.25.7002' }));
    const refused = (work: Promise<unknown>) => expect(work).rejects.toThrow('400');
    await sendByStore(call(), other, 'a.dcm', smallObject({ SOPInstanceUID: '2.25.7003' }));
    await refused(call()(importAwsParse, { id: other, awsFileName }));
    await refused(call()(importAwsParse, { id, awsFileName: '../x' }));
    await refused(call()(importAwsDirectoryParse, { id, awsDirectroryKey: `imports/${other}` }));
    expect((await archive.task(id)).step).toBe(0);
    await call()(importAwsDirectoryParse, { id, awsDirectroryKey: `imports/${id}` });
    expect((await archive.reached(id, 3)).files.map(({ status }) => status)).toEqual(['parsed']);
    await cancel(other);
  });

  it('is seen by its clinic alone', async () => {
    const id = await beginImport();
    const key = randomUUID();
    const stranger = archive.clinics.otherDoctorId;
    const hidden = (work: Promise<unknown>) => expect(work).rejects.toThrow('404');
    await hidden(begin(id, key, 10, 'a.dcm', stranger));
    const asked = archive.db.selectFrom('import_object').select('name').where('task_id', '=', id);
    expect(await asked.execute()).toEqual([]);
    const begun = await begin(id, key, 10);
    await hidden(begin(id, key, 10, 'a.dcm', stranger));
    await hidden(call(stranger)(awsComplete, { id, key }));
    await hidden(call(stranger)(importAwsParse, { id, awsFileName: begun.awsFileName }));
    await hidden(call(stranger)(importAwsDirectoryParse, { id, awsDirectroryKey: begun.awsDirectroryKey }));
    await hidden(call()(awsComplete, { id, key: randomUUID() }));
    await cancel(id);
  });

  it('takes no more than the installation takes', async () => {
    const id = await beginImport();
    const refusal = async (work: Promise<unknown>) =>
      work.then(
        () => 'taken',
        (error: Error) => error.message,
      );
    expect(await refusal(begin(id, randomUUID(), 40 * 2 ** 20 + 1))).toMatch(/413.*too-large/);
    expect(await refusal(begin(id, randomUUID(), 10, `${'f/'.repeat(40)}a.dcm`))).toContain('too-deep');
    expect(await refusal(begin(id, randomUUID(), 10, '../../a.dcm'))).toContain('invalid-request');
    for (let number = 0; number < 5; number += 1) await begin(id, randomUUID(), 10, `${number}.dcm`);
    expect(await refusal(begin(id, randomUUID(), 10))).toContain('too-many-files');
    await cancel(id);
    expect(await refusal(begin(id, randomUUID(), 10))).toContain('import-wrong-step');
  });
});

describe('an upload', () => {
  it('that stopped goes on with what is missing', async () => {
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

  it('is one file, however often and at once it is asked for', async () => {
    const id = await beginImport();
    const key = randomUUID();
    const bytes = smallObject({ SOPInstanceUID: '2.25.7010' });
    const begun = await Promise.all([1, 2, 3].map(() => begin(id, key, bytes.length)));
    expect(new Set(begun.map(({ awsFileName }) => awsFileName)).size).toBe(1);
    for (const one of begun) await sendParts(bytes, one);
    const completed = await Promise.all([1, 2, 3].map(() => call()(awsComplete, { id, key })));
    expect(new Set(completed.map(({ fileId }) => fileId)).size).toBe(1);
    expect((await archive.task(id)).files).toHaveLength(1);
    // The key stands for this file.
    await expect(begin(id, key, bytes.length + 1)).rejects.toThrow(/409/);
    await expect(begin(id, key, bytes.length, 'b.dcm')).rejects.toThrow(/409/);
    await cancel(id);
  });

  it('of another size than was said is not taken', async () => {
    const id = await beginImport();
    const key = randomUUID();
    const begun = await begin(id, key, 100);
    expect((await fetch(begun.missing[0]?.url ?? '', { method: 'PUT', body: randomBytes(101) })).status).toBe(403);
    // Somebody with the keys of the store itself.
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
    // Even put together behind our back it is not taken.
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

  it('that was put together while the answer was lost is found as it is', async () => {
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

  it('of files that are called alike makes two files', async () => {
    const id = await beginImport();
    const twice = smallObject({ SOPInstanceUID: '2.25.7020' });
    await sendByStore(call(), id, 'image.dcm', twice);
    await sendByStore(call(), id, 'image.dcm', smallObject({ SOPInstanceUID: '2.25.7021' }));
    // And one of them by the other way as well.
    expect((await archive.send(id, 'image.dcm', twice)).ok).toBe(true);
    await call()(importAwsDirectoryParse, { id, awsDirectroryKey: `imports/${id}` });
    const { files } = await archive.reached(id, 3);
    expect(files.map(({ fileName }) => fileName)).toEqual(['image.dcm', 'image.dcm', 'image.dcm']);
    expect(new Set(files.map(({ path }) => path)).size).toBe(3);
    expect(files.filter(({ status }) => status === 'refused')).toEqual([]);
  });

  it('of an empty file is refused by its name when it is read', async () => {
    const id = await beginImport({ totalFilesCount: 2 });
    await sendByStore(call(), id, 'nothing.dcm', new Uint8Array());
    const { awsFileName } = await sendByStore(call(), id, 'b.dcm', smallObject({ SOPInstanceUID: '2.25.7030' }));
    await call()(importAwsParse, { id, awsFileName });
    const { files } = await archive.reached(id, 3);
    expect(files.map(({ fileName, problem }) => [fileName, problem])).toEqual([
      ['nothing.dcm', 'empty'],
      ['b.dcm', null],
    ]);
  });
});

describe('an object store', () => {
  it('that is away makes an import wait, and lose nothing', async () => {
    const id = await beginImport();
    const bytes = smallObject({ SOPInstanceUID: '2.25.7040' });
    const { awsFileName, fileId } = await sendByStore(call(), id, 'a.dcm', bytes);
    await objectStore.kill();
    await expect(begin(id, randomUUID(), 10)).rejects.toThrow('503 {"code":"object-store-away"}');
    await call()(importAwsParse, { id, awsFileName });
    await expect
      .poll(async () => (await archive.task(id)).files[0], patience)
      .toMatchObject({
        id: fileId,
        status: 'received',
        problem: 'storage-failed',
        detail: 'waits for the object store',
      });
    expect(await archive.task(id)).toMatchObject({ step: 1, error: false });
    await objectStore.start();
    const parsed = await archive.reached(id, 3);
    expect(parsed.files).toMatchObject([{ id: fileId, status: 'parsed', problem: null, detail: null }]);
    expect(archive.failures.map(String).join()).not.toMatch(/imports\/|http|secret/);
  });

  it('that lost or changed an object has that file refused, and no other', async () => {
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
    const { files } = await archive.reached(id, 3);
    expect(files.map(({ fileName, status, problem }) => [fileName, status, problem])).toEqual([
      ['lost.dcm', 'refused', 'storage-failed'],
      ['changed.dcm', 'refused', 'storage-failed'],
      ['good.dcm', 'parsed', null],
    ]);
    // It may be tried again until somebody is done with this import.
    expect(await objectStore.objects()).toContain(key);
    await overwrite(right);
    store.close();
    expect((await archive.post('/resource/ImageImport/retry', { id })).ok).toBe(true);
    const statuses = async () => (await archive.task(id)).files.map(({ status }) => status);
    await expect.poll(statuses, patience).toEqual(['refused', 'parsed', 'parsed']);
    await cancel(id);
  });

  it('holds nothing in the end of all that was fetched, refused or given up', async () => {
    await nothingLeft();
    const awaited = archive.db.selectFrom('import_object').select('name').where('gone_at', 'is', null);
    await expect.poll(() => awaited.execute(), patience).toEqual([]);
  });

  it('is none where none is set up: its calls are not there', async () => {
    const plain = await archiveUnderTest();
    expect((await (await plain.call('/resource/ImageImport/limits')).json()).aws).toBe(false);
    const body = { id: randomUUID(), key: randomUUID() };
    const reply = await plain.post(awsComplete.path, body);
    expect([reply.status, await reply.json()]).toEqual([404, { code: 'not-found' }]);
    await plain.close();
  });
});
