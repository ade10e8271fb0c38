import { existsSync } from 'node:fs';
import { mkdir, readdir, rename } from 'node:fs/promises';
import path from 'node:path';
import { afterEach, expect, test } from 'vitest';
import type { SystemWarning } from '../../contract/system-status.ts';
import { folderWarnings } from '../../server/archive-folder/folder-warnings.ts';
import { advanceGeneration, matchFolder } from '../../server/archive-folder/open-folder.ts';
import { type Swept, sweepOrphans } from '../../server/imports/sweep.ts';
import { openPartDrafts } from '../../server/storage/part-drafts.ts';
import { archiveCommand } from './archive-command.ts';
import { type ArchiveUnderTest, archiveUnderTest, type Installation } from './archive-under-test.ts';
import { copyDatabase, urlOf } from './database.ts';
import { smallObject } from './small-object.ts';

const open: { close(): Promise<void> }[] = [];
afterEach(async () => {
  for (const one of open.splice(0).reverse()) await one.close();
});

/** Every unreferenced file counts as old. */
const retention = { orphanMs: -1, keepMs: 7 * 24 * 60 * 60 * 1000, quarantineDays: 30 };
const filesOf = ({ dataFolder }: Pick<Installation, 'dataFolder'>) => path.join(dataFolder, 'files');
const pathOf = (installation: Installation, sha256: string) =>
  path.join(filesOf(installation), sha256.slice(0, 2), sha256);

const object = (number: number) =>
  smallObject({ SOPInstanceUID: `2.25.88${number}`, StudyInstanceUID: `2.25.99${number}` });

const hashOf = async (archive: ArchiveUnderTest, number: number): Promise<string> => {
  const uid = `2.25.88${number}`;
  const row = await archive.db.selectFrom('image').select('sha256').where('sop_instance_uid', '=', uid);
  return (await row.executeTakeFirstOrThrow()).sha256;
};

/** Results of the sweeps of a newly opened archive. */
const sweepsOf = () => {
  const swept: Swept[] = [];
  return {
    onSwept: (one: Swept) => void swept.push(one),
    first: () => expect.poll(() => swept[0]),
  };
};

/** An archive with one image; a copy of its database; two more images; then the archive with the copy. */
const withOlderDatabase = async () => {
  const first = await archiveUnderTest();
  open.push({ close: first.remove });
  const patientId = await first.addPatient();
  await first.importAll(patientId, { 'one.dcm': object(1) });
  const named = await hashOf(first, 1);
  await first.stop();
  const copy = await copyDatabase(first.database);
  open.push(copy);
  // Not with `retention`: its first sweep could take a file that is being imported for an old one.
  const second = await archiveUnderTest({}, first);
  await second.importAll(patientId, { 'two.dcm': object(2), 'three.dcm': object(3) });
  const later = [await hashOf(second, 2), await hashOf(second, 3)];
  await second.stop();
  const installation: Installation = { ...first, database: copy };
  const sweeps = sweepsOf();
  const archive = await archiveUnderTest({ importRetention: retention, onSwept: sweeps.onSwept }, installation);
  open.push({ close: archive.stop });
  return { archive, installation, sweeps, patientId, named, later, newer: first.database };
};

const command = (installation: Installation, ...args: string[]) =>
  archiveCommand(['quarantine', ...args, '--data', installation.dataFolder, '--json'], {
    DATABASE_URL: urlOf(installation.database.address),
  });
const sweepNow = async ({ database: { db }, dataFolder }: Installation): Promise<Swept> => {
  const root = path.join(dataFolder, 'files');
  return sweepOrphans({ db, root, drafts: await openPartDrafts(root), retention: retention });
};
const warnings = (archive: ArchiveUnderTest): Promise<readonly SystemWarning[]> =>
  folderWarnings(archive.db, archive.archive.folder)();

