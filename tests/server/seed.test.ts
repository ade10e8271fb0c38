import { mkdtemp, readdir, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { demoClinic } from '../../demo/clinic.ts';
import { readDemoState } from '../../server/db/stores/seed-state.ts';
import { demoAccountsOf } from '../../server/demo-seed/demo-accounts.ts';
import { isDemoRequested, seedDemo } from '../../server/demo-seed/seed-demo.ts';
import { verifyPassword } from '../../server/identity/password.ts';
import { type TestDatabase, testDatabase } from './database.ts';

let database: TestDatabase;
let dataFolder: string;

beforeAll(async () => {
  database = await testDatabase();
  dataFolder = await mkdtemp(path.join(os.tmpdir(), 'dentarium-seed-'));
});

afterAll(async () => {
  await database.close();
  await rm(dataFolder, { recursive: true, force: true });
});

/** The demo clinic with one study: the first with two to four mounted images. */
const smallClinic = (anchorDate: string) => {
  const clinic = demoClinic(anchorDate);
  const study = clinic.patients
    .flatMap(({ studies }) => studies)
    .find(({ viewset }) => viewset && viewset.placements.length >= 2 && viewset.placements.length <= 4);
  const patients = clinic.patients.map((patient) => ({
    ...patient,
    studies: patient.studies.filter(({ uid }) => uid === study?.uid),
  }));
  return { ...clinic, patients };
};

const countOf = async (table: 'image' | 'patient' | 'account' | 'customer' | 'viewset'): Promise<number> => {
  const { count } = await database.db
    .selectFrom(table)
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow();
  return Number(count);
};

test('an interrupted demo seed is completed by the next start, and not changed afterwards', async () => {
  const { db } = database;
  expect(await isDemoRequested(db)).toBe(true);
  expect(await demoAccountsOf(db)).toEqual([]);
  const stopping = new AbortController();
  const cutOff = seedDemo({ db, dataFolder, clinicOf: smallClinic, signal: stopping.signal }, () => stopping.abort());
  await expect(cutOff).rejects.toThrow();
  const begun = await readDemoState(db);
  expect(begun).toMatchObject({ complete: false });
  expect(await isDemoRequested(db)).toBe(true);
  const first = await countOf('image');
  expect(first).toBeGreaterThan(0);
  expect(await countOf('viewset')).toBe(0);

  const clinic = smallClinic(begun?.anchorDate ?? '');
  const images = clinic.patients.flatMap(({ studies }) =>
    studies.flatMap(({ series }) => series.flatMap((s) => s.images)),
  );
  const totals: number[] = [];
  await seedDemo({ db, dataFolder, clinicOf: smallClinic }, (_, total) => totals.push(total));
  expect(await readDemoState(db)).toEqual({ anchorDate: begun?.anchorDate, complete: true });
  expect(new Set(totals)).toEqual(first === images.length ? new Set() : new Set([images.length - first]));
  expect(await countOf('image')).toBe(images.length);
  expect(await countOf('patient')).toBe(clinic.patients.length);
  expect(await countOf('account')).toBe(clinic.users.length);
  expect(await isDemoRequested(db)).toBe(false);
});

test('every image is in the store, and mounted as the demo clinic specifies', async () => {
  const { db } = database;
  const clinic = smallClinic((await readDemoState(db))?.anchorDate ?? '');
  const rows = await db.selectFrom('image').select(['id', 'kind', 'sha256', 'sop_instance_uid']).execute();
  expect(new Set(rows.map(({ kind }) => kind))).toEqual(new Set(['image']));
  const files = await readdir(path.join(dataFolder, 'files'), { recursive: true });
  for (const { sha256 } of rows) expect(files).toContain(path.join(sha256.slice(0, 2), sha256));
  const viewset = clinic.patients.flatMap(({ studies }) => studies)[0]?.viewset;
  const items = await db.selectFrom('viewset_item').selectAll().orderBy('item_index').execute();
  const mounted = items
    .filter(({ image_id }) => image_id !== null)
    .map(({ item_index, image_id }) => [item_index, rows.find(({ id }) => id === image_id)?.sop_instance_uid]);
  const expected = viewset?.placements.map(({ itemIndex, sopInstanceUid }) => [itemIndex, sopInstanceUid]);
  expect(mounted).toEqual(expected?.toSorted(([one], [two]) => Number(one) - Number(two)));
});

test('its accounts are listed, and their password works', async () => {
  const accounts = await demoAccountsOf(database.db);
  expect(accounts.map(({ role }) => role)).toEqual(expect.arrayContaining(['SuperAdmin', 'CustomerAdmin', 'Doctor']));
  const [account] = accounts;
  const row = await database.db
    .selectFrom('account')
    .select('password_hash')
    .where('email', '=', account?.email ?? '')
    .executeTakeFirstOrThrow();
  expect(await verifyPassword(account?.password ?? '', row.password_hash)).toBe(true);
});

test('an installation with its own clinic gets no demo clinic', async () => {
  const other = await testDatabase();
  await other.db.insertInto('customer').values({ id: crypto.randomUUID(), name: 'Our own' }).execute();
  expect(await isDemoRequested(other.db)).toBe(false);
  await other.close();
});
