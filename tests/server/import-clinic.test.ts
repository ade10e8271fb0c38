import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ensureStandardTemplates } from '../../server/db/stores/templates.ts';
import { standardTemplate } from '../../server/domain/standard-templates.ts';
import { type ArchiveUnderTest, archiveUnderTest } from './archive-under-test.ts';
import { clinicImport } from './clinic-import.ts';
import { smallObject } from './small-object.ts';

let archive: ArchiveUnderTest;
let drive: ReturnType<typeof clinicImport>;
let asa: string;
let nils: string;

beforeAll(async () => {
  archive = await archiveUnderTest();
  drive = clinicImport(archive);
  const { customerId } = archive.clinics;
  await ensureStandardTemplates(archive.db);
  asa = await archive.addPatient();
  nils = await archive.addPatient({
    customerId,
    firstName: 'Nils',
    lastName: 'Berg',
    personalNumber: '19900202-2384',
    birthDate: '1990-02-02',
  });
});

afterAll(() => archive.close());

let uids = 0;
const uid = () => {
  uids += 1;
  return `2.25.77${uids}`;
};

const bergs = { PatientName: 'Berg^Nils', PatientID: '900202-2384', PatientBirthDate: '19900202' };
const object = (study: string, more: Parameters<typeof smallObject>[0] = {}) =>
  smallObject({ SOPInstanceUID: uid(), StudyInstanceUID: study, ...more });

test('studies are found in the files, each with the only patient whom its files name unambiguously', async () => {
  const [one, other, unnamed] = [uid(), uid(), uid()];
  const task = await drive.parsed({
    'a.dcm': object(one),
    'b.dcm': object(one, { InstanceNumber: 2 }),
    'c.dcm': object(other, { ...bergs, StudyDescription: 'Bitewing', StudyDate: '20250101', Modality: 'CR' }),
    'd.dcm': object(unnamed, { PatientName: 'Okänd^Olle', PatientID: 'CASE-7', PatientBirthDate: undefined }),
  });
  expect(task).toMatchObject({ step: 3, error: false, patientId: null });
  const studies = Object.fromEntries(task.studies.map((study) => [study.key, study]));
  expect(studies[one]).toMatchObject({
    kind: 'dicom',
    description: 'Check-up',
    studyDate: '2026-03-12',
    modalities: ['IO'],
    filesCount: 2,
    named: { name: 'Lindström^Åsa' },
    namesSeveral: false,
    match: 'same',
    obstacles: [],
    inArchive: null,
    patient: { id: asa, personalNumber: '19800101-1234' },
    decision: { patientId: asa, leftOut: false },
    candidates: [{ patient: { id: asa }, match: 'same' }],
  });
  expect(studies[other]).toMatchObject({ patient: { id: nils }, modalities: ['CR'], filesCount: 1, match: 'same' });
  expect(studies[unnamed]).toMatchObject({
    patient: null,
    match: 'unknown',
    candidates: [],
    obstacles: ['patient-missing'],
  });
  expect(task.files.map((file) => file.studyKey)).toEqual([one, one, other, unnamed]);
  expect(task.files[2]).toMatchObject({ path: 'c.dcm', patient: { match: 'same' }, acquiredAt: '2025-01-01' });

  const waits = await drive.confirm(task.id);
  expect([waits.status, await waits.json()]).toMatchObject([
    400,
    { code: 'invalid-request', errors: [{ fieldKey: 'patientId' }] },
  ]);
  await drive.decided(task.id, unnamed, { leftOut: true });
  const done = await drive.imported(task.id);
  expect(done.files.map(({ status }) => status)).toEqual(['imported', 'imported', 'imported', 'left-out']);
  const rows = await archive.db.selectFrom('study').select(['uid', 'patient_id']).orderBy('uid').execute();
  expect(Object.fromEntries(rows.map((row) => [row.uid, row.patient_id]))).toEqual({ [one]: asa, [other]: nils });
  const changed = archive.events.filter(({ event }) => event.name === 'PatientChanged').map(({ event }) => event.body);
  expect(changed).toEqual(expect.arrayContaining([{ patientId: asa }, { patientId: nils }]));
});

