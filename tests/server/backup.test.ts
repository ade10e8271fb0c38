import { cp, mkdir, readdir, readFile, rename, rm, truncate, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { createKey } from '../../server/backup/encryption.ts';
import { checkBackup, openBackup } from '../../server/backup/read-backup.ts';
import { writeBackup } from '../../server/backup/write-backup.ts';
import { archiveUnderTest } from './archive-under-test.ts';
import { backupUnderTest, inodeOf, noPassphrase, object, passphrase, rootOf, storedIn } from './backup-under-test.ts';
import { contentsOf, fillTables } from './fill-tables.ts';

const test = backupUnderTest();
const { folder, optionsFor, imageHashes, restoreTo } = test;

/** Columns of hashes of stored files. */
const hashColumns = [
  ['image', 'sha256'],
  ['image', 'original_sha256'],
  ['import_file', 'sha256'],
  ['import_part', 'sha256'],
] as const;

describe('a backup of every table', () => {
  it('restores all rows, sequences, triggers and their modes', async () => {
    const source = await test.newDatabase();
    await fillTables(source.db);
    for (const [table, column] of hashColumns)
      await sql`update ${sql.table(table)} set ${sql.ref(column)} = encode(sha256(convert_to(${sql.ref(column)}, 'UTF8')), 'hex')`.execute(
        source.db,
      );
    const to = await folder();
    await writeBackup({ ...optionsFor(to), database: source.database });
    const { target, result } = await restoreTo(to);
    const [before, after] = [await contentsOf(source.db), await contentsOf(target.db)];
    const ofSignIns = ['oidc', 'pending_sign_in', 'sign_in_attempt', 'password_reset', 'shared_link_opening'];
    const empty = [
      ...ofSignIns,
      'letter',
      'backup_run',
      'node',
      'derive_claim',
      'dicom_sending',
      'dicom_sending_image',
      'commitment_request',
      'dicom_fetch',
      'dicom_fetch_study',
      'dicom_fetch_image',
    ];
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
      expect(await readFile(storedIn(root, sha256))).toEqual(await readFile(storedIn(rootOf(test.archive), sha256)));
    const restored = await archiveUnderTest({}, { ...test.archive, database: target, dataFolder: path.dirname(root) });
    await restored.importAll(test.patientId, { 'three.dcm': object(3) });
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
    await cp(rootOf(test.archive), root, { recursive: true });
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
    await cp(rootOf(test.archive), root, { recursive: true });
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
    expect(await readFile(storedIn(root, sha256))).toEqual(await readFile(storedIn(rootOf(test.archive), sha256)));
  });

  it('links files when it is incremental', async () => {
    const to = await folder();
    await createKey(to, passphrase);
    const { folder: first } = await writeBackup(optionsFor(to));
    await rename(first, path.join(to, '2020-01-01T00-00-00Z'));
    expect(await writeBackup(optionsFor(to, true))).toMatchObject({ copied: 0, linked: 2 });
  });
});
