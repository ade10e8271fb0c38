import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { customerDelete, customerGet } from '../../contract/customers.ts';
import {
  type DestructionOrder,
  destructionApprove,
  destructionList,
  destructionPropose,
  destructionRefuse,
  destructionRevoke,
} from '../../contract/destruction.ts';
import { type DuePatient, retentionDue } from '../../contract/retention.ts';
import { type AdministrationBench, administrationBench } from './administration-bench.ts';
import { archiveUnderTest } from './archive-under-test.ts';
import { addRecord, type RecordIds } from './authorization/record.ts';

let bench: AdministrationBench;
beforeAll(async () => {
  bench = await administrationBench();
  await bench.add('second', 'CustomerAdmin', bench.clinics.customerId);
  await bench.add('chief', 'SuperAdmin', null);
});
afterAll(() => bench?.close());

const hourMs = 3_600_000;
const reference = 'IVO 3.2.1-4711/2026';
const addPatient = async (customerId = bench.clinics.customerId): Promise<RecordIds> => {
  const ids = await addRecord(bench.db, customerId, { sha256: 'a'.repeat(64), sizeBytes: 1 });
  await bench.db.deleteFrom('destruction_order').where('id', '=', ids.destructionId).execute();
  return ids;
};
const makeOld = async ({ otherPatientId }: RecordIds): Promise<void> => {
  const at = new Date('2001-02-03');
  const dates = { entered_date: at, modified_date: at };
  await bench.db.updateTable('patient').set(dates).where('id', '=', otherPatientId).execute();
};
const propose = (who: string, subjectId: string, more: object = {}) =>
  bench.call(destructionPropose, who, {
    body: {
      customerId: bench.clinics.customerId,
      kind: 'patient',
      subjectId,
      basis: 'authority',
      reference,
      reason: 'Fel patient',
      ...more,
    },
  });
const proposed = async (subjectId: string, more: object = {}): Promise<string> =>
  (await propose('admin', subjectId, more)).body.id;
const approve = (who: string, id: string, typed = reference) =>
  bench.call(destructionApprove, who, { params: { id }, body: { reference: typed } });
const refuse = (who: string, id: string) => bench.call(destructionRefuse, who, { params: { id } });
const revoke = (who: string, id: string) => bench.call(destructionRevoke, who, { params: { id } });
const orders = async (who = 'admin', customerId = bench.clinics.customerId): Promise<DestructionOrder[]> =>
  (await bench.call(destructionList, who, { body: { customerId, ppage: 100 } })).body.data;
const orderOf = async (id: string) => (await orders()).find((one) => one.id === id);
const logOf = async (id: string) => (await bench.logged()).filter(({ object_id }) => object_id === id);

