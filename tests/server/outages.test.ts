import { createHash, randomUUID } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import type { Database } from '../../server/db/client.ts';
import { insertPatient } from '../../server/db/stores/patients.ts';
import { archiveCommand } from './archive-command.ts';
import { addTwoClinics } from './clinic.ts';
import { patientClient } from './outages/client.ts';
import { type Kill, type KilledArchive, killedArchive, kinds } from './outages/killed-archive.ts';
import { type OperationName, operations } from './outages/operations.ts';
import { expectAllThere, type TestUser } from './outages/test-user.ts';
import { seeded } from './seeded.ts';

/**
 * Kills every part of the running program at random moments, during imports, mounts, deletions, merges and backups. DENTARIUM_OUTAGES: number of kills (100
 * for the long run, some minutes); DENTARIUM_SEED: the seed printed by an earlier run.
 */
const killCount = Number(process.env.DENTARIUM_OUTAGES ?? 14);
const seed = Number(process.env.DENTARIUM_SEED ?? 20261123);
const latestKillMs = 1_000;
const userCount = 6;

let archive: KilledArchive;
let database: Database;
let clinics: Awaited<ReturnType<typeof addTwoClinics>>;

beforeAll(async () => {
  archive = await killedArchive();
  await archive.start();
  database = archive.connect();
  clinics = await addTwoClinics(database.db);
});
afterAll(async () => {
  await database?.close();
  await archive.close();
});

let patients = 0;
const addPatient = async (): Promise<string> => {
  const id = randomUUID();
  patients += 1;
  await insertPatient(database.db, {
    id,
    customerId: clinics.customerId,
    firstName: 'Åsa',
    lastName: 'Lindström',
    personalNumber: `19800101-${1_000 + patients}`,
    birthDate: '1980-01-01',
    sex: 'F',
    comments: null,
  });
  return id;
};

const userOf = async (number: number): Promise<TestUser> => {
  const spare = await Promise.all(Array.from({ length: 5 + killCount }, addPatient));
  return {
    ...seeded(seed + number + 1),
    number,
    client: patientClient(archive.url, 'doctor@prov.example'),
    spare,
    patientId: spare.pop() ?? '',
    images: new Map(),
    deletedImages: new Set(),
    deletedStudies: new Set(),
    viewsets: new Map(),
    files: new Map(),
    taskIds: [],
  };
};

/** All kinds equally often, in shuffled order. */
const plannedKills = (below: (end: number) => number): Kill[] => {
  const planned: Kill[] = [];
  while (planned.length < killCount) {
    const deck = [...kinds];
    while (deck.length > 0) planned.push(...deck.splice(below(deck.length), 1));
  }
  return planned.slice(0, killCount);
};

const storedHashes = async (): Promise<Map<string, string>> => {
  const root = path.join(archive.dataFolder, 'files');
  const names = await readdir(root, { recursive: true });
  return new Map(
    names.flatMap((name) =>
      /^[0-9a-f]{64}$/.test(path.basename(name)) ? [[path.basename(name), path.join(root, name)]] : [],
    ),
  );
};

