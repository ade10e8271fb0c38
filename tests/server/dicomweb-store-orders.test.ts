import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { type Claim, defaultClaims } from '../../contract/claims.ts';
import type { Order } from '../../contract/orders.ts';
import { type ArchiveUnderTest, archiveUnderTest } from './archive-under-test.ts';
import { storeIn } from './dicomweb-store-under-test.ts';
import { orderBody } from './order-body.ts';
import { deviceOf, quickTimes } from './receiving.ts';
import { smallObject } from './small-object.ts';

let archive: ArchiveUnderTest;
let web: ReturnType<typeof storeIn>;
let patientId: string;
const named = { PatientID: '19800101-1234', PatientName: 'Lindström^Åsa', PatientBirthDate: '19800101' };

beforeAll(async () => {
  archive = await archiveUnderTest({ receivingTimes: quickTimes });
  web = storeIn(archive);
  const { customerId } = archive.clinics;
  const patient = { firstName: 'Åsa', lastName: 'Lindström', personalNumber: '19800101-1234', birthDate: '1980-01-01' };
  patientId = await archive.addPatient({ customerId, ...patient });
});
afterAll(() => archive?.close());

const newUid = () => `2.25.${BigInt(`0x${randomUUID().replaceAll('-', '').slice(0, 20)}`)}`;
const createOrder = async (): Promise<Order> =>
  (await archive.post('/resource/orders/create', { ...orderBody(), patientId }, archive.clinics.doctorId)).json();
const statusOf = async ({ id }: Order) =>
  (await archive.db.selectFrom('imaging_order').select('status').where('id', '=', id).executeTakeFirst())?.status;

/** Stores an image of an ordered study, by default as a service account, and returns its UID and its import. */
const storeFor = async (order: Order, changes: object, sender?: string) => {
  const uid = newUid();
  const ofStudy = { StudyInstanceUID: order.studyUid, SeriesInstanceUID: newUid(), SOPInstanceUID: uid };
  const as = sender ?? (await web.addService());
  expect(await web.store([smallObject({ ...ofStudy, ...changes })], { as })).toMatchObject({
    status: 200,
    stored: [uid],
  });
  const { id } = await archive.db
    .selectFrom('import_task')
    .select('id')
    .where('source_id', '=', as)
    .where('source_study', '=', order.studyUid)
    .orderBy('created_at', 'desc')
    .executeTakeFirstOrThrow();
  return { uid, id, task: await deviceOf(archive).judged(id) };
};
const patientOf = async (uid: string) =>
  (
    await archive.db
      .selectFrom('image')
      .innerJoin('series', 'series.id', 'image.series_id')
      .innerJoin('study', 'study.id', 'series.study_id')
      .select('study.patient_id')
      .where('sop_instance_uid', '=', uid)
      .executeTakeFirst()
  )?.patient_id;

describe('an image that is stored by DICOMweb with the study of an order', () => {
  it('goes to the patient of the order without a question, also from an account that may not import at once', async () => {
    const order = await createOrder();
    const { uid, id } = await storeFor(order, named);
    expect(await archive.waitForStep(id, 5)).toMatchObject({ step: 5, error: false });
    expect(await patientOf(uid)).toBe(patientId);
    expect(await statusOf(order)).toBe('in-progress');
  });

  it.each([
    ['PatientID', '19800101-1235'],
    ['PatientName', 'Berg^Nils'],
    ['PatientBirthDate', '19800102'],
  ])('waits for a user where its %s is another one', async (key, value) => {
    const order = await createOrder();
    const { uid, task } = await storeFor(order, { ...named, [key]: value });
    expect(task).toMatchObject({ step: 3, confirmed_by: null });
    expect(await patientOf(uid)).toBeUndefined();
    expect(await statusOf(order)).toBe('scheduled');
  });
});

describe('an image that a user stores by DICOMweb with the study of an order', () => {
  /** Takes rights of the doctor's role away until the test ends. */
  const limit = async (...limits: readonly Claim[]) => {
    const { doctorId } = archive.clinics;
    const ofDoctor = archive.db.selectFrom('account').select('role_id').where('id', '=', doctorId);
    const set = async (claims: readonly string[]) => {
      await archive.db
        .updateTable('role')
        .set({ claims: [...claims] })
        .where('id', '=', ofDoctor)
        .execute();
    };
    await set([...defaultClaims.Doctor, ...limits]);
    onTestFinished(() => set(defaultClaims.Doctor));
  };

  it('goes to the patient of the order when the user may create studies', async () => {
    const { uid, id } = await storeFor(await createOrder(), named, archive.clinics.doctorId);
    expect(await archive.waitForStep(id, 5)).toMatchObject({ step: 5, error: false });
    expect(await patientOf(uid)).toBe(patientId);
  });

  it('waits for another user when the sender may not create studies; a later image of the study does not', async () => {
    const { doctorId } = archive.clinics;
    const order = await createOrder();
    await limit('disable.new_study');
    const { uid, task } = await storeFor(order, named, doctorId);
    expect(task).toMatchObject({ step: 3, error: false, confirmed_by: null });
    expect(await patientOf(uid)).toBeUndefined();
    const byService = await storeFor(order, named);
    await archive.waitForStep(byService.id, 5);
    expect(await patientOf(byService.uid)).toBe(patientId);
    const later = await storeFor(order, named, doctorId);
    await archive.waitForStep(later.id, 5);
    expect(await patientOf(later.uid)).toBe(patientId);
  });

  it('waits for another user when the account of the sender is disabled before it is read', async () => {
    const { doctorId } = archive.clinics;
    const activate = async (isActive: boolean) => {
      await archive.db.updateTable('account').set({ is_active: isActive }).where('id', '=', doctorId).execute();
    };
    const order = await createOrder();
    await activate(false);
    onTestFinished(() => activate(true));
    expect((await storeFor(order, named, doctorId)).task).toMatchObject({ step: 3, confirmed_by: null });
  });
});

it('a user who may not open images stores them, as in the browser, and neither finds nor fetches them', async () => {
  const { customerId, doctorId } = archive.clinics;
  const doctor = archive.principals.get(doctorId);
  if (!doctor) throw new Error('no doctor');
  const as = 'may-not-open';
  archive.principals.set(as, { ...doctor, permissions: [...doctor.permissions, 'disable.open'] });
  const [study, series, uid] = [newUid(), newUid(), newUid()];
  const object = smallObject({ StudyInstanceUID: study, SeriesInstanceUID: series, SOPInstanceUID: uid });
  expect(await web.store([object], { as })).toMatchObject({ status: 200, stored: [uid] });
  for (const place of ['studies', `studies/${study}`]) {
    const reply = await archive.call(`/dicomweb/${customerId}/${place}`, { as });
    expect([reply.status, await reply.json()]).toMatchObject([403, { code: 'no-right', claims: ['disable.open'] }]);
  }
  const begun = await archive.post('/resource/ImageImport', { patientId, totalFilesCount: 1 }, as);
  expect(begun.status).toBe(200);
});
