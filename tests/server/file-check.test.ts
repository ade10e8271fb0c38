import { randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { readFileCheckSettings } from '../../server/integrity/check-settings.ts';
import { createFileCheck, type FileCheckParts } from '../../server/integrity/file-check.ts';
import type { FileStore } from '../../server/storage/file-store.ts';
import { type ArchiveUnderTest, archiveUnderTest } from './archive-under-test.ts';
import { addImage, addPatient, addSeries, addStudy } from './gallery-clinic.ts';

const hourMs = 3_600_000;
const signal = new AbortController().signal;

let archive: ArchiveUnderTest;
let hashes: string[];

beforeAll(async () => {
  archive = await archiveUnderTest();
  const { db, clinics } = archive;
  const patient = await addPatient(db, clinics.customerId, 'Åsa', 'Hemlig');
  const seriesId = await addSeries(db, await addStudy(db, patient));
  hashes = [];
  for (let number = 0; number < 120; number++) {
    const { sha256 } = await archive.archive.files.put(Readable.from([Buffer.from(`file ${number}`)]));
    await addImage(db, clinics.customerId, seriesId, number % 2 ? { sha256 } : { original_sha256: sha256 });
    hashes.push(sha256);
  }
  // The files of the other rows are missing, and sort first.
  hashes.sort();
});
afterAll(() => archive.close());
beforeEach(async () => {
  await archive.db
    .updateTable('file_check')
    .set({ position: '0'.repeat(64), started_at: new Date(), lease_owner: null, lease_until: null })
    .execute();
});

/** A check that records which files it reads. */
const checking = (options: Partial<FileCheckParts> & { readonly passMs?: number } = {}) => {
  const read: string[] = [];
  const { files } = archive.archive;
  const noting: FileStore = {
    ...files,
    verify: async (sha256, pace) => {
      const size = await files.verify(sha256, pace);
      read.push(sha256);
      return size;
    },
  };
  const parts: FileCheckParts = {
    db: archive.db,
    files: noting,
    fileErrors: { watch: (_, work) => work(), clear: async () => undefined },
    isFolderAvailable: () => true,
    settings: { passMs: options.passMs ?? 100 * hourMs, bytesPerSecond: 1e12 },
    repair: async () => undefined,
    onFailure: (error) => {
      throw error;
    },
    ...options,
  };
  return { ...createFileCheck(parts), read };
};

const begunAgo = (hours: number) =>
  archive.db
    .updateTable('file_check')
    .set({ started_at: new Date(Date.now() - hours * hourMs) })
    .execute();

const between = (from: number, to: number) =>
  hashes.filter((hash) => {
    const part = Number.parseInt(hash.slice(0, 8), 16) / 2 ** 32;
    return part >= from && part < to;
  });

test('pauses while the files folder is unavailable', async () => {
  await begunAgo(60);
  const check = checking({ isFolderAvailable: () => false });
  await check.round(signal);
  expect(check.read).toEqual([]);
});

test('spreads a pass evenly over its time, resumes after a restart, and starts the next pass at its end', async () => {
  await begunAgo(25);
  const first = checking();
  await first.round(signal);
  expect(first.read).toEqual(between(0, 0.25));
  await first.round(signal);
  expect(first.read).toEqual(between(0, 0.25));
  await first.release();
  await begunAgo(60);
  const second = checking();
  await second.round(signal);
  expect(second.read).toEqual(between(0.25, 0.6));
  await begunAgo(101);
  await second.round(signal);
  expect(second.read).toEqual(between(0.25, 1));
  const { position, started_at } = await archive.db.selectFrom('file_check').selectAll().executeTakeFirstOrThrow();
  expect(position).toBe('');
  expect(Date.now() - started_at.getTime()).toBeLessThan(hourMs);
});

test('runs on one node at a time; another continues when the first is gone', async () => {
  await begunAgo(50);
  const [first, second] = [checking(), checking()];
  await first.round(signal);
  await begunAgo(90);
  await second.round(signal);
  expect(second.read).toEqual([]);
  // The first node died: its lease expires.
  await archive.db
    .updateTable('file_check')
    .set({ lease_until: new Date(Date.now() - 1000) })
    .execute();
  await second.round(signal);
  expect(second.read).toEqual(between(0.5, 0.9));
  await first.round(signal);
  expect(first.read).toEqual(between(0, 0.5));
});

test('does not record results after the lease was lost', async () => {
  await begunAgo(101);
  const { files } = archive.archive;
  const thief = randomUUID();
  const robbed = checking({
    files: {
      ...files,
      verify: async () => {
        await archive.db.updateTable('file_check').set({ lease_owner: thief, position: 'stolen' }).execute();
        return 0;
      },
    },
  });
  await robbed.round(signal);
  const { position, lease_owner } = await archive.db.selectFrom('file_check').selectAll().executeTakeFirstOrThrow();
  expect([position, lease_owner]).toEqual(['stolen', thief]);
});

test('respects its maximum rate, and stops at once when aborted', async () => {
  await begunAgo(101);
  const bytes = hashes.length * 'file 10'.length;
  const slow = checking({ settings: { passMs: hourMs, bytesPerSecond: bytes * 2 } });
  const begun = performance.now();
  await slow.round(signal);
  expect(slow.read).toEqual(hashes);
  expect(performance.now() - begun).toBeGreaterThan(400);
  await archive.db
    .updateTable('file_check')
    .set({ position: '0'.repeat(64), started_at: new Date(0) })
    .execute();
  const stopping = new AbortController();
  const asleep = checking({ settings: { passMs: 1, bytesPerSecond: 0.001 } });
  await slow.release();
  const going = asleep.round(stopping.signal);
  setImmediate(() => stopping.abort(new Error('the server is closing')));
  await expect(going).rejects.toThrow();
});

test('validates its environment settings', () => {
  const month = 30 * 24 * hourMs;
  expect(readFileCheckSettings({})).toEqual({ passMs: month, bytesPerSecond: 20_000_000 });
  const set = { DENTARIUM_FILE_CHECK_DAYS: '7', DENTARIUM_FILE_CHECK_MB_PER_SECOND: '0.5' };
  expect(readFileCheckSettings(set)).toEqual({ passMs: 7 * 24 * hourMs, bytesPerSecond: 500_000 });
  expect(() => readFileCheckSettings({ DENTARIUM_FILE_CHECK_DAYS: 'often' })).toThrow('DENTARIUM_FILE_CHECK_DAYS');
});
