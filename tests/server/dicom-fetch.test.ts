import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { defaultClaims } from '../../contract/claims.ts';
import { importSteps } from '../../contract/imports.ts';
import { createAccessLog } from '../../server/access-log/access-log.ts';
import { openGateway } from '../../server/dicom-gateway/open-gateway.ts';
import { createObjectReceiver } from '../../server/imports/receive-object.ts';
import { freePort } from '../free-port.ts';
import type { ArchiveUnderTest } from './archive-under-test.ts';
import { archiveUnderTest } from './archive-under-test.ts';
import { dicomWebOf, objectAt } from './dicomweb-under-test.ts';
import { type FetchingUnderTest, fetchingArchive, fetchingUnderTest } from './fetching-under-test.ts';

let archive: ArchiveUnderTest;
/** The other archive: our own provider, with a database of its own. */
let other: ArchiveUnderTest;
let otherPort: number;
let fetching: FetchingUnderTest;
let patientId: string;
let close: () => Promise<void>;

const own = { PatientID: '19800101-1234', PatientName: 'Lindström^Åsa', PatientBirthDate: '19800101' };
const stranger = { PatientID: '19770707-7777', PatientName: 'Berg^Bo', PatientBirthDate: '19770707' };

beforeAll(async () => {
  archive = await fetchingArchive();
  other = await archiveUnderTest();
  fetching = fetchingUnderTest(archive);
  const device = fetchingUnderTest(other);
  await device.addDevice({ name: 'Dentarium', aeTitle: 'DENTARIUM', canRetrieve: true });
  await device.close();
  const gateway = await openGateway({
    db: other.db,
    files: other.archive.files,
    imaging: other.archive.imaging,
    accessLog: createAccessLog(other.db),
    receiver: createObjectReceiver({ db: other.db, filesPerImport: 100 }),
    filesPerImport: 100,
    maxObjectBytes: 1 << 30,
    aeTitle: 'PACS',
    host: '127.0.0.1',
    port: 0,
    tls: null,
    callTls: {},
    onEnd: () => undefined,
    onFailure: (error) => console.error(error),
  });
  otherPort = gateway.port;
  close = gateway.close;
  const dicomWeb = dicomWebOf(other);
  await dicomWeb.addPatient(
    { personalNumber: '19800101-1234', firstName: 'Åsa', lastName: 'Lindström', birthDate: '1980-01-01' },
    [
      objectAt('2.25.301', { ...own, StudyDescription: 'Status', StudyDate: '20260102' }, 1),
      objectAt('2.25.301', { ...own, StudyDescription: 'Status', StudyDate: '20260102' }, 2),
      objectAt('2.25.302', own, 1),
    ],
  );
  await dicomWeb.addPatient(
    { personalNumber: '19770707-7777', firstName: 'Åsa', lastName: 'Lindström', birthDate: '1977-07-07' },
    [objectAt('2.25.303', { ...stranger, PatientName: 'Lindström^Åsa' }, 1)],
  );
  patientId = await archive.addPatient({
    customerId: archive.clinics.customerId,
    personalNumber: '19800101-1234',
    firstName: 'Åsa',
    lastName: 'Lindström',
    birthDate: '1980-01-01',
  });
});
afterAll(async () => {
  await fetching?.close();
  await close?.();
  await archive?.close();
  await other?.close();
});
beforeEach(async () => {
  await archive.db.deleteFrom('dicom_fetch').execute();
  await archive.db.deleteFrom('dicom_device').execute();
});

const imagesOf = (id: string) =>
  archive.db
    .selectFrom('image')
    .innerJoin('series', 'series.id', 'image.series_id')
    .innerJoin('study', 'study.id', 'series.study_id')
    .select('sop_instance_uid as uid')
    .where('study.patient_id', '=', id)
    .orderBy('uid')
    .execute();