test('an older copy of the database: nothing is swept, administrators are warned, and the files can be adopted', async () => {
  const { archive, installation, sweeps, patientId, later, named } = await withOlderDatabase();
  await sweeps.first().toMatchObject({ files: 0, tasks: 0, unnamed: 2 });
  for (const sha256 of [named, ...later]) expect(existsSync(pathOf(installation, sha256))).toBe(true);
  const sizeBytes = object(2).byteLength + object(3).byteLength;
  expect(await warnings(archive)).toMatchObject([{ kind: 'database-older-than-files', files: 2, sizeBytes }]);
  // Not only at the first start.
  await archive.archive.folder.check();
  expect(await sweepNow(installation)).toMatchObject({ files: 0, unnamed: 2 });

  const rejected = await command(installation, 'purge', '--all');
  expect(rejected).toMatchObject({ code: 1, stdout: '' });
  expect(rejected.stderr).toMatch(/^The database is older than the files/);

  const adopted = await command(installation, 'adopt', '--clinic', 'Provkliniken', '--user', 'Doctor@prov.example');
  expect(adopted).toMatchObject({ code: 0, stderr: '' });
  const { imports } = JSON.parse(adopted.stdout);
  expect(JSON.parse(adopted.stdout)).toMatchObject({ files: 2, databaseOlder: false, imports: [{ files: 2 }] });
  expect(await warnings(archive)).toEqual([]);

  // In the user's tray, where the user assigns the patient.
  const id: string = imports[0].id;
  const parsed = await archive.waitForStep(id, 3);
  expect(parsed).toMatchObject({ step: 3, error: false, patientId: null });
  const tray = await archive.call(`/resource/ImageImport?customerId=${archive.clinics.customerId}`);
  expect((await tray.json()).map((task: { id: string }) => task.id)).toEqual([id]);
  for (const { key } of parsed.studies)
    await archive.post('/resource/ImageImport/decide', { id, key, patientId, mismatchConfirmed: true });
  expect((await archive.post('/resource/ImageImport/dicom/import', { id, mismatchConfirmed: true })).status).toBe(200);
  expect(await archive.waitForStep(id, 5)).toMatchObject({
    error: false,
    files: [{ status: 'imported' }, { status: 'imported' }],
  });
  expect([await hashOf(archive, 2), await hashOf(archive, 3)]).toEqual(later);
  const image = await archive.db
    .selectFrom('image')
    .select('id')
    .where('sha256', '=', later[0] ?? '')
    .executeTakeFirstOrThrow();
  const stored = await archive.call(`/resource/viewset/get_image?imageUID=${image.id}`);
  expect(Buffer.from(await stored.arrayBuffer()).equals(object(2))).toBe(true);
  expect(await sweepNow(installation)).toMatchObject({ files: 0, unnamed: 0 });
});

test('accepting the older database quarantines its unreferenced files, from where they can be adopted or restored', async () => {
  const { archive, installation, sweeps, later, named } = await withOlderDatabase();
  await sweeps.first().toMatchObject({ unnamed: 2 });
  expect(JSON.parse((await command(installation, 'accept')).stdout)).toEqual({ accepted: 'database-older' });
  const swept = await sweepNow(installation);
  expect(swept).toMatchObject({ files: 2, quarantined: 2, removed: 0 });
  const today = new Date().toISOString().slice(0, 10);
  const quarantined = (day: string) => readdir(path.join(filesOf(installation), 'quarantine', day));
  expect((await quarantined(today)).sort()).toEqual([...later].sort());
  expect(existsSync(pathOf(installation, named))).toBe(true);
  expect(await warnings(archive)).toMatchObject([{ kind: 'quarantined-files', files: 2 }]);
  const listed = JSON.parse((await command(installation, 'list')).stdout);
  expect(listed).toMatchObject({ state: 'same', quarantine: [{ day: today, files: 2 }], withoutRecord: { files: 0 } });

  // Requested by its hash, and restored.
  const [two = '', three = ''] = later;
  expect(await archive.archive.files.sizeOf(two)).toBe(object(2).byteLength);
  expect(await quarantined(today)).toEqual([three]);
  await archive.importAll(
    await archive.addPatient({ customerId: archive.clinics.customerId, personalNumber: '19700101-1234' }),
    {
      'three.dcm': object(3),
    },
  );
  expect(existsSync(pathOf(installation, three))).toBe(true);
  expect((await sweepNow(installation)).restored).toBe(1);

  // The other one is quarantined again, and restored by the command.
  expect(await quarantined(today)).toEqual([two]);
  const adopted = await command(
    installation,
    'adopt',
    '--clinic',
    installation.clinics.customerId,
    '--user',
    'doctor@prov.example',
  );
  expect(JSON.parse(adopted.stdout)).toMatchObject({ files: 1, leftInQuarantine: 0 });
  expect(existsSync(pathOf(installation, two))).toBe(true);
});