test(`${killCount} kills of every part (seed ${seed}): nothing acknowledged is lost or duplicated, and everything works afterwards`, {
  timeout: 0,
}, async () => {
  const { below, pick } = seeded(seed);
  const users = await Promise.all(Array.from({ length: userCount }, (_, number) => userOf(number)));
  const acknowledged = new Map<OperationName, number>();
  const names = Object.keys(operations) as OperationName[];
  const others = names.filter((name) => name !== 'importImages');
  /** Half of the users stop at two studies, so that kills hit other operations as often as imports. */
  const nextOf = (user: TestUser): OperationName =>
    user.pick(user.number % 2 === 1 && user.taskIds.length > 1 ? others : names) ?? 'importImages';
  const started = performance.now();
  let over = false;

  const work = async (user: TestUser): Promise<void> => {
    let name: OperationName = 'importImages';
    while (!over) {
      const count = await operations[name](user);
      acknowledged.set(name, (acknowledged.get(name) ?? 0) + count);
      await expectAllThere(user);
      name = nextOf(user);
    }
  };
  const killed = new Map<Kill, number>();
  const killer = async (): Promise<void> => {
    for (const kind of plannedKills(below)) {
      await archive.ready();
      const server = archive.pid();
      await new Promise((resolve) => setTimeout(resolve, below(latestKillMs)));
      await archive.kill(kind, pick);
      killed.set(kind, (killed.get(kind) ?? 0) + 1);
      if (kind !== 'server') expect(archive.pid(), 'the server survives').toBe(server);
    }
    await archive.ready();
    over = true;
  };
  const imagesNow = () => users.flatMap(({ images }) => [...images.keys()]);
  const running = [...users.map(work), archive.backups.run(() => over, imagesNow)];
  try {
    await Promise.all([killer(), ...running]);
  } finally {
    over = true;
    await Promise.allSettled(running);
  }

  const { db } = database;
  for (const user of users) await expectAllThere(user);
  const images = await db.selectFrom('image').select(['id', 'sop_instance_uid', 'sha256']).execute();
  const known = new Map(users.flatMap((user) => [...user.images]));
  expect(new Set(images.map((image) => image.sop_instance_uid)).size, 'doubled images').toBe(images.length);
  expect(new Map(images.map(({ id, sha256 }) => [id, sha256]))).toEqual(
    new Map([...known].map(([id, { sha256 }]) => [id, sha256])),
  );
  const files = await db.selectFrom('import_file').select(['id', 'sha256', 'status']).execute();
  const acknowledgedFiles = new Map(users.flatMap((user) => [...user.files]));
  expect(new Map(files.map(({ id, sha256 }) => [id, sha256]))).toEqual(acknowledgedFiles);
  expect(files.filter(({ status }) => status !== 'imported')).toEqual([]);
  const stored = await storedHashes();
  for (const sha256 of new Set(acknowledgedFiles.values())) {
    const bytes = await readFile(stored.get(sha256) ?? 'the bytes of an acknowledged file');
    expect(createHash('sha256').update(bytes).digest('hex')).toBe(sha256);
  }
  const tasks = await db.selectFrom('import_task').select(['id', 'error']).execute();
  expect(tasks.map(({ id }) => id).sort()).toEqual(users.flatMap(({ taskIds }) => taskIds).sort());
  expect(tasks.filter(({ error }) => error)).toEqual([]);
  const viewsets = await db.selectFrom('viewset').select('id').execute();
  expect(viewsets.map(({ id }) => id).sort()).toEqual(users.flatMap((user) => [...user.viewsets.keys()]).sort());
  await vi.waitFor(
    async () => {
      const rows = await db.selectFrom('image').select(['thumb_status', 'rendition_status', 'deleted_at']).execute();
      // Nothing is derived from an image in the recycle bin until it is restored.
      const unfinished = rows.filter(
        (row) => row.deleted_at === null && (row.thumb_status !== 'ready' || row.rendition_status !== 'ready'),
      );
      expect(unfinished).toEqual([]);
      expect(rows.filter((row) => row.thumb_status === 'error' || row.rendition_status === 'error')).toEqual([]);
    },
    { timeout: 120_000, interval: 200 },
  );

  const { folder } = archive.backups;
  for (const args of [
    ['verify', '--full'],
    ['backup', '--to', folder, '--incremental'],
    ['restore', '--from', folder, '--check'],
  ]) {
    const { code, stdout, stderr } = await archiveCommand(args, archive.environment);
    expect([args, code, code === 0 ? '' : stdout + stderr]).toEqual([args, 0, '']);
  }
  expect(archive.backups.counts.complete).toBeGreaterThan(0);

  const seconds = Math.round((performance.now() - started) / 1_000);
  const met = users.map(({ client }) => client.met);
  const sum = (name: keyof (typeof met)[number]) => met.reduce((total, one) => total + one[name], 0);
  expect(sum('internal'), 'answers 500').toBeLessThanOrEqual(userCount * (killed.get('writer') ?? 0));
  console.log(
    `outages: ${killCount} kills ${JSON.stringify(Object.fromEntries(killed))}, acknowledged ${JSON.stringify(Object.fromEntries(acknowledged))}, ` +
      `backups ${JSON.stringify(archive.backups.counts)}, ${images.length} images, lost 0, duplicated 0, calls repeated after 503: ${sum('away')}, after a broken connection: ${sum('broken')}, ` +
      `after 500: ${sum('internal')}, ${seconds} s (seed ${seed})`,
  );
});
