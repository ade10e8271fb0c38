import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { awsBegin, awsComplete, importAwsDirectoryParse, importAwsParse } from '../../contract/aws-uploads.ts';
import { importBegin, importConfirm } from '../../contract/import-calls.ts';
import type { ImportTask } from '../../contract/imports.ts';
import { callerOf, partsOf, sendByStore } from './aws-under-test.ts';
import { type MortalArchive, mortalArchive } from './killable-archive.ts';
import { type ObjectStoreProcess, startObjectStore } from './object-store-process.ts';
import { smallObject } from './small-object.ts';

const mebibyte = 2 ** 20;
/** Each test transfers much more data than others. */
const timeout = 300_000;
let mortal: MortalArchive;
let objectStore: ObjectStoreProcess;

beforeAll(async () => {
  objectStore = await startObjectStore();
  mortal = await mortalArchive('aws-crash');
});
afterEach(() => mortal.killAll());
afterAll(async () => {
  await mortal?.close();
  await objectStore?.close();
});

/** The archive in a separate process. */
const start = async () => {
  const { kill, pid, ...born } = mortal.start({ objectStore: objectStore.config });
  const url = await born.url;
  const headers = { 'content-type': 'application/json' };
  return {
    kill,
    pid,
    call: callerOf((target, body) => fetch(`${url}${target}`, { method: 'POST', headers, body: JSON.stringify(body) })),
    task: async (id: string): Promise<ImportTask> => (await fetch(`${url}/resource/ImageImport/${id}`)).json(),
    image: async (uid: string | null) =>
      new Uint8Array(await (await fetch(`${url}/resource/viewset/get_image?imageUID=${uid}`)).arrayBuffer()),
  };
};

const until = async (condition: () => Promise<boolean>): Promise<void> => {
  while (!(await condition())) await new Promise((resolve) => setTimeout(resolve, 3));
};
const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');

const fetched = async (taskId: string): Promise<number> => {
  const files = mortal.db.selectFrom('import_file').where('task_id', '=', taskId).where('sha256', 'is not', null);
  const { count } = await files.select(({ fn }) => fn.countAll<number>().as('count')).executeTakeFirstOrThrow();
  return Number(count);
};

/** Names of all files in the archive's store. */
const storedNames = async (): Promise<string[]> =>
  (await readdir(path.join(mortal.dataFolder, 'files'), { recursive: true })).flatMap((name) => {
    const last = path.basename(name);
    return /^[0-9a-f]{64}$/.test(last) ? [last] : [];
  });

const dicomFiles = (count: number, first: number): Uint8Array[] =>
  Array.from({ length: count }, (_, index) => {
    const pixels = new Uint16Array(randomBytes(1000 * 800 * 2).buffer).map((value) => value & 0x0fff);
    return smallObject({ Rows: 1000, Columns: 800, PixelData: pixels, SOPInstanceUID: `2.25.9${first + index}` });
  });

test(
  'killed in the middle of an upload and again while fetching, the archive loses and duplicates nothing',
  async () => {
    let archive = await start();
    const { id } = await archive.call(importBegin, { patientId: mortal.patientId, totalFilesCount: 31 });
    const files = dicomFiles(30, 1000);
    const hashes = new Map<string, string>();
    for (const [index, bytes] of files.entries()) {
      const { fileId } = await sendByStore(archive.call, id, `${index}.dcm`, bytes);
      hashes.set(fileId, sha256(bytes));
    }
    // A large file whose first part is uploaded when the archive is killed.
    const pixels = new Uint16Array(randomBytes(4000 * 3000 * 2).buffer).map((value) => value & 0x0fff);
    const large = smallObject({ Rows: 3000, Columns: 4000, PixelData: pixels, SOPInstanceUID: '2.25.9999' });
    const upload = { id, key: randomUUID(), path: 'large.dcm', sizeBytes: large.length };
    const begun = await archive.call(awsBegin, upload);
    const [first, second] = partsOf(large, begun);
    await fetch(first?.url ?? '', { method: 'PUT', body: first?.bytes ?? '' });
    await archive.kill();

    // The browser sends the other part directly to the store; only completing needs the archive.
    await fetch(second?.url ?? '', { method: 'PUT', body: second?.bytes ?? '' });
    archive = await start();
    const found = await archive.call(awsBegin, upload);
    expect(found).toMatchObject({ awsFileName: begun.awsFileName, missing: [], receivedBytes: large.length });
    const { fileId } = await archive.call(awsComplete, { id, key: upload.key });
    hashes.set(fileId, sha256(large));
    expect(new Set((await archive.task(id)).files.map((file) => file.id))).toEqual(new Set(hashes.keys()));

    await archive.call(importAwsDirectoryParse, { id, awsDirectroryKey: `imports/${id}` });
    await until(async () => (await fetched(id)) >= 3);
    await archive.kill();
    const before = await fetched(id);
    expect(before).toBeLessThan(hashes.size);

    archive = await start();
    await until(async () => (await archive.task(id)).step === 3);
    const parsed = await archive.task(id);
    expect(parsed.files.map(({ status }) => status)).toEqual(parsed.files.map(() => 'parsed'));
    await archive.call(importConfirm, { id });
    await until(async () => (await archive.task(id)).step === 5);
    const done = await archive.task(id);
    expect(done.files.map(({ status }) => status)).toEqual(done.files.map(() => 'imported'));
    expect(new Set(done.files.map(({ imageUid }) => imageUid)).size).toBe(hashes.size);
    for (const file of done.files) expect(sha256(await archive.image(file.imageUid))).toBe(hashes.get(file.id));
    expect((await storedNames()).sort()).toEqual([...hashes.values()].sort());
    await until(async () => (await objectStore.objects()).length + (await objectStore.uploads()).length === 0);
    await archive.kill();
  },
  timeout,
);

const residentMegabytes = async (pid: number, which: 'VmHWM' | 'VmRSS'): Promise<number> => {
  const status = await readFile(`/proc/${pid}/status`, 'utf8');
  return Number(new RegExp(`${which}:\\s+(\\d+) kB`).exec(status)?.[1]) / 1024;
};

test(
  'a gigabyte goes through the archive in pieces, and is hashed on the way',
  async () => {
    const archive = await start();
    const { id } = await archive.call(importBegin, { patientId: mortal.patientId, totalFilesCount: 1 });
    const piece = randomBytes(16 * mebibyte);
    const upload = { id, key: randomUUID(), path: 'volume.dcm', sizeBytes: 64 * piece.length };
    const begun = await archive.call(awsBegin, upload);
    expect([begun.missing.length, begun.partBytes]).toEqual([64, piece.length]);
    const hash = createHash('sha256');
    for (const { url } of begun.missing) {
      expect((await fetch(url, { method: 'PUT', body: piece })).status).toBe(200);
      hash.update(piece);
    }
    const { awsFileName } = await archive.call(awsComplete, { id, key: upload.key });
    const before = await residentMegabytes(archive.pid, 'VmRSS');
    await archive.call(importAwsParse, { id, awsFileName });
    await until(async () => (await fetched(id)) === 1);
    const growth = (await residentMegabytes(archive.pid, 'VmHWM')) - before;
    const row = await mortal.db.selectFrom('import_file').select('sha256').where('task_id', '=', id).executeTakeFirst();
    expect(row?.sha256).toBe(hash.digest('hex'));
    console.log(`memory while fetching 1 GB: +${growth.toFixed(0)} MB on ${before.toFixed(0)} MB`);
    expect(growth).toBeLessThan(250);
    await until(async () => (await objectStore.objects()).length === 0);
    await archive.kill();
  },
  timeout,
);