describe('fetching from another archive', () => {
  it('finds the studies of the patient by number, and fetches them into the patient', async () => {
    const deviceId = await fetching.addDevice({ port: otherPort });
    const found = await fetching.search({ deviceId, patientId, by: 'number' });
    expect(found.body).toMatchObject({ failure: null, isComplete: true });
    expect(found.body.studies).toHaveLength(2);
    expect(found.body.studies).toContainEqual({
      studyUid: '2.25.301.1',
      description: 'Status',
      studyDate: '2026-01-02',
      modalities: ['IO'],
      images: 2,
      patient: { name: 'Lindström^Åsa', patientId: '19800101-1234', birthDate: '1980-01-01' },
      differences: [],
      needsConfirmation: false,
      imagesHere: null,
      isOfAnotherPatient: false,
    });
    const id = await fetching.fetch({ deviceId, patientId }, found.body.studies);
    const done = await fetching.reaches(id, 'done');
    expect(done).toMatchObject({ failure: null, refusals: [], deviceName: 'PACS' });
    expect(done.studies.map(({ state, found: all, fetched }) => [state, all, fetched]).toSorted()).toEqual([
      ['imported', 1, 1],
      ['imported', 2, 2],
    ]);
    expect((await imagesOf(patientId)).map(({ uid }) => uid)).toEqual([
      '2.25.301.1.1.1',
      '2.25.301.1.1.2',
      '2.25.302.1.1.1',
    ]);
    const again = await fetching.search({ deviceId, patientId, by: 'number' });
    expect(again.body.studies.map((study: { imagesHere: number }) => study.imagesHere).toSorted()).toEqual([1, 2]);
    const twice = await fetching.reaches(await fetching.fetch({ deviceId, patientId }, again.body.studies), 'done');
    expect(twice.studies.map(({ state }) => state)).toEqual(['known', 'known']);
    expect(twice.refusals).toEqual([{ reason: 'known', images: 3 }]);
    expect(fetching.failures).toEqual([]);
    const entries = await archive.db
      .selectFrom('access_log')
      .select(['action', 'patient_id', 'detail'])
      .where('action', 'in', ['patient.queried', 'study.fetched', 'import.begun', 'import.confirmed'])
      .where('patient_id', '=', patientId)
      .execute();
    expect(entries.filter(({ action }) => action === 'patient.queried')).toHaveLength(2);
    expect(entries.filter(({ action }) => action === 'study.fetched')).toHaveLength(4);
    expect(entries.filter(({ action }) => action === 'import.confirmed')).toHaveLength(2);
  });

  it('never takes a study of a namesake without the confirmation that it is the same patient', async () => {
    const deviceId = await fetching.addDevice({ port: otherPort });
    const namesake = await archive.addPatient({
      customerId: archive.clinics.customerId,
      personalNumber: '19900909-9999',
      firstName: 'Åsa',
      lastName: 'Lindström',
      birthDate: null,
    });
    const { body } = await fetching.search({ deviceId, patientId: namesake, by: 'name' });
    const study = body.studies.find((one: { studyUid: string }) => one.studyUid === '2.25.303.1');
    expect(study).toMatchObject({ differences: ['number', 'birthDate'], needsConfirmation: true });
    const unconfirmed = { studyUid: study.studyUid, description: '', studyDate: null, patient: study.patient };
    const refused = await fetching.create({
      deviceId,
      patientId: namesake,
      studies: [{ ...unconfirmed, isSamePatient: false }],
    });
    expect(refused.status).toBe(409);
    expect((await refused.json()).code).toBe('mismatch-not-confirmed');
    expect(await fetching.list()).toEqual([]);
    // What was confirmed is another patient than the files name: a user decides.
    const lied = { ...study, patient: { name: 'Lindström^Åsa', patientId: '19900909-9999', birthDate: null } };
    const waits = await fetching.reaches(await fetching.fetch({ deviceId, patientId: namesake }, [lied], true), 'done');
    expect(waits.studies).toMatchObject([{ state: 'undecided', fetched: 1 }]);
    expect(await imagesOf(namesake)).toEqual([]);
    const done = await fetching.reaches(await fetching.fetch({ deviceId, patientId: namesake }, [study], true), 'done');
    expect(done.studies).toMatchObject([{ state: 'imported', fetched: 1 }]);
    expect(await imagesOf(namesake)).toEqual([{ uid: '2.25.303.1.1.1' }]);
  });

  it('says why a device gives no answer', async () => {
    const closed = await fetching.addDevice({ port: await freePort() });
    expect((await fetching.search({ deviceId: closed, patientId, by: 'number' })).body).toMatchObject({
      failure: 'unreachable',
      studies: [],
    });
    const wrong = await fetching.addDevice({ port: otherPort, aeTitle: 'WRONG' });
    expect((await fetching.search({ deviceId: wrong, patientId, by: 'number' })).body.failure).toBe('rejected');
    const study = { studyUid: '2.25.9', description: '', studyDate: null, patient: own };
    const patient = { name: 'Lindström^Åsa', patientId: '19800101-1234', birthDate: '1980-01-01' };
    const reply = await fetching.create({
      deviceId: wrong,
      patientId,
      studies: [{ ...study, patient, isSamePatient: false }],
    });
    const { id } = await reply.json();
    expect(await fetching.reaches(id, 'failed')).toMatchObject({ failure: 'rejected', studies: [{ state: 'failed' }] });
  });

  it('asks only devices of the clinic of the patient, and only for patients of a clinic of the user', async () => {
    const deviceId = await fetching.addDevice({ port: otherPort });
    const elsewhere = await fetching.addDevice({ customerId: archive.clinics.otherCustomerId, aeTitle: 'OTHER' });
    const { otherDoctorId, doctorId } = archive.clinics;
    for (const id of [elsewhere, randomUUID()])
      expect((await fetching.search({ deviceId: id, patientId, by: 'number' })).status).toBe(404);
    expect((await fetching.search({ deviceId, patientId, by: 'number' }, otherDoctorId)).status).toBe(404);
    const principal = archive.principals.get(doctorId);
    if (!principal) throw new Error('there is no doctor');
    archive.principals.set('limited', { ...principal, permissions: [...principal.permissions, 'disable.new_study'] });
    onTestFinished(() => void archive.principals.delete('limited'));
    expect((await fetching.search({ deviceId, patientId, by: 'number' }, 'limited')).status).toBe(403);
  });

  it('is stopped by its user only, and nothing more of it is imported', async () => {
    await fetching.stop();
    const deviceId = await fetching.addDevice({ port: otherPort });
    const patient = { name: 'Lindström^Åsa', patientId: '19800101-1234', birthDate: '1980-01-01' };
    const study = { studyUid: '2.25.302.1', description: '', studyDate: null, patient, isSamePatient: false };
    const { id } = await (await fetching.create({ deviceId, patientId, studies: [study] })).json();
    const { adminId } = archive.clinics;
    expect(await fetching.list(adminId)).toEqual([]);
    expect((await fetching.cancel(id, adminId)).status).toBe(404);
    expect((await fetching.remove(id)).status).toBe(409);
    expect((await fetching.cancel(id)).status).toBe(200);
    fetching.restart();
    expect(await fetching.byId(id)).toMatchObject({ state: 'cancelled', failure: null });
    expect((await fetching.remove(id)).status).toBe(200);
    expect(await fetching.list()).toEqual([]);
  });
});