test('the quarantine keeps files for 30 days and then deletes the unreferenced ones', async () => {
  const { installation, sweeps, later } = await withOlderDatabase();
  await sweeps.first().toMatchObject({ unnamed: 2 });
  await command(installation, 'accept');
  await sweepNow(installation);
  const quarantine = path.join(filesOf(installation), 'quarantine');
  const dayBefore = (days: number) => new Date(Date.now() - days * 24 * 60 * 60 * 1000).toISOString().slice(0, 10);
  await rename(path.join(quarantine, dayBefore(0)), path.join(quarantine, dayBefore(30)));
  expect(await sweepNow(installation)).toMatchObject({ removed: 0, quarantined: 2 });
  const [day] = await readdir(quarantine);
  await mkdir(path.join(quarantine, dayBefore(32)));
  for (const sha256 of later)
    await rename(path.join(quarantine, day ?? '', sha256), path.join(quarantine, dayBefore(32), sha256));
  expect(await sweepNow(installation)).toMatchObject({ removed: 2, quarantined: 0 });
  expect(await readdir(quarantine)).toEqual([]);
});

test('the newer database can be restored: all its files are present', async () => {
  const { archive, installation, sweeps, later, newer } = await withOlderDatabase();
  await sweeps.first().toMatchObject({ unnamed: 2 });
  await archive.stop();
  const back = sweepsOf();
  const again = await archiveUnderTest(
    { importRetention: retention, onSwept: back.onSwept },
    { ...installation, database: newer },
  );
  open.push({ close: again.stop });
  await back.first().toMatchObject({ files: 0, unnamed: 0 });
  await expect.poll(() => warnings(again)).toEqual([]);
  for (const sha256 of later) expect(await again.archive.files.sizeOf(sha256)).not.toBeNull();
});

test('a node that stops between the two counter writes never makes an archive look older', async () => {
  const archive = await archiveUnderTest();
  open.push(archive);
  const { db } = archive;
  const root = filesOf(archive);
  const raise = (by: number) =>
    db
      .updateTable('archive_files')
      .set(({ eb }) => ({ generation: eb('generation', '+', by) }))
      .execute();
  for (let run = 0; run < 5; run++) {
    // The database was written first and the folder never followed; several times over.
    await raise(1);
    expect(await matchFolder(db, root)).toEqual({ kind: 'same' });
  }
  await advanceGeneration(db, root);
  expect(await matchFolder(db, root)).toEqual({ kind: 'same' });
  const row = await db.selectFrom('archive_files').selectAll().executeTakeFirstOrThrow();
  expect(row.confirmed).toBe(row.generation);
  // The folder has followed, and the database does not know it yet.
  await db
    .updateTable('archive_files')
    .set({ confirmed: row.generation - 1 })
    .execute();
  expect(await matchFolder(db, root)).toEqual({ kind: 'same' });
  expect(row.older_since).toBeNull();
});

test('nodes that advance the counters concurrently remain one archive', async () => {
  const archive = await archiveUnderTest();
  open.push(archive);
  const root = filesOf(archive);
  await Promise.all(Array.from({ length: 24 }, () => advanceGeneration(archive.db, root)));
  const row = await archive.db.selectFrom('archive_files').selectAll().executeTakeFirstOrThrow();
  expect(row).toMatchObject({ confirmed: row.generation, older_since: null });
  expect(await matchFolder(archive.db, root)).toEqual({ kind: 'same' });
});

test('the command explains itself and rejects invalid arguments with exit code 2', async () => {
  const help = await archiveCommand(['quarantine', '--help']);
  expect(help).toMatchObject({ code: 0, stderr: '' });
  for (const word of ['list', 'adopt', 'purge', 'accept', '--clinic', '--json']) expect(help.stdout).toContain(word);
  expect((await archiveCommand(['--help'])).stdout).toContain('quarantine');
  for (const args of [
    ['nothing'],
    ['quarantine'],
    ['quarantine', 'purge'],
    ['quarantine', 'adopt'],
    ['quarantine', 'list', '--x'],
  ])
    expect((await archiveCommand(args)).code, args.join(' ')).toBe(2);
});