test('a mismatch is confirmed for one patient only', async () => {
  const study = uid();
  const { id } = await drive.parsed({ 'a.dcm': object(study) });
  expect(await drive.decided(id, study, { patientId: nils })).toMatchObject({
    match: 'differs',
    obstacles: ['mismatch-not-confirmed'],
    patient: { id: nils },
  });
  expect(await (await drive.confirm(id)).json()).toMatchObject({ code: 'mismatch-not-confirmed' });
  // No patient was sent with the confirmation, so it is rejected.
  expect(await (await drive.confirm(id, { mismatchConfirmed: true })).json()).toMatchObject({
    code: 'mismatch-not-confirmed',
  });
  expect(await drive.decided(id, study, { patientId: nils, mismatchConfirmed: true })).toMatchObject({ obstacles: [] });
  expect(await drive.decided(id, study, { patientId: asa })).toMatchObject({
    decision: { mismatchConfirmed: false },
    match: 'same',
  });
  expect(await drive.decided(id, study, { patientId: nils })).toMatchObject({ obstacles: ['mismatch-not-confirmed'] });
  const mismatch = await drive.confirm(id, { patientId: asa, mismatchConfirmed: true });
  expect(mismatch.status).toBe(200);
  await archive.waitForStep(id, 5);
  const row = await archive.db.selectFrom('study').select('patient_id').where('uid', '=', study).executeTakeFirst();
  expect(row?.patient_id).toBe(asa);
});

test('files of one study that name two patients get no default patient', async () => {
  const study = uid();
  const task = await drive.parsed({ 'a.dcm': object(study), 'b.dcm': object(study, bergs) });
  expect(task.studies).toMatchObject([{ namesSeveral: true, patient: null, obstacles: ['patient-missing'] }]);
  const decided = await drive.decided(task.id, study, { patientId: asa });
  expect(decided).toMatchObject({ match: 'differs', obstacles: ['mismatch-not-confirmed'] });
  const { files } = await archive.task(task.id);
  expect(files.map(({ patient }) => patient?.match)).toEqual(['same', 'differs']);
});

test('a study that the archive holds for another patient waits for the right one', async () => {
  const study = uid();
  const stored = object(study);
  await archive.importAll(asa, { 'a.dcm': stored });
  const task = await drive.parsed({ 'a.dcm': stored, 'b.dcm': object(study) });
  expect(task.studies).toMatchObject([
    { inArchive: { patient: { id: asa }, images: 1 }, alreadyHasViewSet: false, filesCount: 2, obstacles: [] },
  ]);
  const other = await drive.decided(task.id, study, { patientId: nils, mismatchConfirmed: true });
  expect(other.obstacles).toEqual(['study-of-another-patient']);
  expect(await (await drive.confirm(task.id)).json()).toMatchObject({ code: 'study-of-another-patient' });
  await drive.decided(task.id, study, { patientId: asa });
  const done = await drive.imported(task.id);
  expect(done.files.map(({ status }) => status)).toEqual(['duplicate', 'imported']);
});

test('a decision may reference only records of the clinic and the import', async () => {
  const { otherCustomerId, otherDoctorId } = archive.clinics;
  const study = uid();
  const { id, files } = await drive.parsed({ 'a.dcm': object(study) });
  const foreign = await archive.addPatient({ customerId: otherCustomerId, personalNumber: '19700101-2391' });
  const fmx = standardTemplate('fmx18').uuid;
  const expectRejected = async (decision: object, as?: string) =>
    (await (await archive.post('/resource/ImageImport/decide', { id, key: study, ...decision }, as)).json()).code;
  expect(await expectRejected({ patientId: foreign })).toBe('not-found');
  expect(await expectRejected({ patientId: randomUUID() })).toBe('not-found');
  expect(await expectRejected({ leftOut: true }, otherDoctorId)).toBe('import-not-found');
  expect(await expectRejected({ viewSetTemplateUuid: randomUUID() })).toBe('not-found');
  expect(await expectRejected({ studyUid: '2.25.1' })).toBe('invalid-request');
  const file = files[0]?.id ?? '';
  const links = (imagesHashMap: object) => expectRejected({ viewSetTemplateUuid: fmx, imagesHashMap });
  expect(await links({ '0': randomUUID() })).toBe('invalid-request');
  expect(await links({ '99': file })).toBe('invalid-request');
  expect(await links({ '0': file, '1': file })).toBe('invalid-request');
  const { id: elsewhere } = await drive.parsed({ 'b.dcm': object(study) });
  const [foreignFile] = (await archive.task(elsewhere)).files;
  expect(await links({ '0': foreignFile?.id })).toBe('invalid-request');
  expect(await (await drive.decide(id, '2.25.404', { leftOut: true })).json()).toMatchObject({ code: 'not-found' });
  expect(await drive.decided(id, study, { viewSetTemplateUuid: fmx, imagesHashMap: { '3': file } })).toMatchObject({
    decision: { viewSetTemplateUuid: fmx, imagesHashMap: { '3': file } },
  });

  // A template of another clinic.
  const made = await archive.db.selectFrom('template').selectAll().where('id', '=', fmx).executeTakeFirstOrThrow();
  const own = { ...made, id: randomUUID(), customer_id: otherCustomerId, items: JSON.stringify(made.items) };
  await archive.db.insertInto('template').values(own).execute();
  expect(await expectRejected({ viewSetTemplateUuid: own.id })).toBe('not-found');
});

