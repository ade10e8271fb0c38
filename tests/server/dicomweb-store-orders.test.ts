import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
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

/** Stores an image of an ordered study as a service account, and returns its UID and its import. */
const storeFor = async (order: Order, changes: object) => {
  const uid = newUid();
  const ofStudy = { StudyInstanceUID: order.studyUid, SeriesInstanceUID: newUid(), SOPInstanceUID: uid };
  const as = await web.addService();
  expect(await web.store([smallObject({ ...ofStudy, ...changes })], { as })).toMatchObject({
    status: 200,
    stored: [uid],
  });
  const { id } = await archive.db
    .selectFrom('import_task')
    .select('id')
    .where('source_id', '=', as)
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
