import { rm } from 'node:fs/promises';
import type { Kysely } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { ImageDose, PatientDose } from '../../contract/dose.ts';
import type { DataSet } from '../../dicom/write/data-set.ts';
import { up } from '../../server/db/migrations/041-image-dose.ts';
import { smallObject } from './small-object.ts';
import { expectProblem, nowhere, type ViewsetBench, viewsetBench } from './viewset-bench.ts';

let bench: ViewsetBench;
beforeAll(async () => {
  bench = await viewsetBench();
});
afterAll(() => bench.close());

const today = new Date().toISOString().slice(0, 10).replaceAll('-', '');
let imported = 0;

/** Imports one image for each data set, and returns their ids once the doses are read. */
const add = async (patient: string, ...states: DataSet[]): Promise<string[]> => {
  const files = states.map((stated) => {
    imported += 1;
    const name = String(imported).padStart(4, '0');
    const uids = {
      SOPInstanceUID: `2.25.8${name}`,
      StudyInstanceUID: `2.25.6${name}`,
      SeriesInstanceUID: `2.25.5${name}`,
    };
    return [`${name}.dcm`, smallObject({ ...uids, StudyDate: today, AcquisitionDate: today, ...stated })] as const;
  });
  const { files: done } = await bench.importAll(patient, Object.fromEntries(files));
  bench.archive.doses.wake();
  await bench.archive.doses.idle();
  return done
    .toSorted((one, other) => (one.fileName < other.fileName ? -1 : 1))
    .map(({ imageUid }) => imageUid ?? 'not imported');
};
const newPatient = (number: string, customerId = bench.clinics.customerId) =>
  bench.addPatient({ customerId, personalNumber: number });
const ofImage = (id: string, as?: string) => bench.call(`/resource/dose/image/${id}`, { ...(as && { as }) });
const ofPatient = (id: string, as?: string) => bench.call(`/resource/dose/patient/${id}`, { ...(as && { as }) });
const imageDose = async (id: string): Promise<ImageDose> => (await ofImage(id)).json();
const patientDose = async (id: string): Promise<PatientDose> => (await ofPatient(id)).json();
const dap = (dGyCm2: string | null, more: DataSet = {}): DataSet => ({
  ImageAndFluoroscopyAreaDoseProduct: dGyCm2,
  ...more,
});

test('the values of an image are those of its file, null where it states none', async () => {
  const [id = ''] = await add(bench.patientId, dap('0.05', { KVP: 65, XRayTubeCurrent: 7, DeviationIndex: '-1.5' }));
  expect(await imageDose(id)).toEqual({
    tubeVoltageKv: 65,
    tubeCurrentMa: 7,
    exposureTimeMs: null,
    areaDoseMgyCm2: 5,
    entranceDoseMgy: null,
    exposureIndex: null,
    targetExposureIndex: null,
    deviationIndex: -1.5,
  });
});

test('the sums of a patient count an event once, and images without a stated dose beside it', async () => {
  const patient = await newPatient('19730502-9964');
  const lastYear = `${Number(today.slice(0, 4)) - 3}0615`;
  await add(
    patient,
    dap('0.05', { IrradiationEventUID: '2.25.31' }),
    dap('0.05', { IrradiationEventUID: '2.25.31' }),
    dap('0.07', { IrradiationEventUID: '2.25.32' }),
    dap(null),
    // Devices that do not measure it write 0.
    dap('0'),
    dap('1.2', { Modality: 'PX', StudyDate: lastYear, AcquisitionDate: lastYear }),
  );
  const { years, unread } = await patientDose(patient);
  expect(unread).toBe(0);
  expect(years).toEqual([
    {
      year: Number(today.slice(0, 4)),
      exposures: 4,
      stated: 2,
      areaDoseMgyCm2: 12,
      kinds: [{ kind: 'intraoral', exposures: 4, stated: 2, areaDoseMgyCm2: 12 }],
    },
    {
      year: Number(lastYear.slice(0, 4)),
      exposures: 1,
      stated: 1,
      areaDoseMgyCm2: 120,
      kinds: [{ kind: 'panoramic', exposures: 1, stated: 1, areaDoseMgyCm2: 120 }],
    },
  ]);
});