describe('a proposal', () => {
  it('is listed with what it names, who proposed it, and its reference', async () => {
    const ids = await addPatient();
    const id = await proposed(ids.patientId);
    expect(await orderOf(id)).toMatchObject({
      kind: 'patient',
      subjectId: ids.patientId,
      subject: { patientId: ids.patientId, studyDescription: null },
      basis: 'authority',
      reference,
      state: 'proposed',
      proposedBy: { id: bench.clinics.adminId },
      decidedBy: null,
      dueAt: null,
      counts: { patients: 0, studies: 0, images: 0, files: 0 },
    });
    expect(await logOf(id)).toMatchObject([
      { action: 'destruction.proposed', account_id: bench.clinics.adminId, detail: reference },
    ]);
  });

  it('names a study or an image with its study', async () => {
    const ids = await addPatient();
    const study = await proposed(ids.studyId, { kind: 'study' });
    const image = await proposed(ids.imageId, { kind: 'image' });
    const study_ = { patientId: ids.patientId, studyDescription: 'Prov' };
    expect((await orderOf(study))?.subject).toMatchObject({ ...study_, imageNumber: null });
    expect((await orderOf(image))?.subject).toMatchObject({ ...study_, imageNumber: 0 });
  });

  it('needs a decision of the authority while the retention goes on', async () => {
    const ids = await addPatient();
    const early = { status: 409, body: { code: 'retention-not-ended' } };
    expect(await propose('admin', ids.patientId, { basis: 'retention' })).toMatchObject(early);
    await makeOld(ids);
    expect((await propose('admin', ids.otherPatientId, { basis: 'retention' })).status).toBe(200);
    const { customerId } = bench.clinics;
    const other = await addPatient();
    await makeOld(other);
    const never = (retention_years: number | null) =>
      bench.db.updateTable('customer').set({ retention_years }).where('id', '=', customerId).execute();
    await never(null);
    expect(await propose('admin', other.otherPatientId, { basis: 'retention' })).toMatchObject(early);
    expect((await propose('admin', other.otherPatientId)).status).toBe(200);
    await never(10);
  });

  it('is the only open one of a record', async () => {
    const { patientId } = await addPatient();
    const replies = await Promise.all([propose('admin', patientId), propose('second', patientId)]);
    expect(replies.map(({ status }) => status).sort()).toEqual([200, 409]);
    const id = replies.find(({ status }) => status === 200)?.body.id;
    expect(await propose('admin', patientId)).toMatchObject({ status: 409, body: { code: 'conflict' } });
    await revoke('second', id);
    expect((await propose('admin', patientId)).status).toBe(200);
  });

  it('needs a reference and a reason, and a record of the clinic', async () => {
    const { patientId } = await addPatient();
    const { patientId: foreign } = await addPatient(bench.clinics.otherCustomerId);
    for (const fields of [{ reference: ' ' }, { reason: 'x' }, { basis: 'mistake' }, { kind: 'series' }])
      expect(await propose('admin', patientId, fields)).toMatchObject({
        status: 400,
        body: { code: 'invalid-request' },
      });
    const missing = { status: 404, body: { code: 'not-found' } };
    for (const id of [foreign, randomUUID()]) expect(await propose('admin', id)).toMatchObject(missing);
    expect(await propose('admin', foreign, { customerId: bench.clinics.otherCustomerId })).toMatchObject(missing);
    expect(await propose('super', foreign), 'named with another clinic').toMatchObject(missing);
    expect(await propose('doctor', patientId)).toMatchObject({ status: 403, body: { claims: ['customer.update'] } });
  });
});

describe('an approval', () => {
  it('is decided by another account than the one that proposed it', async () => {
    const { patientId } = await addPatient();
    const id = await proposed(patientId);
    const own = { status: 409, body: { code: 'own-proposal' } };
    expect(await approve('admin', id)).toMatchObject(own);
    expect(await refuse('admin', id)).toMatchObject(own);
    expect((await orderOf(id))?.state).toBe('proposed');
    const same = bench.db
      .updateTable('destruction_order')
      .set({ decided_by: bench.clinics.adminId })
      .where('id', '=', id)
      .execute();
    await expect(same, 'the database itself').rejects.toThrow('check');
    expect((await approve('second', id)).status).toBe(200);
  });

  it('needs the reference, typed again', async () => {
    const id = await proposed((await addPatient()).patientId);
    for (const typed of ['', 'IVO', reference.toLowerCase()])
      expect(await approve('second', id, typed)).toMatchObject({
        status: 400,
        body: { errors: [{ fieldKey: 'reference' }] },
      });
    expect((await orderOf(id))?.state).toBe('proposed');
    expect((await approve('second', id, ` ${reference} `)).status).toBe(200);
  });

  it('is carried out after 72 hours, in which any administrator can revoke it', async () => {
    const { patientId } = await addPatient();
    const id = await proposed(patientId);
    await approve('second', id);
    const approved = await orderOf(id);
    expect(approved).toMatchObject({ state: 'approved', decidedBy: { name: expect.any(String) }, endedBy: null });
    expect(Date.parse(approved?.dueAt ?? '') - Date.parse(approved?.decidedAt ?? '')).toBe(72 * hourMs);
    expect((await revoke('admin', id)).status).toBe(200);
    expect(await orderOf(id)).toMatchObject({ state: 'revoked', endedBy: { id: bench.clinics.adminId } });
    expect((await logOf(id)).map(({ action }) => action)).toEqual([
      'destruction.proposed',
      'destruction.approved',
      'destruction.revoked',
    ]);
  });

  it('is rejected when the retention goes on again', async () => {
    const ids = await addPatient();
    await makeOld(ids);
    const id = await proposed(ids.otherPatientId, { basis: 'retention' });
    await bench.db
      .updateTable('patient')
      .set({ modified_date: new Date() })
      .where('id', '=', ids.otherPatientId)
      .execute();
    expect(await approve('second', id)).toMatchObject({ status: 409, body: { code: 'retention-not-ended' } });
  });

  it('and its opposites happen once, in the states that allow them', async () => {
    const id = await proposed((await addPatient()).patientId);
    const replies = await Promise.all([approve('second', id), refuse('second', id), revoke('second', id)]);
    expect(replies.some(({ status }) => status === 200)).toBe(true);
    const closed = { status: 409, body: { code: 'conflict' } };
    for (const state of ['destroying', 'destroyed', 'refused', 'revoked', 'lapsed'] as const) {
      await bench.db.updateTable('destruction_order').set({ state }).where('id', '=', id).execute();
      expect(await approve('second', id)).toMatchObject(closed);
      expect(await refuse('second', id)).toMatchObject(closed);
      expect(await revoke('second', id)).toMatchObject(closed);
      expect((await orderOf(id))?.state).toBe(state);
    }
    await bench.db.updateTable('destruction_order').set({ state: 'approved' }).where('id', '=', id).execute();
    expect(await refuse('second', id), 'an approved one is revoked').toMatchObject(closed);
  });
});

