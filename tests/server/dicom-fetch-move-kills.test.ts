import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { insertDicomDevice } from '../../server/db/stores/dicom-devices.ts';
import { insertFetch } from '../../server/db/stores/dicom-fetches.ts';
import type { Service } from '../../server/dimse/provider/services.ts';
import { firstSeed, randomFrom } from '../dicom/mutate.ts';
import { freePort } from '../free-port.ts';
import { type ArchiveUnderTest, archiveUnderTest } from './archive-under-test.ts';
import { archiveWithoutGet, otherTitle } from './archive-without-get.ts';
import { dicomWebOf, objectAt } from './dicomweb-under-test.ts';
import { type MortalArchive, mortalArchive } from './killable-archive.ts';

let mortal: MortalArchive;
let other: ArchiveUnderTest;

beforeAll(async () => {
  mortal = await mortalArchive('move-kills');
  other = await archiveUnderTest();
});
afterEach(() => mortal.killAll());
afterAll(async () => {
  await mortal?.close();
  await other?.close();
});

const numbers = Array.from({ length: 80 }, (_, index) => index + 1);
const named = { PatientID: '19800101-1234', PatientName: 'Lindström^Åsa', PatientBirthDate: '19800101' };
const patient = { name: 'Lindström^Åsa', patientId: '19800101-1234', birthDate: '1980-01-01' };
const device = { name: 'Device', address: '127.0.0.1', canRetrieve: true, canStore: false, atOnce: false };

/** Counts the images that the gateway has acknowledged to the other archive. */
const counting = (acknowledged: { count: number }, service: Service): Service => {
  return (association, message) => {
    const before = acknowledged.count;
    const send: typeof association.send = (context, command, dataSet) => {
      if (command.completedSuboperations) acknowledged.count = before + command.completedSuboperations;
      return association.send(context, command, dataSet);
    };
    return service({ ...association, send }, message);
  };
};

it('loses no acknowledged image, and fetches each once, however often gateway and server are killed', async () => {
  console.log(`seed ${firstSeed}`);
  const random = randomFrom(firstSeed);
  const { db, clinics, patientId } = mortal;
  await dicomWebOf(other).addPatient(
    { personalNumber: '19800101-1234', firstName: 'Åsa', lastName: 'Lindström', birthDate: '1980-01-01' },
    numbers.map((number) => objectAt('2.25.391', named, number)),
  );
  const acknowledged = { count: 0 };
  const { port } = await archiveWithoutGet(other, {
    move: (service) => counting(acknowledged, service),
    retrieval: (retrieval) => ({ ...retrieval, onError: () => undefined }),
  });
  const gatewayPort = await freePort();
  const { customerId, adminId: createdBy } = other.clinics;
  const here = { ...device, seesWorklist: false, customerId, createdBy, aeTitle: 'DENTARIUM', port: gatewayPort };
  await other.db.transaction().execute((transaction) => insertDicomDevice(transaction, here));
  await db.transaction().execute(async (transaction) => {
    const there = { ...device, seesWorklist: false, customerId: clinics.customerId, createdBy: clinics.adminId, port };
    const deviceId = (await insertDicomDevice(transaction, { ...there, aeTitle: otherTitle })) ?? '';
    const study = { studyUid: '2.25.391.1', description: '', studyDate: null, patient, isSamePatient: false };
    const fetch = { customer_id: clinics.customerId, patient_id: patientId, device_id: deviceId };
    await insertFetch(transaction, { ...fetch, created_by: clinics.doctorId, studies: [study] });
  });

  const startGateway = () => mortal.start({ gatewayPort }, 'fetch-process.ts');
  const startServer = () => mortal.start({ fetches: true, retrySeconds: Array.from({ length: 60 }, () => 1) });
  let [gateway, server] = [startGateway(), startServer()];
  await Promise.all([gateway.url, server.url]);
  const fetched = async () => (await db.selectFrom('import_file').select('path').execute()).length;
  const kills = { gateway: 0, server: 0 };
  while ((await fetched()) < numbers.length && kills.gateway + kills.server < 8) {
    const goal = Math.min(numbers.length, (await fetched()) + 1 + random(10));
    await expect.poll(async () => (await fetched()) >= goal, { timeout: 60_000, interval: 5 }).toBe(true);
    if (random(2) === 0) {
      await gateway.kill();
      kills.gateway += 1;
      gateway = startGateway();
      await gateway.url;
    } else {
      await server.kill();
      kills.server += 1;
      server = startServer();
      await server.url;
    }
    expect(await fetched()).toBeGreaterThanOrEqual(acknowledged.count);
  }
  console.log(kills);
  expect(kills.gateway + kills.server).toBeGreaterThan(3);
  const ended = async () =>
    (await db.selectFrom('dicom_fetch').select(['ended_at', 'failure']).executeTakeFirst())?.ended_at ?? null;
  await expect.poll(ended, { timeout: 120_000 }).not.toBeNull();
  const step = async () => (await db.selectFrom('import_task').select('step').executeTakeFirst())?.step;
  await expect.poll(step, { timeout: 60_000 }).toBe(5);
  const images = await db.selectFrom('image').select('sop_instance_uid as uid').execute();
  expect(images.map(({ uid }) => uid).toSorted()).toEqual(numbers.map((number) => `2.25.391.1.1.${number}`).toSorted());
  const outcomes = await db.selectFrom('dicom_fetch_image').select('outcome').distinct().execute();
  expect(outcomes).toEqual([{ outcome: 'fetched' }]);
  expect(await db.selectFrom('import_task').select('id').execute()).toHaveLength(1);
}, 400_000);