test('the median is of the clinic, of the last 12 months and of the kinds of the patient', async () => {
  const { otherCustomerId, otherDoctorId } = bench.clinics;
  const colleagues = await newPatient('19671009-9919', otherCustomerId);
  const patient = await newPatient('19800101-1234', otherCustomerId);
  const as = { account: otherDoctorId };
  const rows = await add(bench.patientId, ...['0.1', '0.2', '0.9', '5', '0.3'].map((dose) => dap(dose)));
  // Moved in the database, because the bench imports for one clinic.
  const [old = '', small = '', large = '', panoramic = '', own = ''] = rows;
  const place = async (id: string, patientId: string, changes: object = {}) => {
    const { series_id } = await bench.db
      .selectFrom('image')
      .select('series_id')
      .where('id', '=', id)
      .executeTakeFirstOrThrow();
    const { study_id } = await bench.db
      .selectFrom('series')
      .select('study_id')
      .where('id', '=', series_id)
      .executeTakeFirstOrThrow();
    await bench.db
      .updateTable('study')
      .set({ customer_id: otherCustomerId, patient_id: patientId })
      .where('id', '=', study_id)
      .execute();
    await bench.db
      .updateTable('image')
      .set({ customer_id: otherCustomerId, ...changes })
      .where('id', '=', id)
      .execute();
    return series_id;
  };
  await place(old, colleagues, { acquired_at: '2020-01-01T10:00:00' });
  await place(small, colleagues);
  await place(large, colleagues);
  const series = await place(panoramic, colleagues);
  await bench.db.updateTable('series').set({ modality: 'PX' }).where('id', '=', series).execute();
  await place(own, patient);
  const { medians }: PatientDose = await (await ofPatient(patient, as.account)).json();
  expect(medians).toEqual([{ kind: 'intraoral', exposures: 3, areaDoseMgyCm2: 30 }]);
});

test('images stored before doses were read get theirs from the files', async () => {
  const patient = await newPatient('19850303-1236');
  await add(patient, dap('0.05'));
  await bench.db.schema
    .alterTable('image')
    .dropColumn('dose_status')
    .dropColumn('irradiation_event')
    .dropColumn('area_dose')
    .execute();
  await up(bench.db as unknown as Kysely<unknown>);
  const before = await bench.db.selectFrom('image').select('dose_status').distinct().execute();
  expect(before).toEqual([{ dose_status: 'pending' }]);
  expect(await patientDose(patient)).toMatchObject({
    unread: 1,
    years: [{ exposures: 1, stated: 0, areaDoseMgyCm2: null }],
  });
  bench.archive.doses.wake();
  await bench.archive.doses.idle();
  expect(await patientDose(patient)).toMatchObject({
    unread: 0,
    years: [{ exposures: 1, stated: 1, areaDoseMgyCm2: 5 }],
  });
});

test('a missing file is an error of its image, and its dose stays unread', async () => {
  const patient = await newPatient('19900909-1233');
  const [id = '', intact = ''] = await add(patient, dap('0.05'), dap('0.06'));
  const { sha256 } = await bench.db.selectFrom('image').select('sha256').where('id', '=', id).executeTakeFirstOrThrow();
  await bench.db
    .updateTable('image')
    .set({ dose_status: 'pending', area_dose: null })
    .where('id', 'in', [id, intact])
    .execute();
  await rm(await bench.archive.files.localPath(sha256));
  bench.archive.doses.wake();
  await bench.archive.doses.idle();
  await expectProblem(await ofImage(id), 422, 'image-missing');
  expect(await patientDose(patient)).toMatchObject({
    unread: 1,
    years: [{ exposures: 2, stated: 1, areaDoseMgyCm2: 6 }],
  });
});

test('users of another clinic learn nothing', async () => {
  const [id = ''] = await add(bench.patientId, dap('0.05'));
  const stranger = bench.clinics.otherDoctorId;
  for (const image of [id, nowhere]) await expectProblem(await ofImage(image, stranger), 404, 'not-found');
  for (const patient of [bench.patientId, nowhere])
    await expectProblem(await ofPatient(patient, stranger), 404, 'not-found');
});