test('rights of the role apply to imports too', async () => {
  const study = uid();
  const { id } = await drive.parsed({ 'a.dcm': object(study) });
  const { doctorId } = archive.clinics;
  const doctor = archive.principals.get(doctorId);
  if (!doctor) throw new Error('no doctor');
  const withoutClaim = (claim: string) =>
    archive.principals.set(doctorId, { ...doctor, permissions: [...doctor.permissions, claim] });
  try {
    withoutClaim('disable.new_series');
    const mount = await drive.decide(id, study, { viewSetTemplateUuid: standardTemplate('fmx18').uuid });
    expect(await mount.json()).toMatchObject({ code: 'no-right', claims: ['disable.new_series'] });
    withoutClaim('disable.new_study');
    expect(await (await drive.confirm(id)).json()).toMatchObject({ code: 'no-right', claims: ['disable.new_study'] });
  } finally {
    archive.principals.set(doctorId, doctor);
  }
  expect((await drive.confirm(id)).status).toBe(200);
});

test('creating an import again with the same id and values returns it; with others it is a conflict', async () => {
  const { customerId, otherCustomerId, otherDoctorId } = archive.clinics;
  const id = randomUUID();
  const body = { id, patientId: null, customerId, kind: 'dicomdir', name: 'Skiva', totalFilesCount: 3 };
  const begin = async (changes: object, as?: string) => {
    const reply = await archive.post('/resource/ImageImport', { ...body, ...changes }, as);
    return (await reply.json()).code ?? 'begun';
  };
  expect(await Promise.all([begin({}), begin({}), begin({})])).toEqual(['begun', 'begun', 'begun']);
  expect(await begin({ totalFilesCount: 4 })).toBe('conflict');
  expect(await begin({ customerId: otherCustomerId }, otherDoctorId)).toBe('conflict');
  expect(await begin({ id: randomUUID(), customerId: otherCustomerId })).toBe('not-found');
  expect(await begin({ id: randomUUID(), patientId: asa, customerId: otherCustomerId })).toBe('invalid-request');
  const count = await archive.db.selectFrom('import_task').select('id').where('id', '=', id).execute();
  expect(count).toHaveLength(1);
  const ownTasks = await (await archive.call(`/resource/ImageImport?customerId=${customerId}`)).json();
  expect(ownTasks.map((task: { id: string }) => task.id)).toContain(id);
  const otherTasks = await archive.call(`/resource/ImageImport?customerId=${customerId}`, { as: otherDoctorId });
  expect(otherTasks.status).toBe(404);
  await drive.cancel(id);
  const left = await (await archive.call(`/resource/ImageImport?customerId=${customerId}`)).json();
  expect(left.map((task: { id: string }) => task.id)).not.toContain(id);
});

test('the patients shown are in the access log', async () => {
  const study = uid();
  const { id } = await drive.parsed({ 'a.dcm': object(study) });
  const seen = await archive.db
    .selectFrom('access_log')
    .select('patient_id')
    .where('object_id', '=', id)
    .where('action', '=', 'patient.listed')
    .execute();
  expect(seen.map((row) => row.patient_id)).toContain(asa);
});
