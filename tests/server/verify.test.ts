import { cp, mkdtemp, readdir, readFile, rm, utimes, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { sealAccesses } from '../../server/db/stores/access-log-seals.ts';
import { sealKey } from '../../server/db/stores/seal-key.ts';
import { archiveCommand } from './archive-command.ts';
import { type ArchiveUnderTest, archiveUnderTest } from './archive-under-test.ts';
import { urlOf } from './database.ts';
import { smallObject } from './small-object.ts';
import { vaultUnderTest } from './vault-under-test.ts';

let archive: ArchiveUnderTest;
let backups: string;
let hashes: readonly string[];

const environment = () => ({ DENTARIUM_DATA: archive.dataFolder, DATABASE_URL: urlOf(archive.database.address) });
const command = async (...args: string[]) => {
  const { code, stdout, stderr } = await archiveCommand([...args, '--json'], environment());
  return { code, stderr, report: stdout ? JSON.parse(stdout) : null };
};
const pathOf = (sha256: string) => path.join(archive.dataFolder, 'files', sha256.slice(0, 2), sha256);

beforeAll(async () => {
  backups = await mkdtemp(path.join(os.tmpdir(), 'dentarium-verify-'));
  archive = await archiveUnderTest();
  const patientId = await archive.addPatient();
  const objects = [1, 2, 3].map((number) => [
    `${number}.dcm`,
    smallObject({ SOPInstanceUID: `2.25.88${number}`, StudyInstanceUID: `2.25.99${number}` }),
  ]);
  await archive.importAll(patientId, Object.fromEntries(objects));
  const rows = await archive.db.selectFrom('image').select('sha256').orderBy('sha256').execute();
  hashes = rows.map(({ sha256 }) => sha256);
  await command('backup', '--to', backups);
});
afterAll(async () => {
  await archive.remove();
  await rm(backups, { recursive: true, force: true });
});

const harm = async () => {
  const [flipped = '', cut = '', gone = ''] = hashes;
  const bytes = await readFile(pathOf(flipped));
  bytes[300] = (bytes[300] ?? 0) ^ 4;
  await writeFile(pathOf(flipped), bytes);
  await writeFile(pathOf(cut), (await readFile(pathOf(cut))).subarray(0, -1));
  await rm(pathOf(gone));
  return { flipped, cut, gone };
};

it('finds nothing in an intact archive', async () => {
  expect(await command('verify', '--full')).toMatchObject({
    code: 0,
    report: { files: 3, compared: 'every byte', faults: [], withoutRecord: 0, alteredAccessLogSeals: [] },
  });
});

it('finds missing files and wrong sizes quickly, and every changed byte with --full; repairs all from a backup', async () => {
  const { flipped, cut, gone } = await harm();
  const ofSizes = [
    { sha256: cut, problem: 'damaged' },
    { sha256: gone, problem: 'missing' },
  ];
  expect(await command('verify')).toMatchObject({ code: 3, report: { faults: ofSizes } });
  const all = [{ sha256: flipped, problem: 'damaged' }, ...ofSizes];
  expect(await command('verify', '--full')).toMatchObject({ code: 3, report: { faults: all } });
  expect(await command('verify', '--full', '--repair', '--from', backups)).toMatchObject({
    code: 0,
    report: { faults: [], repaired: [flipped, cut, gone] },
  });
  expect(await command('verify', '--full')).toMatchObject({ code: 0, report: { faults: [] } });
});

it('leaves a file damaged that the backup has damaged too, and says so', async () => {
  const [sha256 = ''] = hashes;
  const intact = await readFile(pathOf(sha256));
  const copy = await mkdtemp(path.join(os.tmpdir(), 'dentarium-verify-'));
  await cp(backups, copy, { recursive: true });
  const [name = ''] = await readdir(copy);
  await writeFile(path.join(copy, name, 'files', sha256.slice(0, 2), sha256), 'other bytes');
  await rm(pathOf(sha256));
  expect(await command('verify', '--repair', '--from', copy)).toMatchObject({
    code: 3,
    report: { faults: [{ sha256, problem: 'missing' }], repaired: [] },
  });
  await writeFile(pathOf(sha256), intact);
  await rm(copy, { recursive: true });
});

it('counts files without a record', async () => {
  const unnamed = 'ab'.repeat(32);
  await writeFile(pathOf(unnamed), 'bytes');
  const old = new Date('2020-01-01');
  await utimes(pathOf(unnamed), old, old);
  expect(await command('verify')).toMatchObject({ code: 0, report: { withoutRecord: 1 } });
  await rm(pathOf(unnamed));
});

it('finds entries of the access log that were changed after they were sealed', async () => {
  const { db } = archive;
  const account = await db.selectFrom('account').select('id').executeTakeFirstOrThrow();
  await db
    .insertInto('access_log')
    .values({ account_id: account.id, action: 'patient.opened' } as never)
    .execute();
  const seal = await sealAccesses(db, await sealKey(db, vaultUnderTest()), new AbortController().signal);
  await sql`alter table access_log disable trigger access_log_never_updated`.execute(db);
  await sql`update access_log set detail = 'changed' where id = (select max(id) from access_log)`.execute(db);
  await sql`alter table access_log enable always trigger access_log_never_updated`.execute(db);
  expect(await command('verify')).toMatchObject({ code: 3, report: { alteredAccessLogSeals: [seal?.id] } });
});

it('compares the access log with anchors that were kept elsewhere', async () => {
  const { report: anchor } = await command('anchor');
  expect(anchor).toMatchObject({ seal: expect.any(Number), mac: expect.stringMatching(/^[\da-f]{64}$/) });
  const file = path.join(backups, 'anchors.txt');
  await writeFile(file, `${JSON.stringify(anchor)}\n`);
  expect((await command('verify', '--anchor', file)).report.accessLogSealsUnlikeAnchor).toEqual([]);
  await writeFile(file, `${JSON.stringify({ ...anchor, mac: '0'.repeat(64) })}\n`);
  expect(await command('verify', '--anchor', file)).toMatchObject({
    code: 3,
    report: { accessLogSealsUnlikeAnchor: [anchor.seal] },
  });
  await writeFile(file, 'no anchor\n');
  expect(await command('verify', '--anchor', file)).toMatchObject({
    code: 1,
    stderr: `${file} has lines that are no anchors\n`,
  });
});

it('rejects --repair without a backup', async () => {
  expect(await command('verify', '--repair')).toMatchObject({ code: 2, stderr: expect.stringContaining('--from DIR') });
});
