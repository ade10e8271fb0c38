import { createHash } from 'node:crypto';
import { mkdtemp, readFile, rm, stat } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { archiveCommand } from './archive-command.ts';
import { type ArchiveUnderTest, archiveUnderTest } from './archive-under-test.ts';
import { damage, randomFrom } from './damage.ts';
import { testDatabase, urlOf } from './database.ts';
import { runServer, signIn } from './running-server.ts';
import { smallObject } from './small-object.ts';

const seed = Number(process.env.DENTARIUM_TEST_SEED ?? 20261123);
/** DENTARIUM_TEST_IMAGES: number of images, half of which are damaged (1000 for the long run). */
const imageCount = Number(process.env.DENTARIUM_TEST_IMAGES ?? 300);
const perImport = imageCount / 5;
const damageCount = imageCount / 2;

const hashOf = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');
const studyFiles = (study: number): Record<string, Uint8Array> =>
  Object.fromEntries(
    Array.from({ length: perImport }, (_, index) => [
      `${index}.dcm`,
      smallObject({
        StudyInstanceUID: `2.25.7${study}`,
        SeriesInstanceUID: `2.25.7${study}.1`,
        SOPInstanceUID: `2.25.7${study}.1.${index + 1}`,
        InstanceNumber: index + 1,
      }),
    ]),
  );

let archive: ArchiveUnderTest;
let patientId: string;
let folder: string;
let environment: Record<string, string>;
beforeAll(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'dentarium-restore-'));
  archive = await archiveUnderTest({ fileCheck: { passMs: 0.001, bytesPerSecond: 1e12 } });
  environment = { DENTARIUM_DATA: archive.dataFolder, DATABASE_URL: urlOf(archive.database.address) };
  patientId = await archive.addPatient();
  for (let study = 1; study <= imageCount / perImport; study++) await archive.importAll(patientId, studyFiles(study));
}, 300_000);
afterAll(async () => {
  await archive.close();
  await rm(folder, { recursive: true, force: true });
});

const rowsOf = async ({ db }: Pick<ArchiveUnderTest, 'db'>) =>
  db.selectFrom('image').select(['id', 'sha256']).orderBy('sha256').execute();
const storedIn = (dataFolder: string, sha256: string) => path.join(dataFolder, 'files', sha256.slice(0, 2), sha256);

test('a backup made during imports is restored elsewhere: every image is equal byte for byte, and users sign in', async () => {
  const before = await rowsOf(archive);
  expect(before).toHaveLength(imageCount);
  const to = path.join(folder, 'backups');
  const [backup] = await Promise.all([
    archiveCommand(['backup', '--to', to, '--json'], environment),
    archive.importAll(patientId, studyFiles(8)),
    archive.importAll(patientId, studyFiles(9)),
  ]);
  expect([backup.code, backup.stderr.includes('Error')]).toEqual([0, false]);

  const elsewhere = await testDatabase();
  for (const statement of ['drop schema public cascade', 'create schema public'])
    await sql.raw(statement).execute(elsewhere.db);
  const dataFolder = path.join(folder, 'restored');
  const there = { DENTARIUM_DATA: dataFolder, DATABASE_URL: urlOf(elsewhere.address) };
  const restored = await archiveCommand(['restore', '--from', to, '--json'], there);
  expect([restored.code, restored.stdout]).toMatchObject([0, expect.stringContaining('"absent":[]')]);
  const verified = await archiveCommand(['verify', '--full', '--json'], there);
  expect([verified.code, JSON.parse(verified.stdout)]).toMatchObject([0, { faults: [], alteredAccessLogSeals: [] }]);

  const images = new Map((await rowsOf(elsewhere)).map(({ id, sha256 }) => [id, sha256]));
  expect(before.filter(({ id, sha256 }) => images.get(id) !== sha256)).toEqual([]);
  for (const sha256 of images.values())
    expect(hashOf(await readFile(storedIn(dataFolder, sha256)))).toBe(
      hashOf(await readFile(storedIn(archive.dataFolder, sha256))),
    );

  const server = await runServer(elsewhere.database, { dataFolder });
  try {
    const { access_token: token } = await signIn(server.url, 'doctor@prov.example');
    const [first] = before;
    const image = await fetch(`${server.url}/resource/viewset/get_image?imageUID=${first?.id}`, {
      headers: { authorization: `Bearer ${token}` },
    });
    expect([image.status, hashOf(new Uint8Array(await image.arrayBuffer()))]).toEqual([200, first?.sha256]);
  } finally {
    await server.close();
    await elsewhere.close();
  }
});

test(`the background check and "verify --full" each find all of ${damageCount} damaged files, and none is sent (seed ${seed})`, async () => {
  const random = randomFrom(seed);
  const rows = await rowsOf(archive);
  const damaged = random.some(rows, damageCount);
  for (const { sha256 } of damaged) {
    const file = storedIn(archive.dataFolder, sha256);
    await damage(file, random, await stat(file));
  }
  const hashes = damaged.map(({ sha256 }) => sha256).sort();

  const { code, stdout } = await archiveCommand(['verify', '--full', '--json'], environment);
  const { faults } = JSON.parse(stdout);
  expect(code).toBe(3);
  expect(faults).toEqual(hashes.map((sha256) => ({ sha256, problem: 'damaged' })));

  const ids = new Set(damaged.map(({ id }) => id));
  for (const { id, sha256 } of rows) {
    const reply = await archive.call(`/resource/viewset/get_image?imageUID=${id}`);
    const got = reply.ok ? hashOf(new Uint8Array(await reply.arrayBuffer())) : (await reply.json()).code;
    expect([id, got]).toEqual([id, ids.has(id) ? 'image-damaged' : sha256]);
  }

  await archive.db.deleteFrom('stored_file_fault').execute();
  await archive.archive.fileCheck.round(new AbortController().signal);
  const found = await archive.db.selectFrom('stored_file_fault').select('sha256').orderBy('sha256').execute();
  expect(found.map(({ sha256 }) => sha256)).toEqual(hashes);
}, 180_000);