describe('a user who may not import into new studies any more', () => {
  const patient = { name: 'Lindström^Åsa', patientId: '19800101-1234', birthDate: '1980-01-01' };
  const study = { description: '', studyDate: null, patient, isSamePatient: false };
  const imported = () =>
    archive.db.selectFrom('import_task').select('id').where('step', '=', importSteps.done).execute();
  const limit = async (isLimited: boolean) => {
    const { role_id: roleId } = await archive.db
      .selectFrom('account')
      .select('role_id')
      .where('id', '=', archive.clinics.doctorId)
      .executeTakeFirstOrThrow();
    const claims = isLimited ? [...defaultClaims.Doctor, 'disable.new_study'] : [...defaultClaims.Doctor];
    await archive.db.updateTable('role').set({ claims }).where('id', '=', roleId).execute();
  };
  const activate = (isActive: boolean) =>
    archive.db.updateTable('account').set({ is_active: isActive }).where('id', '=', archive.clinics.doctorId).execute();

  it.each([
    ['lost the right', () => limit(true), () => limit(false)],
    ['is disabled', () => activate(false), () => activate(true)],
  ])('gets nothing when the account %s before it runs: the fetch stops, and says why', async (_, take, give) => {
    await fetching.stop();
    const before = await imported();
    fetching.attempts.length = 0;
    const deviceId = await fetching.addDevice({ port: otherPort });
    const reply = await fetching.create({ deviceId, patientId, studies: [{ ...study, studyUid: '2.25.302.1' }] });
    const { id } = await reply.json();
    onTestFinished(async () => void (await give()));
    await take();
    fetching.restart();
    expect(await fetching.reaches(id, 'failed')).toMatchObject({ failure: 'not-allowed' });
    expect(fetching.attempts).toEqual([{ deviceId, to: 'fetch', failure: 'not-allowed' }]);
    const logged = await archive.db
      .selectFrom('access_log')
      .select('id')
      .where('action', '=', 'study.fetched')
      .where('object_id', '=', id)
      .execute();
    expect(logged).toEqual([]);
    expect(await imported()).toEqual(before);
  });
});

describe('a failed attempt', () => {
  it('is reported with the device and the reason, and without data of the patient', async () => {
    fetching.attempts.length = 0;
    const deviceId = await fetching.addDevice({ port: await freePort() });
    const patient = { name: 'Lindström^Åsa', patientId: '19800101-1234', birthDate: '1980-01-01' };
    const study = { studyUid: '2.25.302.1', description: '', studyDate: null, patient, isSamePatient: false };
    const { id } = await (await fetching.create({ deviceId, patientId, studies: [study] })).json();
    await fetching.reaches(id, 'failed');
    const attempt = { deviceId, to: 'fetch', failure: 'unreachable' };
    expect(fetching.attempts).toEqual([attempt, attempt, attempt]);
  });
});
