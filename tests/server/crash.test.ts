import { createHash } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import type { ImportTask } from '../../contract/imports.ts';
import { maxCrashes } from '../../server/dicom/crash-marks.ts';
import { type MortalArchive, mortalArchive } from './killable-archive.ts';
import { smallObject } from './small-object.ts';

let mortal: MortalArchive;

beforeAll(async () => {
  mortal = await mortalArchive('crash');
});
afterEach(() => mortal.killAll());
afterAll(() => mortal.close());

/** The archive in a separate process. */
const start = async () => {
  const { kill, ...born } = mortal.start();
  const url = await born.url;
  const postAsDoctor = async (target: string, body: unknown) => {
    const headers = { 'content-type': 'application/json' };
    const reply = await fetch(`${url}${target}`, { method: 'POST', body: JSON.stringify(body), headers });
    if (!reply.ok) throw new Error(`${target}: ${reply.status} ${await reply.text()}`);
    return reply.json();
  };
  const task = async (id: string): Promise<ImportTask> => (await fetch(`${url}/resource/ImageImport/${id}`)).json();
  return { url, post: postAsDoctor, task, kill };
};

const countFiles = async (taskId: string, status: string): Promise<number> => {
  const files = mortal.db
    .selectFrom('import_file')
    .where('task_id', '=', taskId)
    .where('status', '=', status as 'parsed');
  const { count } = await files.select(({ fn }) => fn.countAll<number>().as('count')).executeTakeFirstOrThrow();
  return Number(count);
};

const until = async (condition: () => Promise<boolean>): Promise<void> => {
  while (!(await condition())) await new Promise((resolve) => setTimeout(resolve, 3));
};

test('a file that crashed the process three times is not decoded again, and the other files are imported', async () => {
  const bytes = ['2.25.31', '2.25.32'].map((uid) => smallObject({ SOPInstanceUID: uid, StudyInstanceUID: '2.25.30' }));
  let archive = await start();
  const { id } = await archive.post('/resource/ImageImport', { patientId: mortal.patientId, totalFilesCount: 2 });
  for (const [index, one] of bytes.entries()) {
    const form = new FormData();
    form.append('id', id);
    form.append('file', new Blob([Uint8Array.from(one)]), `${index}.dcm`);
    await fetch(`${archive.url}/resource/ImageImport/dicom`, { method: 'POST', body: form });
  }
  await archive.kill();
  await mortal.db.updateTable('import_file').set({ status: 'received' }).where('task_id', '=', id).execute();
  const killer = createHash('sha256')
    .update(bytes[0] ?? '')
    .digest('hex');
  await writeFile(path.join(mortal.dataFolder, 'in-hand', `${killer}#${maxCrashes}`), '');
  archive = await start();
  await archive.post('/resource/ImageImport/dicom/parse', { id });
  await until(async () => (await archive.task(id)).step === 3);
  const { files } = await archive.task(id);
  expect(files.map(({ status, problem }) => [status, problem])).toEqual([
    ['refused', 'decode-failed'],
    ['parsed', null],
  ]);
  await archive.post('/resource/ImageImport/cancel', { id });
  await archive.kill();
});

test('an archive killed while parsing and again while importing resumes, and has all acknowledged files', async () => {
  const files = Array.from({ length: 120 }, (_, index) =>
    smallObject({
      SOPInstanceUID: `2.25.1${index}`,
      InstanceNumber: index + 1,
      StudyInstanceUID: `2.25.2${index % 40}`,
    }),
  );
  let archive = await start();
  const { id } = await archive.post('/resource/ImageImport', {
    patientId: mortal.patientId,
    totalFilesCount: files.length,
  });
  const acknowledged = new Map<string, string>();
  for (const [index, bytes] of files.entries()) {
    const form = new FormData();
    form.append('id', id);
    form.append('file', new Blob([Uint8Array.from(bytes)]), `${index}.dcm`);
    const reply = await fetch(`${archive.url}/resource/ImageImport/dicom`, { method: 'POST', body: form });
    const { fileId, sha256 } = await reply.json();
    expect(sha256).toBe(createHash('sha256').update(bytes).digest('hex'));
    acknowledged.set(fileId, sha256);
  }

  await archive.kill();
  archive = await start();
  const waiting = await (await fetch(`${archive.url}/resource/ImageImport?patientId=${mortal.patientId}`)).json();
  expect(waiting).toMatchObject([{ id, step: 0 }]);
  expect(new Set(waiting[0].files.map((file: { id: string }) => file.id))).toEqual(new Set(acknowledged.keys()));

  // As if nothing had been read ahead during the upload.
  await mortal.db.updateTable('import_file').set({ status: 'received' }).where('task_id', '=', id).execute();
  await archive.post('/resource/ImageImport/dicom/parse', { id });
  await until(async () => (await countFiles(id, 'parsed')) >= 5);
  await archive.kill();
  expect(await countFiles(id, 'received')).toBeGreaterThan(0);

  archive = await start();
  await until(async () => (await archive.task(id)).step === 3);
  expect(await countFiles(id, 'parsed')).toBe(files.length);

  await archive.post('/resource/ImageImport/dicom/import', { id, mismatchConfirmed: false });
  await until(async () => (await countFiles(id, 'imported')) >= 5);
  await archive.kill();
  expect(await countFiles(id, 'parsed')).toBeGreaterThan(0);

  archive = await start();
  await until(async () => (await archive.task(id)).step === 5);
  const done = await archive.task(id);
  expect(done.error).toBe(false);
  expect(done.files.map(({ status }) => status)).toEqual(files.map(() => 'imported'));
  const imageIds = new Set(done.files.map(({ imageUid }) => imageUid));
  expect(imageIds.size).toBe(files.length);
  for (const { id: fileId, imageUid } of done.files) {
    const stored = await fetch(`${archive.url}/resource/viewset/get_image?imageUID=${imageUid}`);
    const hash = createHash('sha256')
      .update(new Uint8Array(await stored.arrayBuffer()))
      .digest('hex');
    expect(hash).toBe(acknowledged.get(fileId));
  }
  const { count } = await mortal.db
    .selectFrom('image')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow();
  expect(Number(count)).toBe(files.length);
  await until(async () => {
    const pending = await mortal.db.selectFrom('image').select('id').where('thumb_status', '=', 'pending').execute();
    return pending.length === 0;
  });
});
