import { cp, mkdir, mkdtemp, readdir, readFile, rename, rm, stat, truncate, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { createKey } from '../../server/backup/encryption.ts';
import { backupFolders } from '../../server/backup/layout.ts';
import { checkBackup, openBackup } from '../../server/backup/read-backup.ts';
import { restoreBackup } from '../../server/backup/restore-backup.ts';
import { type BackupOptions, writeBackup } from '../../server/backup/write-backup.ts';
import { archiveCommand } from './archive-command.ts';
import { type ArchiveUnderTest, archiveUnderTest } from './archive-under-test.ts';
import { testDatabase, urlOf } from './database.ts';
import { contentsOf, fillTables } from './fill-tables.ts';
import { smallObject } from './small-object.ts';

const temporary: string[] = [];
const folder = async (): Promise<string> => {
  const made = await mkdtemp(path.join(os.tmpdir(), 'dentarium-backup-'));
  temporary.push(made);
  return made;
};
const open: { close(): Promise<void> }[] = [];
afterEach(async () => {
  for (const one of open.splice(0).reverse()) await one.close();
});

const object = (number: number) =>
  smallObject({ SOPInstanceUID: `2.25.88${number}`, StudyInstanceUID: `2.25.99${number}` });
const noPassphrase = () => Promise.reject(new Error('not encrypted'));
const passphrase = 'three plain words here';

let archive: ArchiveUnderTest;
let patientId: string;
beforeAll(async () => {
  archive = await archiveUnderTest();
  patientId = await archive.addPatient();
  await archive.importAll(patientId, { 'one.dcm': object(1), 'two.dcm': object(2) });
});
afterAll(async () => {
  await archive.remove();
  for (const one of temporary) await rm(one, { recursive: true, force: true });
});

const rootOf = ({ dataFolder }: { readonly dataFolder: string }) => path.join(dataFolder, 'files');
const optionsFor = (to: string, incremental = false): BackupOptions => ({
  database: archive.database.database,
  root: rootOf(archive),
  to,
  incremental,
  version: '0.0.0',
  keepMs: 1e9,
  onProgress: () => undefined,
});
const imageHashes = async () =>
  (await archive.db.selectFrom('image').select('sha256').orderBy('sha256').execute()).map(({ sha256 }) => sha256);
const storedIn = (root: string, sha256: string) => path.join(root, sha256.slice(0, 2), sha256);
const inodeOf = async (file: string) => (await stat(file)).ino;

const emptyInstallation = async () => {
  const target = await testDatabase();
  open.push(target);
  for (const statement of ['drop schema public cascade', 'create schema public'])
    await sql.raw(statement).execute(target.db);
  return { target, root: path.join(await folder(), 'files') };
};

const openNewest = async (from: string, ask: () => Promise<string> = noPassphrase) => {
  const [newest = ''] = await backupFolders(from);
  return openBackup(newest, ask);
};

const restoreTo = async (from: string, ask: () => Promise<string> = noPassphrase) => {
  const { target, root } = await emptyInstallation();
  const backup = await openNewest(from, ask);
  const result = await restoreBackup({ backup, database: target.database, root, onProgress: () => undefined });
  return { target, root, result };
};

/** Columns of hashes of stored files. */
const hashColumns = [
  ['image', 'sha256'],
  ['image', 'original_sha256'],
  ['import_file', 'sha256'],
  ['import_part', 'sha256'],
] as const;

describe('a backup of every table', () => {
  it('restores all rows, sequences, triggers and their modes', async () => {
    const source = await testDatabase();
    open.push(source);
    await fillTables(source.db);
    for (const [table, column] of hashColumns)
      await sql`update ${sql.table(table)} set ${sql.ref(column)} = encode(sha256(convert_to(${sql.ref(column)}, 'UTF8')), 'hex')`.execute(
        source.db,
      );
    const to = await folder();
    await writeBackup({ ...optionsFor(to), database: source.database });
    const { target, result } = await restoreTo(to);
    const [before, after] = [await contentsOf(source.db), await contentsOf(target.db)];
    const empty = ['oidc', 'pending_sign_in', 'sign_in_attempt', 'password_reset', 'letter', 'backup_run', 'node'];
    for (const name of empty) expect([name, after[name]]).toEqual([name, []]);
    // The mark of the archive is made when the folder is paired.
    for (const name of Object.keys(before).filter((one) => ![...empty, 'kysely_migration', 'seed_state'].includes(one)))
      expect([name, after[name]]).toEqual([name, before[name]]);
    expect(result.absent.length).toBeGreaterThan(0);
    const triggers = async ({ db }: typeof source) =>
      (await sql`select tgname, tgenabled from pg_trigger where not tgisinternal order by 1, 2`.execute(db)).rows;
    expect(await triggers(target)).toEqual(await triggers(source));
    const newest = async ({ db }: typeof source) =>
      (await sql<{ id: number }>`select max(id)::int as id from access_log`.execute(db)).rows[0]?.id ?? 0;
    const { rows } = await sql<{ id: number }>`
      insert into access_log (account_id, action) select account_id, action from access_log limit 1 returning id::int`.execute(
      target.db,
    );
    expect(rows[0]?.id).toBe((await newest(source)) + 1);
  });
});

describe('a backup of an archive', () => {
  it('restores images byte for byte while the archive goes on, and the restored archive accepts imports', async () => {
    const to = await folder();
    const written = await writeBackup(optionsFor(to));
    expect(written).toMatchObject({ files: 2, copied: 2, linked: 0, absent: [], encrypted: false });
    const { target, root, result } = await restoreTo(to);
    expect(result).toMatchObject({ files: 2, absent: [] });
    for (const sha256 of await imageHashes())
      expect(await readFile(storedIn(root, sha256))).toEqual(await readFile(storedIn(rootOf(archive), sha256)));
    const restored = await archiveUnderTest({}, { ...archive, database: target, dataFolder: path.dirname(root) });
    await restored.importAll(patientId, { 'three.dcm': object(3) });
    expect(await restored.db.selectFrom('image').select('id').execute()).toHaveLength(3);
    await restored.stop();
  });

  it('links the files of the backup before it when it is incremental, and copies them when it is not', async () => {
    const to = await folder();
    const first = await writeBackup(optionsFor(to));
    const [sha256 = ''] = await imageHashes();
    const secondLater = () =>
      expect.poll(() => Math.floor(Date.now() / 1000)).toBeGreaterThan(Date.parse(first.at) / 1000);
    await secondLater();
    const second = await writeBackup(optionsFor(to, true));
    expect(second).toMatchObject({ files: 2, copied: 0, linked: 2 });
    const of = (one: { folder: string }) => inodeOf(storedIn(path.join(one.folder, 'files'), sha256));
    expect(await of(second)).toBe(await of(first));
    await rm(first.folder, { recursive: true });
    expect(
      await checkBackup(await openBackup(second.folder, noPassphrase), { full: true, onProgress: () => undefined }),
    ).toEqual([]);
  });

  it('copies a file again that the backup before it has with another size', async () => {
    const to = await folder();
    const first = await writeBackup(optionsFor(to));
    const [sha256 = ''] = await imageHashes();
    await truncate(storedIn(path.join(first.folder, 'files'), sha256), 10);
    await rename(first.folder, path.join(to, '2020-01-01T00-00-00Z'));
    expect(await writeBackup(optionsFor(to, true))).toMatchObject({ copied: 1, linked: 1, absent: [] });
  });

  it('continues an interrupted backup', async () => {
    const to = await folder();
    const { folder: first } = await writeBackup(optionsFor(to));
    const partial = path.join(to, '2020-01-01T00-00-00Z.partial');
    await rename(first, partial);
    await rm(path.join(partial, 'manifest.json'));
    await writeFile(path.join(partial, 'referenced'), 'unfinished');
    expect(await writeBackup(optionsFor(to, true))).toMatchObject({ copied: 0, linked: 2 });
    expect(await readdir(to)).toHaveLength(1);
  });

  it('reports a damaged and a missing file, and takes them from the backup before', async () => {
    const [damaged = '', missing = ''] = await imageHashes();
    const to = await folder();
    const { folder: first } = await writeBackup(optionsFor(to));
    await rename(first, path.join(to, '2020-01-01T00-00-00Z'));
    const root = path.join(await folder(), 'files');
    await cp(rootOf(archive), root, { recursive: true });
    const bytes = await readFile(storedIn(root, damaged));
    bytes[bytes.length - 1] = (bytes.at(-1) ?? 0) ^ 1;
    await writeFile(storedIn(root, damaged), bytes);
    await rm(storedIn(root, missing));
    const alone = await writeBackup({ ...optionsFor(await folder()), root });
    expect(alone.absent).toEqual([
      { sha256: damaged, problem: 'damaged' },
      { sha256: missing, problem: 'missing' },
    ]);
    expect(await writeBackup({ ...optionsFor(to, true), root })).toMatchObject({ linked: 2, absent: [] });
  });

  it('finds a file that was moved to the quarantine after the snapshot', async () => {
    const [sha256 = ''] = await imageHashes();
    const root = path.join(await folder(), 'files');
    await cp(rootOf(archive), root, { recursive: true });
    await mkdir(path.join(root, 'quarantine', '2026-01-01'), { recursive: true });
    await rename(storedIn(root, sha256), path.join(root, 'quarantine', '2026-01-01', sha256));
    expect(await writeBackup({ ...optionsFor(await folder()), root })).toMatchObject({ files: 2, absent: [] });
  });
});

describe('an encrypted backup', () => {
  it('holds no readable bytes, is written without the passphrase and restored with it only', async () => {
    const to = await folder();
    await createKey(to, passphrase);
    const written = await writeBackup(optionsFor(to));
    expect(written.encrypted).toBe(true);
    const [sha256 = ''] = await imageHashes();
    const stored = await readFile(storedIn(path.join(written.folder, 'files'), sha256));
    expect(stored.subarray(0, 21).toString()).toBe('age-encryption.org/v1');
    expect((await readFile(path.join(written.folder, 'database', 'patient.gz'))).subarray(0, 3).toString()).toBe('age');
    await expect(openBackup(written.folder, async () => 'another passphrase')).rejects.toThrow(
      'The passphrase of the backup is wrong',
    );
    const { root, result } = await restoreTo(to, async () => passphrase);
    expect(result).toMatchObject({ files: 2, absent: [] });
    expect(await readFile(storedIn(root, sha256))).toEqual(await readFile(storedIn(rootOf(archive), sha256)));
  });

  it('links files when it is incremental', async () => {
    const to = await folder();
    await createKey(to, passphrase);
    const { folder: first } = await writeBackup(optionsFor(to));
    await rename(first, path.join(to, '2020-01-01T00-00-00Z'));
    expect(await writeBackup(optionsFor(to, true))).toMatchObject({ copied: 0, linked: 2 });
  });
});

describe('the restore', () => {
  it('changes nothing in a database or a folder that is not empty', async () => {
    const to = await folder();
    await writeBackup(optionsFor(to));
    const backup = await openNewest(to);
    const { target, root } = await emptyInstallation();
    const onProgress = () => undefined;
    await expect(restoreBackup({ backup, database: archive.database.database, root, onProgress })).rejects.toThrow(
      /The database is not empty: nothing was changed. It has 2 clinics, 4 users, 1 patients and 2 images \(the newest of /,
    );
    await mkdir(root, { recursive: true });
    await writeFile(path.join(root, 'something'), '');
    await expect(restoreBackup({ backup, database: target.database, root, onProgress })).rejects.toThrow(
      'is not empty',
    );
    expect(await readdir(root)).toEqual(['something']);
  });

  it('stops before it changes anything when the copy of the database is damaged', async () => {
    const to = await folder();
    const { folder: written } = await writeBackup(optionsFor(to));
    await truncate(path.join(written, 'database', 'patient.gz'), 20);
    await expect(restoreTo(to)).rejects.toThrow(/patient.gz is damaged: nothing was changed/);
  });

  it('restores the other files when one is damaged, and names it', async () => {
    const to = await folder();
    const { folder: written } = await writeBackup(optionsFor(to));
    const [sha256 = ''] = await imageHashes();
    const file = storedIn(path.join(written, 'files'), sha256);
    const bytes = await readFile(file);
    bytes[200] = (bytes[200] ?? 0) ^ 1;
    await writeFile(file, bytes);
    const { result } = await restoreTo(to);
    expect(result).toMatchObject({ files: 1, absent: [{ sha256, problem: 'damaged' }] });
  });
});

describe('the commands', () => {
  it('back up and restore through DATABASE_URL, and reject wrong usage', async () => {
    const to = await folder();
    const environment = { DENTARIUM_DATA: archive.dataFolder, DATABASE_URL: urlOf(archive.database.address) };
    const backup = await archiveCommand(['backup', '--to', to, '--json'], environment);
    expect([backup.code, JSON.parse(backup.stdout)]).toMatchObject([0, { files: 2, copied: 2, absent: [] }]);
    const check = await archiveCommand(['restore', '--from', to, '--check'], environment);
    expect([check.code, check.stdout]).toEqual([
      0,
      expect.stringMatching(/faults: \[\]\nEvery file of the backup is intact\.\n$/),
    ]);
    const refused = await archiveCommand(['restore', '--from', to], environment);
    expect([refused.code, refused.stderr]).toEqual([1, expect.stringContaining('The database is not empty')]);
    expect((await archiveCommand(['backup'], environment)).code).toBe(2);
    const elsewhere = await archiveCommand(['backup', '--to', to, '--data', await folder()], environment);
    expect([elsewhere.code, elsewhere.stderr]).toEqual([1, expect.stringContaining('does not exist')]);
    const { target, root } = await emptyInstallation();
    const restored = await archiveCommand(['restore', '--from', to, '--json'], {
      DENTARIUM_DATA: path.dirname(root),
      DATABASE_URL: urlOf(target.address),
    });
    expect([restored.code, JSON.parse(restored.stdout)]).toMatchObject([0, { files: 2, patients: 1, absent: [] }]);
  });

  it('keep the passphrase out of the folder and ask for none without a terminal', async () => {
    const to = await folder();
    const environment = { DENTARIUM_DATA: archive.dataFolder, DATABASE_URL: urlOf(archive.database.address) };
    const encrypted = { ...environment, DENTARIUM_BACKUP_PASSPHRASE: passphrase };
    expect((await archiveCommand(['backup', '--to', to, '--encrypt'], encrypted)).code).toBe(0);
    const without = await archiveCommand(['restore', '--from', to, '--check'], environment);
    expect([without.code, without.stderr]).toEqual([2, expect.stringContaining('DENTARIUM_BACKUP_PASSPHRASE')]);
    expect((await archiveCommand(['restore', '--from', to, '--check'], encrypted)).code).toBe(0);
    const plain = await folder();
    await archiveCommand(['backup', '--to', plain], environment);
    const mixed = await archiveCommand(['backup', '--to', plain, '--encrypt'], encrypted);
    expect([mixed.code, mixed.stderr]).toEqual([1, expect.stringContaining('without encryption')]);
  });
});
