import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Order } from '../../contract/orders.ts';
import { type ArchiveUnderTest, archiveUnderTest } from './archive-under-test.ts';
import { objectAt } from './dicomweb-under-test.ts';
import { type GatewayUnderTest, gatewayTitle, gatewayUnderTest } from './gateway-under-test.ts';
import { orderBody } from './order-body.ts';
import { deviceOf, quickTimes } from './receiving.ts';

const run = promisify(execFile);
const isInstalled = ['findscu', 'storescu'].every((name) => existsSync(`/usr/bin/${name}`));
if (!isInstalled) console.log('DCMTK is not installed: the worklist is not tested with it.');

let archive: ArchiveUnderTest;
let gateway: GatewayUnderTest;
let patientId: string;
let unitId: string;
const named = { PatientID: '19800101-1234', PatientName: 'Lindström^Åsa', PatientBirthDate: '19800101' };

const createOrder = async (more: object = {}): Promise<Order> => {
  const body = { ...orderBody(), patientId, ...more };
  const reply = await archive.post('/resource/orders/create', body, archive.clinics.doctorId);
  expect(reply.status, await reply.clone().text()).toBe(200);
  return reply.json();
};
const statusOf = async (id: string) =>
  (await archive.db.selectFrom('imaging_order').select('status').where('id', '=', id).executeTakeFirst())?.status;
