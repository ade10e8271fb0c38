import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { secondsFromNow } from '../../server/db/seconds-from-now.ts';
import { claimImage, claimSeconds } from '../../server/db/stores/derive-claims.ts';
import type { JobRunner } from '../../server/jobs/job-runner.ts';
import { startRenditionRunner } from '../../server/resource/rendition-runner.ts';
import { startThumbnailRunner } from '../../server/resource/thumbnail-runner.ts';
import { type ArchiveUnderTest, archiveUnderTest } from './archive-under-test.ts';
import { smallObject } from './small-object.ts';

/* Nodes with decoders that wait until the test lets them end. */

let archive: ArchiveUnderTest;
const runners: JobRunner[] = [];
const failures: unknown[] = [];
let decoding: { sha256: string; end: (error?: Error) => void }[] = [];
let images: { id: string; sha256: string }[];

beforeAll(async () => {
  archive = await archiveUnderTest();
  const patientId = await archive.addPatient();
  for (let index = 1; index <= 4; index += 1)
    await archive.importAll(patientId, { 'a.dcm': smallObject({ SOPInstanceUID: `2.25.310${index}` }) });
  await archive.archive.thumbnails.idle();
  await archive.archive.renditions.idle();
  await archive.stop();
  images = await archive.db.selectFrom('image').select(['id', 'sha256']).orderBy('created_at', 'desc').execute();
});
afterAll(() => archive?.remove());

const isClosing = () => false;
const folder = { isAvailable: () => true, check: async () => true };
const onFailure = (error: unknown) => void failures.push(error);
const decode = (sha256: string) =>
  new Promise<void>((resolve, reject) =>
    decoding.push({ sha256, end: (error) => (error ? reject(error) : resolve()) }),
  );

const startThumbnails = () => {
  const hub = { publish: async () => undefined };
  const thumbnails = { prepare: decode } as unknown as Parameters<typeof startThumbnailRunner>[0]['thumbnails'];
  const onDrained = () => undefined;
  const shared = { db: archive.db, onFailure, isClosing, folder };
  runners.push(startThumbnailRunner({ ...shared, hub, thumbnails, onDrained, pollSeconds: 0.1 }));
};
const startRenditions = () =>
  runners.push(
    startRenditionRunner({
      db: archive.db,
      renditions: { makeAhead: decode },
      onFailure,
      isClosing,
      folder,
      pollSeconds: 0.1,
    }),
  );

const idleInTransaction = async () => {
  const { rows } = await archive.database.database.pool.query(
    "select query from pg_stat_activity where datname = current_database() and state like 'idle in transaction%'",
  );
  return rows;
};
const statusOf = async (column: 'thumb_status' | 'rendition_status') =>
  (await archive.db.selectFrom('image').select(column).orderBy('created_at', 'desc').execute()).map(
    (row) => row[column],
  );

beforeEach(async () => {
  decoding = [];
  await archive.db.deleteFrom('derive_claim').execute();
  await archive.db.updateTable('image').set({ thumb_status: 'ready', rendition_status: 'ready' }).execute();
});
afterEach(async () => {
  const ended = Promise.all(runners.splice(0).map((runner) => runner.close()));
  for (const { end } of decoding) end();
  await ended;
  expect(failures.splice(0)).toEqual([]);
});

test('no transaction stays open while thumbnails and renditions are made, the newest images first', async () => {
  await archive.db.updateTable('image').set({ thumb_status: 'pending' }).execute();
  startThumbnails();
  // Its three workers take them at the same time.
  const newest = images.slice(0, 3).map(({ sha256 }) => sha256);
  await expect.poll(() => decoding.map(({ sha256 }) => sha256).sort()).toEqual(newest.sort());
  // One that has just begun is no transaction that stays open.
  await expect.poll(idleInTransaction).toEqual([]);
  for (const { end } of decoding.splice(0)) end();
  await expect.poll(() => decoding.length).toBe(1);
  decoding[0]?.end();
  await expect.poll(() => statusOf('thumb_status')).toEqual(Array(4).fill('ready'));
  decoding = [];
  await archive.db.updateTable('image').set({ rendition_status: 'pending' }).execute();
  startRenditions();
  await expect.poll(() => decoding.map(({ sha256 }) => sha256)).toEqual([images[0]?.sha256]);
  // One that has just begun is no transaction that stays open.
  await expect.poll(idleInTransaction).toEqual([]);
});

test('another node takes none of the images that are being decoded', async () => {
  await archive.db.updateTable('image').set({ thumb_status: 'pending' }).execute();
  startThumbnails();
  await expect.poll(() => decoding.length).toBe(3);
  startThumbnails();
  await expect.poll(() => decoding.length).toBe(4);
  expect(new Set(decoding.map(({ sha256 }) => sha256)).size).toBe(4);
  for (const { end } of decoding) end();
  await expect.poll(() => statusOf('thumb_status')).toEqual(Array(4).fill('ready'));
  expect(decoding).toHaveLength(4);
});

test('takes over the images of a node that was killed', async () => {
  const [newest] = images;
  if (!newest) throw new Error('no image');
  await archive.db.updateTable('image').set({ rendition_status: 'pending' }).where('id', '=', newest.id).execute();
  expect(await claimImage(archive.db, { imageId: newest.id, owner: randomUUID() })).toBe(true);
  startRenditions();
  await runners[0]?.idle();
  expect(decoding).toEqual([]);
  await archive.db
    .updateTable('derive_claim')
    .set({ claimed_until: secondsFromNow(0) })
    .execute();
  await expect.poll(() => decoding.length).toBe(1);
});

test('an image that is gone is not claimed', async () => {
  expect(await claimImage(archive.db, { imageId: randomUUID(), owner: randomUUID() })).toBe(false);
});

test('a node that lost its claim saves nothing', async () => {
  const [newest] = images;
  if (!newest) throw new Error('no image');
  await archive.db.updateTable('image').set({ thumb_status: 'pending' }).where('id', '=', newest.id).execute();
  startThumbnails();
  await expect.poll(() => decoding.length).toBe(1);
  const owner = randomUUID();
  const changes = { owner, claimed_until: secondsFromNow(claimSeconds) };
  await archive.db.updateTable('derive_claim').set(changes).execute();
  decoding[0]?.end();
  await runners[0]?.idle();
  expect((await statusOf('thumb_status'))[0]).toBe('pending');
  const claims = await archive.db.selectFrom('derive_claim').select('owner').execute();
  expect(claims).toEqual([{ owner }]);
});