describe('a whole clinic', () => {
  it('is destroyed by two system administrators, when it is deleted', async () => {
    const customerId = bench.clinics.otherCustomerId;
    await bench.add('theirs', 'CustomerAdmin', customerId);
    const clinic = { customerId, kind: 'clinic' };
    const missing = { status: 404, body: { code: 'not-found' } };
    for (const who of ['super', 'theirs']) expect(await propose(who, customerId, clinic)).toMatchObject(missing);
    const { patientId } = await addPatient(customerId);
    const ofPatient = (await propose('super', patientId, { customerId })).body.id;
    const { version } = (await bench.call(customerGet, 'super', { params: { id: customerId } })).body;
    await bench.call(customerDelete, 'super', { params: { id: customerId }, body: { version } });
    expect(await propose('admin', customerId, clinic)).toMatchObject(missing);
    const { status, body } = await propose('super', customerId, clinic);
    expect(status).toBe(200);
    expect(await approve('admin', body.id)).toMatchObject(missing);
    expect(await approve('super', body.id)).toMatchObject({ body: { code: 'own-proposal' } });
    expect((await approve('chief', body.id)).status).toBe(200);
    expect(await orders('chief', customerId)).toMatchObject([{ kind: 'clinic', subject: null, state: 'approved' }]);
    expect((await revoke('super', ofPatient)).status, 'records of a deleted clinic').toBe(404);
    expect((await bench.call(destructionList, 'admin', { body: { customerId } })).status).toBe(404);
    expect((await revoke('super', body.id)).status).toBe(200);
  });
});

it('a patient whose retention has ended is listed with the open order', async () => {
  const ids = await addPatient();
  await makeOld(ids);
  const isProposed = async () => {
    const { body } = await bench.call(retentionDue, 'admin', {
      body: { customerId: bench.clinics.customerId, ppage: 100 },
    });
    return body.data.find(({ id }: DuePatient) => id === ids.otherPatientId).isProposed;
  };
  expect(await isProposed()).toBe(false);
  const id = await proposed(ids.otherPatientId, { basis: 'retention' });
  expect(await isProposed()).toBe(true);
  await revoke('second', id);
  expect(await isProposed()).toBe(false);
});

describe('how long automatic backups keep a destroyed record', () => {
  const keepDaysIn = async (extra: Parameters<typeof archiveUnderTest>[0]) => {
    const archive = await archiveUnderTest(extra);
    const { customerId, adminId } = archive.clinics;
    const reply = await archive.post(destructionList.path, { customerId }, adminId);
    await archive.close();
    return destructionList.reply.parse(await reply.json()).backupKeepDays;
  };

  it('is their number of days, or null without automatic backups', async () => {
    expect(await keepDaysIn({ backupKeepDays: 45 })).toBe(45);
    expect(await keepDaysIn({})).toBeNull();
  });
});