const step = 'ScheduledProcedureStepSequence[0]';
const everything = [
  'PatientName',
  'PatientID',
  'PatientBirthDate',
  'PatientSex',
  'AccessionNumber',
  'StudyInstanceUID',
  'RequestedProcedureID',
  'RequestedProcedureDescription',
  `${step}.Modality`,
  `${step}.ScheduledStationAETitle`,
  `${step}.ScheduledProcedureStepStartDate`,
  `${step}.ScheduledProcedureStepStartTime`,
  `${step}.ScheduledProcedureStepDescription`,
  `${step}.ScheduledProcedureStepID`,
];
/** What `findscu` prints of the answers to a query for the worklist. */
const find = async (values: readonly string[] = [], aeTitle = 'UNIT'): Promise<string> => {
  const keys = [...everything, ...values].flatMap((key) => ['-k', key]);
  const called = ['-aet', aeTitle, '-aec', gatewayTitle, '127.0.0.1', String(gateway.port)];
  const { stdout, stderr } = await run('findscu', ['-W', ...keys, ...called]);
  return stdout + stderr;
};
/** Study UIDs in the answers. */
const found = async (values?: readonly string[], aeTitle?: string) =>
  [...(await find(values, aeTitle)).matchAll(/UI \[(2\.25\.\d+)/g)].flatMap(([, uid]) => uid ?? []);
const imagePatient = async (sopInstanceUid: string) =>
  (
    await archive.db
      .selectFrom('image')
      .innerJoin('series', 'series.id', 'image.series_id')
      .innerJoin('study', 'study.id', 'series.study_id')
      .select(['study.patient_id', 'study.uid'])
      .where('sop_instance_uid', '=', sopInstanceUid)
      .executeTakeFirst()
  )?.patient_id;

describe('the worklist', () => {
  beforeAll(async () => {
    archive = await archiveUnderTest({ receivingTimes: quickTimes });
    gateway = await gatewayUnderTest(archive);
    patientId = await archive.addPatient();
  });
  afterAll(async () => {
    await gateway?.close();
    await archive?.close();
  });
  beforeEach(async () => {
    await archive.db.deleteFrom('imaging_order').execute();
    await archive.db.deleteFrom('performed_step').execute();
    await archive.db.deleteFrom('dicom_device').execute();
    const rights = { canRetrieve: false, canStore: true, seesWorklist: true };
    unitId = await gateway.addDevice({ aeTitle: 'UNIT', name: 'Panorama', ...rights });
    return () => expect(gateway.failures).toEqual([]);
  });

  describe.skipIf(!isInstalled)('asked for by DCMTK', () => {
    it('has the patient, the study and the step of an order, and its image goes to the patient without a question', async () => {
      const order = await createOrder({ procedure: 'Panorama före kirurgi' });
      const text = await find();
      for (const value of [
        'Lindstr',
        '19800101-1234',
        '19800101',
        order.accessionNumber,
        order.studyUid,
        'Panorama f',
        'PX',
        'UNIT',
        '20260131',
        '093000',
      ])
        expect(text).toContain(value);
      expect(text).toContain('ISO_IR 100');
      const folder = mkdtempSync(path.join(os.tmpdir(), 'dentarium-unit-'));
      const root = `2.25.${BigInt(`0x${randomUUID().replaceAll('-', '').slice(0, 20)}`)}`;
      for (const number of [1, 2]) {
        const file = path.join(folder, 'image.dcm');
        const change = { ...named, StudyInstanceUID: order.studyUid, AccessionNumber: order.accessionNumber };
        writeFileSync(file, objectAt(root, change, number));
        await run('storescu', ['-aet', 'UNIT', '-aec', gatewayTitle, '127.0.0.1', String(gateway.port), file]);
        await expect.poll(() => imagePatient(`${root}.1.1.${number}`), { timeout: 20_000 }).toBe(patientId);
      }
      rmSync(folder, { recursive: true });
      expect(await statusOf(order.id)).toBe('in-progress');
      const seen = await archive.db.selectFrom('access_log').selectAll().where('object_id', '=', order.id).execute();
      expect(seen.map(({ action, account_id }) => [action, account_id])).toContainEqual(['order.listed', unitId]);
    });

    it('matches each key, alone and together', async () => {
      const stationId = await gateway.addDevice({ aeTitle: 'CBCT', seesWorklist: true });
      const panorama = await createOrder();
      const volume = await createOrder({ modality: 'CT', day: '2026-02-03', time: '14:05', stationId });
      const both = [panorama.studyUid, volume.studyUid];
      for (const [values, expected] of [
        [['PatientName=lind*'], both],
        [['PatientName=Berg*'], []],
        [['PatientID=19800101-1234'], both],
        [['PatientID=19800101-1235'], []],
        [[`AccessionNumber=${volume.accessionNumber}`], [volume.studyUid]],
        [[`RequestedProcedureID=${panorama.accessionNumber}`], [panorama.studyUid]],
        [[`StudyInstanceUID=${volume.studyUid}`], [volume.studyUid]],
        [[`${step}.Modality=CT`], [volume.studyUid]],
        [[`${step}.ScheduledStationAETitle=CBCT`], [volume.studyUid]],
        [[`${step}.ScheduledStationAETitle=UNIT`], [panorama.studyUid]],
        [[`${step}.ScheduledProcedureStepStartDate=20260131`], [panorama.studyUid]],
        [[`${step}.ScheduledProcedureStepStartDate=20260131-20260203`], both],
        [[`${step}.ScheduledProcedureStepStartDate=20260204-`], []],
        [[`${step}.ScheduledProcedureStepStartTime=1400-1430`], [volume.studyUid]],
        [['PatientName=Lind*', `${step}.Modality=PX`], [panorama.studyUid]],
      ] as const)
        expect(await found(values), values.join(' ')).toEqual(expected);
    });

    it('is open orders of the clinic of the device only', async () => {
      const [open, cancelled, done] = [await createOrder(), await createOrder(), await createOrder()];
      await archive.post('/resource/orders/cancel', { id: cancelled.id }, archive.clinics.doctorId);
      await archive.db.updateTable('imaging_order').set({ status: 'completed' }).where('id', '=', done.id).execute();
      expect(await found()).toEqual([open.studyUid]);
      const { otherCustomerId } = archive.clinics;
      await gateway.addDevice({ aeTitle: 'THEIRS', customerId: otherCustomerId, seesWorklist: true });
      expect(await found([], 'THEIRS')).toEqual([]);
    });

    it('leaves out protected identities, except by the complete personal number, and deleted patients', async () => {
      const { studyUid } = await createOrder();
      const change = (set: object) => archive.db.updateTable('patient').set(set).where('id', '=', patientId).execute();
      await change({ has_protected_identity: true });
      expect(await found()).toEqual([]);
      expect(await found(['PatientID=19800101-1234'])).toEqual([studyUid]);
      await change({ has_protected_identity: false, deleted_at: new Date() });
      expect(await found()).toEqual([]);
      await change({ deleted_at: null });
    });

    it('is refused to a device without this right', async () => {
      await gateway.addDevice({ aeTitle: 'PACS', canStore: true, seesWorklist: false });
      await expect(find([], 'PACS')).rejects.toThrow('No Acceptable Presentation Contexts');
    });
  });

  describe('images of an ordered study', () => {
    const uidOf = () => `2.25.${BigInt(`0x${randomUUID().replaceAll('-', '').slice(0, 20)}`)}`;
    const send = (order: Order, changes: object) => {
      const SOPInstanceUID = uidOf();
      const study = { StudyInstanceUID: order.studyUid, SeriesInstanceUID: uidOf(), SOPInstanceUID };
      return deviceOf(archive).sendStudy({ ...study, ...changes });
    };

    it('wait for a user where the patient id, name or birth date is not that of the patient', async () => {
      const order = await createOrder();
      for (const [key, value] of [
        ['PatientID', '19800101-1235'],
        ['PatientID', 'X1'],
        ['PatientName', 'Berg^Nils'],
        ['PatientBirthDate', '19800102'],
      ] as const)
        expect(await send(order, { ...named, [key]: value }), key).toMatchObject({ step: 3, confirmed_by: null });
      expect(await statusOf(order.id)).toBe('scheduled');
    });

    it('name no patient by default where they name another one in full', async () => {
      const order = await createOrder();
      const { customerId } = archive.clinics;
      const other = { firstName: 'Nils', lastName: 'Berg', personalNumber: '19810102-1236', birthDate: '1981-01-02' };
      await archive.addPatient({ customerId, ...other });
      const theirs = { PatientID: '19810102-1236', PatientName: 'Berg^Nils', PatientBirthDate: '19810102' };
      const { id, step: at } = await send(order, theirs);
      expect(at).toBe(3);
      const rows = await archive.db.selectFrom('import_study').selectAll().where('task_id', '=', id).execute();
      expect(rows.map(({ patient_id }) => patient_id)).toEqual([null]);
    });

    it('go in also by the name alone', async () => {
      const order = await createOrder();
      const { step: at } = await send(order, { PatientID: '', PatientName: 'Lindstrom^Asa', PatientBirthDate: '' });
      expect(at).toBeGreaterThan(3);
      await expect.poll(() => statusOf(order.id), { timeout: 20_000 }).toBe('in-progress');
    });

    it('wait where they name no patient, or the order was cancelled', async () => {
      const order = await createOrder();
      const unnamed = { PatientID: '', PatientName: '', PatientBirthDate: '19800101' };
      expect(await send(order, unnamed)).toMatchObject({ step: 3, confirmed_by: null });
      await archive.post('/resource/orders/cancel', { id: order.id }, archive.clinics.doctorId);
      expect(await send(order, named)).toMatchObject({ step: 3, confirmed_by: null });
      expect(await statusOf(order.id)).toBe('cancelled');
    });

    it('wait where the order is of another clinic', async () => {
      const order = await createOrder();
      const { otherCustomerId: customerId } = archive.clinics;
      const device = deviceOf(archive, { customerId });
      const task = await device.sendStudy({ StudyInstanceUID: order.studyUid, SOPInstanceUID: uidOf(), ...named });
      expect(task).toMatchObject({ step: 3, customer_id: customerId });
    });
  });
});
