import { randomUUID } from 'node:crypto';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { fileProblem } from '../../contract/imports.ts';
import { findTask, insertTask } from '../../server/db/stores/imports.ts';
import { defaultLimits } from '../../server/imports/limits.ts';
import { unpackZip } from '../../server/imports/read/unpack-zip.ts';
import { openDiskStore } from '../../server/storage/disk-store.ts';
import type { FileStore } from '../../server/storage/file-store.ts';
import { unicodePath, zipOf } from '../dicom/build-zip.ts';
import { firstSeed, fuzzSeconds, mutated, randomFrom } from '../dicom/mutate.ts';
import { addTwoClinics } from './clinic.ts';
import { type TestDatabase, testDatabase } from './database.ts';

const seconds = fuzzSeconds(12);
const concurrency = 3;

const noise = (length: number, seed: number): Buffer => {
  const random = randomFrom(seed);
  return Buffer.from(Uint8Array.from({ length }, () => random(256)));
};

const text = Buffer.from('A radiograph, and a second, and a third. '.repeat(40));
const parts = [
  { name: 'DICOMDIR', bytes: noise(300, 1) },
  { name: 'DICOM/', stored: true },
  { name: 'DICOM/IM000001', bytes: noise(900, 2), stored: true },
  { name: 'DICOM/IM000002', bytes: text },
  { name: 'läs mig.txt', bytes: text.subarray(7) },
  { name: Buffer.from('R_nt'), flags: 0, extra: unicodePath(Buffer.from('R_nt'), 'Rönt'), bytes: noise(30, 3) },
];
const sound = [
  zipOf(parts),
  zipOf(parts, { zip64: true }),
  zipOf([{ name: 'a', bytes: new Uint8Array(200_000) }]),
  zipOf([{ name: 'zip.zip', bytes: zipOf(parts), stored: true }]),
].map((zip) => new Uint8Array(zip));

let test: TestDatabase;
let folder = '';
let files: FileStore;
let taskId = '';

beforeAll(async () => {
  test = await testDatabase();
  const { customerId, doctorId: accountId } = await addTwoClinics(test.db);
  folder = await mkdtemp(path.join(os.tmpdir(), 'dentarium-unpack-fuzz-'));
  files = await openDiskStore(folder);
  taskId = randomUUID();
  const facts = { customerId, accountId, patientId: null, kind: 'dicomdir', name: 'fuzz', totalFiles: 1 } as const;
  await insertTask(test.db, { id: taskId, ...facts });
});
afterAll(async () => {
  await test.close();
  await rm(folder, { recursive: true });
});

/** Rare outcomes need that many; a slow machine takes longer than the set time. */
const minZips = 3_000;

/** Unpacks; throws unless the zip and each entry get a known outcome. Returns the outcome of the zip. */
const unpack = async (bytes: Uint8Array): Promise<string> => {
  const stored = await files.put(
    (async function* () {
      yield bytes;
    })(),
  );
  const id = randomUUID();
  const facts = { id, task_id: taskId, file_name: 'a.zip', path: id, status: 'received' } as const;
  const row = await test.db
    .insertInto('import_file')
    .values({ ...facts, size_bytes: stored.sizeBytes, sha256: stored.sha256 })
    .returningAll()
    .executeTakeFirstOrThrow();
  const task = await findTask(test.db, taskId);
  if (!task) throw new Error('no task');
  await unpackZip(
    { db: test.db, files, limits: defaultLimits },
    task,
    row,
    AbortSignal.timeout(20_000),
    async () => {},
  );
  const rows = await test.db
    .selectFrom('import_file')
    .selectAll()
    .where((where) => where.or([where('id', '=', id), where('container_id', '=', id)]))
    .execute();
  await test.db.deleteFrom('import_file').where('id', '=', id).execute();
  for (const { status, problem, sha256, path: entryPath } of rows) {
    if (status === 'refused') fileProblem.parse(problem);
    else if (sha256 === null || problem !== null) throw new Error(`${status} with ${problem}`);
    if (entryPath === '' || (status === 'received' && entryPath.split('/').includes('..'))) throw new Error(entryPath);
  }
  const zip = rows.find((one) => one.id === id);
  if (zip?.status === 'received') throw new Error('the zip is not settled');
  return zip?.problem ?? `unpacked, refused ${rows.some(({ status }) => status === 'refused') ? 'some' : 'none'}`;
};

it(
  `damaged zips are unpacked or rejected, for ${seconds} s: no crash, no timeout, bounded memory`,
  async () => {
    const outcomes = new Map<string, number>();
    const before = process.memoryUsage.rss();
    const until = performance.now() + seconds * 1000;
    let most = 0;
    let seed = firstSeed;
    const run = async (): Promise<void> => {
      while (performance.now() < until || seed - firstSeed < minZips) {
        const random = randomFrom(seed);
        const here = `DENTARIUM_FUZZ_SEED=${seed++}`;
        const bytes = sound[random(sound.length)] ?? new Uint8Array();
        const other = sound[random(sound.length)] ?? bytes;
        const outcome = await unpack(mutated(bytes, random, other)).catch((error: unknown) => {
          throw new Error(`${here}: ${error instanceof Error ? error.stack : error}`);
        });
        outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1);
        most = Math.max(most, process.memoryUsage.rss() - before);
        if (most > 300e6) throw new Error(`${Math.round(most / 1e6)} MB more than before at ${here}`);
      }
    };
    await Promise.all(Array.from({ length: concurrency }, run));
    expect(await readdir(path.join(folder, 'temporary'))).toEqual([]);
    const summary = [...outcomes]
      .sort(([, one], [, other]) => other - one)
      .map(([outcome, count]) => `${outcome} ${count}`);
    console.log(`${seed - firstSeed} zips, at most ${Math.round(most / 1e6)} MB: ${summary.join(', ')}`);
    expect(outcomes.size).toBeGreaterThan(3);
  },
  seconds * 1000 + 120_000,
);
