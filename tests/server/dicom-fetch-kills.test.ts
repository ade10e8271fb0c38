import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { createAccessLog } from '../../server/access-log/access-log.ts';
import { insertDicomDevice } from '../../server/db/stores/dicom-devices.ts';
import { openGateway } from '../../server/dicom-gateway/open-gateway.ts';
import { createObjectReceiver } from '../../server/imports/receive-object.ts';
import { firstSeed, randomFrom } from '../dicom/mutate.ts';
import { type ArchiveUnderTest, archiveUnderTest } from './archive-under-test.ts';
import { dicomWebOf, objectAt } from './dicomweb-under-test.ts';
import { type MortalArchive, mortalArchive } from './killable-archive.ts';

let mortal: MortalArchive;
let other: ArchiveUnderTest;

beforeAll(async () => {
  mortal = await mortalArchive('fetching');
  other = await archiveUnderTest();
});
afterEach(() => mortal.killAll());
afterAll(async () => {
  await mortal.close();
  await other.close();
});

const numbers = Array.from({ length: 60 }, (_, index) => index + 1);
const named = { PatientID: '19800101-1234', PatientName: 'Lindström^Åsa', PatientBirthDate: '19800101' };

const device = (customerId: string, createdBy: string, more: object) => ({
  customerId,
  createdBy,
  name: 'Other',
  aeTitle: 'OTHER',
  address: '127.0.0.1',
  port: null,
  canRetrieve: true,
  canStore: false,
  atOnce: false,
  seesWorklist: false,
  ...more,
});

it('fetches each image of a study once, however often the server is killed', async () => {
  console.log(`seed ${firstSeed}`);
  const random = randomFrom(firstSeed);
  await dicomWebOf(other).addPatient(
    { personalNumber: '19800101-1234', firstName: 'Åsa', lastName: 'Lindström', birthDate: '1980-01-01' },
    numbers.map((number) => objectAt('2.25.331', named, number)),
  );
  const { customerId, adminId } = other.clinics;
  await other.db
    .transaction()
    .execute((transaction) => insertDicomDevice(transaction, device(customerId, adminId, { aeTitle: 'DENTARIUM' })));
  const gateway = await openGateway({
    db: other.db,
    files: other.archive.files,
    imaging: other.archive.imaging,
    accessLog: createAccessLog(other.db),
    receiver: createObjectReceiver({ db: other.db, filesPerImport: 100 }),
    filesPerImport: 100,
    maxObjectBytes: 1 << 30,
    aeTitle: 'OTHER',
    host: '127.0.0.1',
    port: 0,
    tls: null,
    callTls: {},
    onEnd: () => undefined,
    onFailure: (error) => console.error(error),
  });
  const { clinics, db, patientId } = mortal;
  const deviceId = await db
    .transaction()
    .execute((transaction) =>
      insertDicomDevice(transaction, device(clinics.customerId, clinics.adminId, { port: gateway.port })),
    );
  const first = mortal.start();
  const patient = { name: 'Lindström^Åsa', patientId: '19800101-1234', birthDate: '1980-01-01' };
  const study = { studyUid: '2.25.331.1', description: '', studyDate: null, patient, isSamePatient: false };
  const reply = await fetch(`${await first.url}/resource/dicom-fetch/create`, {
    method: 'POST',
    body: JSON.stringify({ deviceId, patientId, studies: [study] }),
    headers: { 'content-type': 'application/json' },
  });
  expect(reply.status).toBe(200);
  await first.kill();

  const fetched = async () => {
    const rows = await db.selectFrom('import_file').select('path').execute();
    return rows.length;
  };
  const ended = async () => (await db.selectFrom('dicom_fetch').select('ended_at').executeTakeFirst())?.ended_at;
  let kills = 0;
  while (!(await ended()) && kills < 20) {
    const before = await fetched();
    const server = mortal.start({ fetches: true });
    await server.url;
    const goal = Math.min(numbers.length, before + 1 + random(15));
    await expect.poll(async () => (await fetched()) >= goal, { timeout: 30_000, interval: 5 }).toBe(true);
    await server.kill();
    kills += 1;
  }
  expect(kills).toBeGreaterThan(3);
  const last = mortal.start({ fetches: true });
  await last.url;
  const step = async () => (await db.selectFrom('import_task').select('step').executeTakeFirst())?.step;
  await expect.poll(step, { timeout: 60_000 }).toBe(5);
  await expect.poll(ended, { timeout: 30_000 }).not.toBeNull();
  const images = await db.selectFrom('image').select('sop_instance_uid as uid').execute();
  expect(images.map(({ uid }) => uid).toSorted()).toEqual(numbers.map((number) => `2.25.331.1.1.${number}`).toSorted());
  const outcomes = await db.selectFrom('dicom_fetch_image').select('outcome').distinct().execute();
  expect(outcomes).toEqual([{ outcome: 'fetched' }]);
  expect(await db.selectFrom('import_task').select('id').execute()).toHaveLength(1);
  await gateway.close();
}, 240_000);
