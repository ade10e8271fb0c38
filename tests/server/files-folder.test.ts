import { cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { rename } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { folderWarnings } from '../../server/archive-folder/folder-warnings.ts';
import { archiveCommand } from './archive-command.ts';
import { type ArchiveUnderTest, archiveUnderTest } from './archive-under-test.ts';
import { type ChildServer, runToEnd, startChild } from './child-server.ts';
import { type TestDatabase, testDatabase, urlOf } from './database.ts';
import { smallObject } from './small-object.ts';

let folder: string;
let database: TestDatabase;
const running: ChildServer[] = [];
const open: { close(): Promise<void> }[] = [];

beforeEach(async () => {
  folder = mkdtempSync(path.join(os.tmpdir(), 'dentarium-folder-'));
  database = await testDatabase();
});
afterEach(async () => {
  for (const child of running.splice(0)) await child.stop('SIGTERM');
  for (const one of open.splice(0)) await one.close();
  await database.close();
  rmSync(folder, { recursive: true, force: true });
});

const pathOf = (name: string) => path.join(folder, name);
/** One address for all nodes of a database. */
const environmentOf = (test: TestDatabase) => ({
  DATABASE_URL: urlOf(test.address),
  DENTARIUM_PUBLIC_URL: 'https://archive.example',
});

const start = async (name: string, of = database): Promise<ChildServer> => {
  const child = await startChild(pathOf(name), [], environmentOf(of));
  running.push(child);
  return child;
};
const stop = async (child: ChildServer) => {
  running.splice(running.indexOf(child), 1);
  expect(await child.stop('SIGTERM')).toBe(0);
};
/** Output of a server that does not start. */
const startError = async (name: string, of = database) => {
  const { code, lines } = await runToEnd(['--data', pathOf(name), '--port', '0', '--empty'], environmentOf(of));
  expect(code).toBe(1);
  expect(lines).toHaveLength(1);
  return lines[0];
};

test('does not start with a foreign, empty or missing folder, and names it and the reason in one line', async () => {
  const first = await start('right');
  // A second node with the same folder may start.
  const second = await start('right');
  expect((await fetch(`${second.url}/health`)).status).toBe(200);
  expect(await startError('missing')).toBe(
    `The files folder ${pathOf('missing/files')} does not exist, but the database holds an archive: mount its disk, or name the right data folder with DENTARIUM_DATA`,
  );
  mkdirSync(pathOf('unmounted/files'), { recursive: true });
  expect(await startError('unmounted')).toContain(`${pathOf('unmounted/files')} is empty`);
  expect(readdirSync(pathOf('unmounted/files'))).toEqual([]);
  await stop(second);
  await stop(first);

  const other = await testDatabase();
  open.push(other);
  expect(await startError('right', other)).toContain(
    `${pathOf('right/files')} holds the files of an archive, but the database is new`,
  );
  await stop(await start('other', other));
  expect(await startError('other')).toContain(`${pathOf('other/files')} belongs to another database`);
  await stop(await start('right'));
});

test('does not start with an older copy of the folder until an administrator accepts the loss', async () => {
  await stop(await start('right'));
  cpSync(pathOf('right'), pathOf('copy'), { recursive: true });
  await stop(await start('right'));
  expect(await startError('copy')).toContain(`${pathOf('copy/files')} is an older copy than the database`);
  const accepted = await archiveCommand(
    ['quarantine', 'accept', '--data', pathOf('copy'), '--json'],
    environmentOf(database),
  );
  expect(accepted).toMatchObject({ code: 0, stdout: '{"accepted":"folder-older"}\n' });
  await stop(await start('copy'));
  // Now this one is behind.
  expect(await startError('right')).toContain('is an older copy');

  mkdirSync(pathOf('empty/files'), { recursive: true });
  cpSync(pathOf('right/master.key'), pathOf('empty/master.key'));
  const empty = (...more: string[]) =>
    archiveCommand(['quarantine', 'accept', '--data', pathOf('empty'), ...more], environmentOf(database));
  expect(await empty()).toMatchObject({ code: 1, stderr: expect.stringContaining('is empty') });
  expect(await empty('--empty')).toMatchObject({ code: 0, stderr: '' });
  await stop(await start('empty'));
});

const object = (number: number) =>
  smallObject({ SOPInstanceUID: `2.25.55${number}`, StudyInstanceUID: '2.25.5500', InstanceNumber: number });
const opened = async (extra: Parameters<typeof archiveUnderTest>[0] = {}) => {
  const archive = await archiveUnderTest({ leaseSeconds: 0.3, folderWatchMs: 50, ...extra });
  open.push(archive);
  return archive;
};
const statuses = async ({ db }: ArchiveUnderTest) => {
  const rows = await db.selectFrom('image').select(['thumb_status', 'rendition_status']).orderBy('id').execute();
  return rows.flatMap((row) => [row.thumb_status, row.rendition_status]);
};

test.each(['unmounted', 'exchanged for another'])(
  'a folder that is %s under a running server pauses work, which resumes by itself',
  async (how) => {
    const archive = await opened({ missingGraceMs: 60_000 });
    const patientId = await archive.addPatient();
    const root = path.join(archive.dataFolder, 'files');
    const files = Object.fromEntries(Array.from({ length: 12 }, (_, index) => [`${index}.dcm`, object(index)]));
    const id = await archive.begin(patientId, files);
    const late = await archive.begin(patientId, { 'first.dcm': object(100) });
    const isAvailable = () => archive.archive.folder.isAvailable();

    await rename(root, `${root}.away`);
    if (how === 'unmounted') mkdirSync(root);
    else cpSync(`${root}.away`, root, { recursive: true, filter: (source) => !source.endsWith('archive-id') });
    const before = readdirSync(root);
    // Even before the folder is checked again, nothing may be acknowledged into another folder.
    const sent = await archive.send(late, 'late.dcm', object(101));
    expect([sent.status, sent.headers.get('retry-after')]).toEqual([503, '2']);
    expect(await sent.json()).toMatchObject({ code: 'storage-unavailable' });
    await archive.post('/resource/ImageImport/dicom/parse', { id });
    await expect.poll(isAvailable).toBe(false);
    expect((await fetch(`${archive.url}/health/ready`)).status).toBe(503);
    expect((await fetch(`${archive.url}/health/live`)).status).toBe(200);
    expect(await folderWarnings(archive.db, archive.archive.folder)()).toMatchObject([
      { kind: 'files-folder-unavailable', reason: how === 'unmounted' ? 'empty' : 'unmarked' },
    ]);
    expect(readdirSync(root)).toEqual(before);
    await expect.poll(async () => (await archive.task(id)).files.map(({ status }) => status)).not.toContain('refused');

    rmSync(root, { recursive: true });
    await rename(`${root}.away`, root);
    await expect.poll(isAvailable).toBe(true);
    expect(await archive.waitForStep(id, 3)).toMatchObject({ step: 3, error: false });
    await archive.post('/resource/ImageImport/dicom/import', { id, mismatchConfirmed: true });
    const done = await archive.waitForStep(id, 5);
    const outcomes = done.files.map(({ status, detail }) => ({ status, detail }));
    expect(outcomes).toEqual(Array(12).fill({ status: 'imported', detail: null }));
    expect((await archive.send(late, 'late.dcm', object(101))).status).toBe(200);
    await expect.poll(() => statuses(archive), { timeout: 60_000 }).toEqual(Array(24).fill('ready'));
  },
);

test('does not reject import files that are missing temporarily', async () => {
  const archive = await opened({ missingGraceMs: 60_000 });
  const id = await archive.begin(await archive.addPatient(), { 'a.dcm': object(1), 'b.dcm': object(2) });
  const { sha256 } = await archive.db
    .selectFrom('import_file')
    .select('sha256')
    .where('task_id', '=', id)
    .where('path', '=', 'b.dcm')
    .executeTakeFirstOrThrow();
  const stored = path.join(archive.dataFolder, 'files', sha256?.slice(0, 2) ?? '', sha256 ?? '');
  await rename(stored, `${stored}.away`);
  await archive.post('/resource/ImageImport/dicom/parse', { id });
  await expect
    .poll(() => archive.failures.some((error) => String(error).includes('does not hold the bytes')))
    .toBe(true);
  expect((await archive.task(id)).files.map(({ status }) => status)).not.toContain('refused');
  await rename(`${stored}.away`, stored);
  const parsed = await archive.waitForStep(id, 3);
  expect(parsed.files.map(({ status }) => status)).toEqual(['parsed', 'parsed']);
});

const signal = new AbortController().signal;

/** An image whose stored file is missing and whose thumbnails failed. */
const withMissingFile = async () => {
  const first = await archiveUnderTest();
  open.push({ close: first.remove });
  await first.importAll(await first.addPatient(), { 'a.dcm': object(1) });
  await expect.poll(() => statuses(first), { timeout: 30_000 }).toEqual(['ready', 'ready']);
  await first.stop();
  const archive = await archiveUnderTest({}, first);
  open.unshift({ close: archive.stop });
  const { sha256 } = await archive.db.selectFrom('image').select('sha256').executeTakeFirstOrThrow();
  const stored = path.join(archive.dataFolder, 'files', sha256.slice(0, 2), sha256);
  await rename(stored, pathOf('taken'));
  for (const cache of ['thumbnails', 'renditions'])
    rmSync(path.join(archive.dataFolder, cache), { recursive: true, force: true });
  await archive.db.updateTable('image').set({ thumb_status: 'pending', rendition_status: 'pending' }).execute();
  archive.archive.thumbnails.wake();
  const recordedFaults = () => archive.db.selectFrom('stored_file_fault').select(['sha256', 'kind']).execute();
  await expect.poll(recordedFaults, { timeout: 30_000 }).toEqual([{ sha256, kind: 'missing' }]);
  expect(await statuses(archive)).toEqual(['pending', 'pending']);
  return { archive, stored };
};

test('derives images of a missing file after the integrity check finds it again', async () => {
  const { archive, stored } = await withMissingFile();
  await rename(pathOf('taken'), stored);
  await archive.archive.fileCheck.round(signal);
  await expect.poll(() => statuses(archive), { timeout: 60_000 }).toEqual(['ready', 'ready']);
});

test('retries failed thumbnails when they are due', async () => {
  const { archive, stored } = await withMissingFile();
  await rename(pathOf('taken'), stored);
  await archive.archive.fileCheck.round(signal);
  await expect.poll(() => statuses(archive), { timeout: 60_000 }).toEqual(['ready', 'ready']);
  const failed = { thumb_status: 'error', rendition_status: 'error', derive_attempts: 2 } as const;
  await archive.db
    .updateTable('image')
    .set({ ...failed, derive_retry_at: new Date() })
    .execute();
  await expect.poll(() => statuses(archive), { timeout: 60_000 }).toEqual(['ready', 'ready']);
  const row = await archive.db.selectFrom('image').selectAll().executeTakeFirstOrThrow();
  expect(row).toMatchObject({ derive_attempts: 0, derive_retry_at: null });
});

test('derives images of a missing file after it is uploaded again', async () => {
  const { archive } = await withMissingFile();
  await archive.archive.files.put(
    (async function* () {
      yield object(1);
    })(),
  );
  await expect.poll(() => statuses(archive), { timeout: 30_000 }).toEqual(['ready', 'ready']);
});

test('retries thumbnails that failed without a file error after a restart, and skips an undecodable one', async () => {
  const { archive, stored } = await withMissingFile();
  await rename(pathOf('taken'), stored);
  await archive.archive.fileCheck.round(signal);
  await archive.stop();
  await archive.db
    .updateTable('image')
    .set({ thumb_status: 'error', rendition_status: 'error', derive_final: true })
    .execute();
  const left = await archiveUnderTest({}, archive);
  await left.archive.thumbnails.idle();
  await left.stop();
  expect(await statuses(archive)).toEqual(['error', 'error']);
  await archive.db.updateTable('image').set({ derive_final: false, derive_retry_at: null }).execute();
  const again = await archiveUnderTest({}, archive);
  open.unshift({ close: again.stop });
  await expect.poll(() => statuses(archive), { timeout: 30_000 }).toEqual(['ready', 'ready']);
});
