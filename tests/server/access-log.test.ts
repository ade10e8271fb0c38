import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type AccessEntry, accessLogGet } from '../../contract/access-log.ts';
import { type Access, insertAccesses } from '../../server/db/stores/access-log.ts';
import { type ArchiveUnderTest, archiveUnderTest } from './archive-under-test.ts';

let archive: ArchiveUnderTest;
let patientId: string;
let otherPatientId: string;

beforeAll(async () => {
  archive = await archiveUnderTest();
  const { customerId, otherCustomerId } = archive.clinics;
  patientId = await archive.addPatient({ customerId, firstName: 'Åsa', lastName: 'Lindström' });
  otherPatientId = await archive.addPatient({ customerId: otherCustomerId, firstName: 'Østen', lastName: 'Hemlig' });
});
afterAll(() => archive.close());

/** Each test uses its own action or year, because entries cannot be removed. */
const add = (...entries: (Partial<Access> & { at: Date })[]) =>
  insertAccesses(
    archive.db,
    entries.map((entry) => ({
      accountId: archive.clinics.doctorId,
      customerId: archive.clinics.customerId,
      patientId,
      action: 'patient.opened',
      objectId: null,
      ...entry,
    })),
  );

type RequestInput = Partial<
  Record<'from' | 'to' | 'customerId' | 'accountId' | 'patientId' | 'action' | 'before', string>
> & {
  ppage?: number;
};

const callLog = (as: string, input: RequestInput = {}) =>
  archive.call(
    `/api/AccessLog?${new URLSearchParams(Object.entries(input).map(([key, value]) => [key, `${value}`]))}`,
    {
      as,
    },
  );

const read = async (as: string, input: RequestInput = {}): Promise<{ data: AccessEntry[]; hasMore: boolean }> => {
  const reply = await callLog(as, input);
  expect(reply.status).toBe(200);
  return accessLogGet.reply.parse(await reply.json());
};

const newest = (action: string) =>
  archive.db
    .selectFrom('access_log')
    .selectAll()
    .where('action', '=', action)
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst();

describe('reading the log', () => {
  beforeEach(async () => {
    const { otherDoctorId, otherCustomerId, superId, customerId } = archive.clinics;
    const at = new Date('2024-05-05T10:00:00Z');
    await add(
      { at },
      { at, action: 'sign-in', patientId: null, detail: 'password' },
      { at, accountId: superId, customerId, action: 'image.opened' },
      { at, accountId: otherDoctorId, customerId: otherCustomerId, patientId: otherPatientId },
      { at, accountId: null, customerId: null, patientId: null, action: 'sign-in.refused', detail: 'incorrect-login' },
      { at, accountId: superId, customerId: null, patientId: null, action: 'sign-in' },
    );
  });
  const thatDay = { from: '2024-05-05', to: '2024-05-05', ppage: 200 };

  test('an administrator sees the own clinic, its sign-ins and access by outsiders', async () => {
    const { data } = await read(archive.clinics.adminId, thatDay);
    expect(new Set(data.map(({ clinic }) => clinic?.id))).toEqual(new Set([archive.clinics.customerId]));
    expect(new Set(data.map(({ action }) => action))).toEqual(new Set(['patient.opened', 'sign-in', 'image.opened']));
    expect(data.find(({ action }) => action === 'image.opened')?.account).toMatchObject({
      id: archive.clinics.superId,
      email: 'super@prov.example',
    });
    expect(JSON.stringify(data)).not.toContain('Hemlig');
  });

  test('a system administrator sees everything, and each clinic separately', async () => {
    const { superId, otherCustomerId } = archive.clinics;
    const { data } = await read(superId, thatDay);
    expect(new Set(data.map(({ action }) => action))).toContain('sign-in.refused');
    expect(data.some(({ patient }) => patient?.name === 'Østen Hemlig')).toBe(true);
    expect(data.some(({ account }) => account === null)).toBe(true);
    const one = await read(superId, { ...thatDay, customerId: otherCustomerId });
    expect(one.data.length).toBeGreaterThan(0);
    expect(one.data.every(({ clinic }) => clinic?.id === otherCustomerId)).toBe(true);
  });

  test('a doctor gets 403, and another clinic gets 404', async () => {
    const { adminId, doctorId, otherCustomerId, otherDoctorId } = archive.clinics;
    expect((await callLog(doctorId)).status).toBe(403);
    expect((await callLog(adminId, { customerId: otherCustomerId })).status).toBe(404);
    expect((await callLog(adminId, { customerId: randomUUID() })).status).toBe(404);
    const otherClinic = await callLog(adminId, { patientId: otherPatientId });
    const unknown = await callLog(adminId, { patientId: randomUUID() });
    const bodyOf = async (reply: Response) => ({ ...(await reply.json()), requestId: '' });
    expect(await bodyOf(otherClinic)).toEqual(await bodyOf(unknown));
    expect(unknown.status).toBe(404);
    expect(otherClinic.status).toBe(404);
    expect((await read(adminId, { accountId: otherDoctorId })).data).toEqual([]);
    const [foreign] = (await read(archive.clinics.superId, { ...thatDay, customerId: otherCustomerId })).data;
    const before = { ...thatDay, before: foreign?.id ?? '' };
    const seen = await read(adminId, before);
    expect(seen.data).toEqual([]);
  });

  test('offers the users of the own clinic as filter', async () => {
    const { adminId, superId, otherDoctorId, otherCustomerId } = archive.clinics;
    const users = async (as: string, query = '') => archive.call(`/api/AccessLog/people${query}`, { as });
    const ownIds = (await (await users(adminId)).json()).map(({ id }: { id: string }) => id);
    expect(ownIds).toContain(adminId);
    expect(ownIds).not.toContain(otherDoctorId);
    expect(ownIds).not.toContain(superId);
    expect((await users(adminId, `?customerId=${otherCustomerId}`)).status).toBe(404);
    expect((await (await users(superId)).json()).length).toBeGreaterThan(ownIds.length);
  });

  test('is itself logged, and fails if it cannot be logged', async () => {
    const { adminId, customerId } = archive.clinics;
    await read(adminId);
    expect(await newest('log.read')).toMatchObject({ account_id: adminId, customer_id: customerId, patient_id: null });
    await read(adminId, { patientId });
    expect(await newest('log.read')).toMatchObject({
      account_id: adminId,
      customer_id: customerId,
      patient_id: patientId,
      role: 'CustomerAdmin',
    });
  });

  test('still names users and patients that were renamed or deleted', async () => {
    const { adminId, customerId } = archive.clinics;
    const patientId = await archive.addPatient({
      customerId,
      firstName: 'Bo',
      lastName: 'Först',
      personalNumber: '19300101-0001',
    });
    await add({ at: new Date('2023-03-03T10:00:00Z'), patientId, action: 'patient.created' });
    await archive.db
      .updateTable('patient')
      .set({ last_name: 'Sedan', deleted_at: new Date() })
      .where('id', '=', patientId)
      .execute();
    const { data } = await read(adminId, { patientId });
    expect(data.at(-1)).toMatchObject({ action: 'patient.created', patient: { name: 'Bo Sedan' }, role: 'Doctor' });
  });

  test('shows the role at the time of access', async () => {
    const { adminId, doctorId, customerId } = archive.clinics;
    const roleOf = (name: string) =>
      archive.db.selectFrom('role').select('id').where('name', '=', name).executeTakeFirstOrThrow();
    const become = async (name: string) =>
      archive.db
        .updateTable('account')
        .set({ role_id: (await roleOf(name)).id })
        .where('id', '=', doctorId)
        .execute();
    await add({ at: new Date('2022-02-02T10:00:00Z'), customerId, action: 'study.edited' });
    await become('CustomerAdmin');
    await add({ at: new Date('2022-02-02T11:00:00Z'), customerId, action: 'study.edited' });
    await become('Doctor');
    const { data } = await read(adminId, { from: '2022-02-02', to: '2022-02-02', action: 'study.edited' });
    expect(data.map(({ role }) => role)).toEqual(['CustomerAdmin', 'Doctor']);
  });
});

