import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { insertPatient } from '../../server/db/stores/patients.ts';
import { patientClient } from './outages/client.ts';
import { operations } from './outages/operations.ts';
import { expectAllThere, type TestUser } from './outages/test-user.ts';
import { seeded } from './seeded.ts';
import { unavailableDatabase } from './unavailable-database.ts';

const seed = Number(process.env.DENTARIUM_SEED ?? 20261123);
/** DENTARIUM_TEST_RESTARTS: number of restarts (20 for the long run). */
const restartCount = Number(process.env.DENTARIUM_TEST_RESTARTS ?? 8);
const readerCount = 50;
const importerCount = 4;

const under = unavailableDatabase();
const email = 'doctor@prov.example';

const userOf = async (number: number): Promise<TestUser> => {
  const patientId = randomUUID();
  await insertPatient(under.database().db, {
    id: patientId,
    customerId: under.clinics().customerId,
    firstName: 'Åsa',
    lastName: 'Lindström',
    personalNumber: `1980010${number}-1234`,
    birthDate: '1980-01-01',
    sex: 'F',
    comments: null,
  });
  return {
    ...seeded(seed + number),
    number,
    client: patientClient(under.server().url, email),
    spare: [],
    patientId,
    images: new Map(),
    deletedImages: new Set(),
    deletedStudies: new Set(),
    viewsets: new Map(),
    files: new Map(),
    taskIds: [],
  };
};

test(`${restartCount} restarts of PostgreSQL under ${readerCount} readers and ${importerCount} imports: each failed call is answered with 503, and nothing is lost (seed ${seed})`, async () => {
  const users = await Promise.all(Array.from({ length: importerCount }, (_, number) => userOf(number)));
  for (const user of users) await operations.importImages(user);
  let isOver = false;
  const counts = { reads: 0, imports: 0 };
  const importUntilOver = async (user: TestUser) => {
    while (!isOver) {
      await operations.importImages(user);
      counts.imports += 1;
    }
  };
  const readers = Array.from({ length: readerCount }, () => patientClient(under.server().url, email));
  const readUntilOver = async (client: TestUser['client'], number: number) => {
    const { pick } = seeded(seed + 100 + number);
    while (!isOver) {
      const { patientId, viewsets } = pick(users) ?? users[0] ?? expect.unreachable();
      const target =
        pick([
          `/resource/patient/${patientId}`,
          `/resource/study/bypatient/${patientId}?page=1&ppage=100`,
          `/resource/viewset/${pick([...viewsets.keys()])}`,
        ]) ?? '';
      const { status } = await client.call(target);
      expect([target, status]).toEqual([target, 200]);
      counts.reads += 1;
    }
  };
  const work = [...users.map(importUntilOver), ...readers.map(readUntilOver)];
  const restart = async () => {
    for (let count = 0; count < restartCount; count++) {
      await under.isReady();
      const reads = counts.reads;
      await expect.poll(() => counts.reads, { timeout: 60_000 }).toBeGreaterThan(reads + readerCount);
      await under.postgres().stop(count % 2 === 0 ? 'SIGINT' : 'SIGKILL');
      await under.postgres().start();
    }
    await under.isReady();
  };
  try {
    await Promise.race([restart(), Promise.all(work)]);
  } finally {
    isOver = true;
  }
  await Promise.all(work);
  for (const user of users) await expectAllThere(user);
  const met = [...users.map(({ client }) => client), ...readers].map((client) => client.met);
  const sum = (name: 'broken' | 'away' | 'internal') => met.reduce((total, one) => total + one[name], 0);
  expect([sum('broken'), sum('internal')], 'broken connections and replies 500').toEqual([0, 0]);
  expect(sum('away')).toBeGreaterThan(0);
  console.log(`database-restarts: ${JSON.stringify(counts)}, replies 503: ${sum('away')}`);
}, 600_000);