describe('dates', () => {
  const times = async (day: string) => {
    const { data } = await read(archive.clinics.adminId, { from: day, to: day, action: 'image.measured' });
    return data.map(({ at }) => at).reverse();
  };

  // Daylight saving time starts on 2026-03-29 (23 hours) and ends on 2026-10-25 (25 hours).
  test.each([
    ['2026-03-28', '2026-03-27T23:00:00.000Z', '2026-03-28T22:59:59.999Z'],
    ['2026-03-29', '2026-03-28T23:00:00.000Z', '2026-03-29T21:59:59.999Z'],
    ['2026-03-30', '2026-03-29T22:00:00.000Z', '2026-03-30T21:59:59.999Z'],
    ['2026-10-25', '2026-10-24T22:00:00.000Z', '2026-10-25T22:59:59.999Z'],
    ['2026-10-26', '2026-10-25T23:00:00.000Z', '2026-10-26T22:59:59.999Z'],
  ])('%s in local time is from %s to %s', async (day, first, last) => {
    await add(
      ...[first, last].map((at) => ({ at: new Date(at), action: 'image.measured' as const })),
      { at: new Date(new Date(first).getTime() - 1), action: 'image.measured' },
      { at: new Date(new Date(last).getTime() + 1), action: 'image.measured' },
    );
    const found = await times(day);
    expect([found.at(0), found.at(-1)]).toEqual([first, last]);
  });

  test('that do not exist are rejected', async () => {
    expect((await callLog(archive.clinics.adminId, { from: '2026-02-30' })).status).toBe(400);
  });
});

describe('paging', () => {
  test('neither skips nor repeats entries while new ones are added', async () => {
    const { adminId } = archive.clinics;
    const start = Date.UTC(2021, 5, 1);
    // Several in the same millisecond, written in another order than they happened.
    const moments = Array.from({ length: 90 }, (_, index) => start + ((index * 37) % 30) * 1000);
    await add(...moments.map((at) => ({ at: new Date(at), action: 'series.deleted' as const })));
    const known = (
      await archive.db.selectFrom('access_log').select('id').where('action', '=', 'series.deleted').execute()
    ).map(({ id }) => String(id));
    const seen: AccessEntry[] = [];
    for (let before: string | undefined; ; ) {
      const page = await read(adminId, { action: 'series.deleted', ppage: 7, ...(before !== undefined && { before }) });
      seen.push(...page.data);
      before = page.data.at(-1)?.id;
      await add({ at: new Date(), action: 'series.deleted' });
      if (!page.hasMore) break;
    }
    expect(seen.map(({ id }) => id).sort()).toEqual(known.sort());
    expect(seen.map(({ at }) => at)).toEqual(
      seen
        .map(({ at }) => at)
        .sort()
        .reverse(),
    );
  });

  test('keeps the filter, and an id that is no entry ends it', async () => {
    const { adminId } = archive.clinics;
    expect((await read(adminId, { before: '999999999999999999' })).data).toEqual([]);
    expect((await callLog(adminId, { before: 'x' })).status).toBe(400);
    expect((await callLog(adminId, { before: '99999999999999999999' })).status).toBe(400);
    expect((await callLog(adminId, { ppage: 1000 })).status).toBe(400);
  });
});
