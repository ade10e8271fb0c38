import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type AccessEntry, type AccessPattern, accessLogGet, manyPatients } from '../../contract/access-log.ts';
import { defaultClaims } from '../../contract/claims.ts';
import { type Access, insertAccesses } from '../../server/db/stores/access-log.ts';
import { insertPatient } from '../../server/db/stores/patients.ts';
import { insertRole } from '../../server/db/stores/role-store.ts';
import { type AdministrationBench, administrationBench } from './administration-bench.ts';

let bench: AdministrationBench;
let patients = 0;
let days = 0;

/** May read the log, but not the names of patients with protected identity. */
const desk = 'desk';

beforeAll(async () => {
  bench = await administrationBench();
  const { db, clinics } = bench;
  const claims = defaultClaims.CustomerAdmin.filter((claim) => claim !== 'feature.protected_identity');
  const role = await insertRole(db, { name: 'Reception', rank: 1, claims });
  const deskId = await bench.add(desk, 'Doctor', clinics.customerId);
  await db.updateTable('account').set({ role_id: role.id, first_name: 'Disa' }).where('id', '=', deskId).execute();
  await nameUser(clinics.doctorId, 'Åsa', 'Lindström');
  await nameUser(clinics.otherDoctorId, 'Østen', 'Annan');
});
afterAll(() => bench?.close());

const nameUser = (id: string, first_name: string, last_name: string, more: { deleted_at?: Date } = {}) =>
  bench.db
    .updateTable('account')
    .set({ first_name, last_name, ...more })
    .where('id', '=', id)
    .execute();

const addPatient = async (firstName: string, lastName: string, more: { protected?: boolean; clinic?: string } = {}) => {
  patients += 1;
  const id = await insertPatient(bench.db, {
    id: randomUUID(),
    customerId: more.clinic ?? bench.clinics.customerId,
    firstName,
    lastName,
    personalNumber: `19670919${9000 + patients}`,
    birthDate: null,
    sex: null,
    comments: null,
  });
  if (!id) throw new Error('the clinic has this patient already');
  if (more.protected)
    await bench.db.updateTable('patient').set({ has_protected_identity: true }).where('id', '=', id).execute();
  return id;
};

/** A day of its own for each test, because entries cannot be removed. */
const newDay = () => new Date(Date.UTC(2023, 0, 1 + ++days)).toISOString().slice(0, 10);

const add = (day: string, ...entries: (Partial<Access> & { time?: string })[]) =>
  insertAccesses(
    bench.db,
    entries.map(({ time = '10:00', ...entry }) => ({
      at: new Date(`${day}T${time}:00Z`),
      accountId: bench.clinics.doctorId,
      customerId: bench.clinics.customerId,
      patientId: null,
      action: 'patient.opened',
      objectId: null,
      ...entry,
    })),
  );

const ask = (who: string, query: Record<string, string>) =>
  bench.call(accessLogGet, who, { query: { ppage: 200, ...query } });

const found = async (day: string, pattern: AccessPattern, who = 'admin', query: Record<string, string> = {}) => {
  const { status, body } = await ask(who, { from: day, to: day, pattern, ...query });
  expect(status).toBe(200);
  return (body.data as AccessEntry[]).map(({ patient }) => patient?.id);
};

describe('a pattern of names', () => {
  it('finds patients with the own name, however it is written, also of deleted patients', async () => {
    const day = newDay();
    const [same, spelled, surname] = [
      await addPatient('Åsa', 'Lindström'),
      await addPatient('ÅSA', 'LINDSTRÖM'.normalize('NFD')),
      await addPatient('Bo', 'lindström'),
    ];
    const stranger = await addPatient('Asa', 'Lindstrand');
    await bench.db.updateTable('patient').set({ deleted_at: new Date() }).where('id', '=', same).execute();
    await add(day, ...[stranger, surname, spelled, same].map((patientId) => ({ patientId })));
    expect(await found(day, 'own-name')).toEqual([same, spelled]);
    expect(await found(day, 'same-surname')).toEqual([same, spelled, surname]);
  });

  it('finds the names of users of the clinic, also of deleted ones, and of no other clinic', async () => {
    const day = newDay();
    const { adminId, otherDoctorId, customerId } = bench.clinics;
    const goneId = await bench.add('gone', 'Doctor', customerId);
    await nameUser(goneId, 'Gunn', 'Borta', { deleted_at: new Date() });
    const [colleague, other] = [await addPatient('Gunn', 'Borta'), await addPatient('Østen', 'Annan')];
    await add(day, { patientId: colleague }, { patientId: other, accountId: adminId });
    await add(day, { patientId: other, accountId: otherDoctorId });
    expect(await found(day, 'staff')).toEqual([colleague]);
    expect(await found(day, 'own-name')).toEqual([other]);
  });

  it('leaves out lists and recipients of shared links', async () => {
    const day = newDay();
    const patientId = await addPatient('Åsa', 'Lindström');
    await add(day, { patientId, action: 'patient.listed' }, { patientId, action: 'image.listed' });
    await add(day, { patientId, action: 'share.opened' }, { patientId, action: 'image.opened' });
    for (const pattern of ['own-name', 'same-surname', 'staff'] as const)
      expect(await found(day, pattern)).toEqual([patientId]);
  });

  it('does not find a patient whose name the reader may not see', async () => {
    const day = newDay();
    const hidden = await addPatient('Åsa', 'Lindström', { protected: true });
    await add(day, { patientId: hidden });
    for (const pattern of ['own-name', 'same-surname', 'staff'] as const) {
      expect(await found(day, pattern)).toEqual([hidden]);
      expect(await found(day, pattern, desk)).toEqual([]);
      expect(await found(day, pattern, desk, { patientId: hidden })).toEqual([]);
    }
  });

  it('is combined with the other filters, and finds nothing at other clinics', async () => {
    const day = newDay();
    const { customerId, otherCustomerId, doctorId, otherDoctorId } = bench.clinics;
    const own = await addPatient('Åsa', 'Lindström');
    const other = await addPatient('Østen', 'Annan', { clinic: otherCustomerId });
    await add(day, { patientId: own }, { patientId: own, action: 'note.opened' });
    await add(day, { patientId: other, accountId: otherDoctorId, customerId: otherCustomerId });
    expect(await found(day, 'own-name', 'admin', { action: 'note.opened', accountId: doctorId })).toEqual([own]);
    expect(await found(day, 'own-name', 'admin', { accountId: otherDoctorId })).toEqual([]);
    expect(await found(day, 'own-name', 'super')).toEqual([other, own, own]);
    expect(await found(day, 'own-name', 'super', { customerId })).toEqual([own, own]);
    const { status } = await ask('admin', { from: day, to: day, pattern: 'own-name', customerId: otherCustomerId });
    expect(status).toBe(404);
  });
});

describe('many patients within an hour', () => {
  it(`are at least ${manyPatients} different ones that one user opened within a clock hour at one clinic`, async () => {
    const day = newDay();
    const { adminId, customerId, otherCustomerId, superId } = bench.clinics;
    const ids = await Promise.all(Array.from({ length: manyPatients }, () => addPatient('Många', 'Andra')));
    const [last = ''] = ids.slice(-1);
    const fewer = ids.slice(0, -1);
    // 30 of the doctor; 29 of the administrator, one of them often, and one in the next hour; a super administrator at two clinics.
    await add(day, ...ids.map((patientId, minute) => ({ patientId, time: `10:${10 + minute}` })));
    await add(day, ...[...fewer, ...fewer].map((patientId) => ({ patientId, accountId: adminId, time: '10:59' })));
    await add(day, { patientId: last, accountId: adminId, time: '11:00' });
    await add(day, { patientId: last, accountId: adminId, time: '10:30', action: 'image.opened' });
    await add(day, ...fewer.map((patientId) => ({ patientId, accountId: superId })));
    await add(day, { patientId: last, accountId: superId, customerId: otherCustomerId });
    expect((await found(day, 'many-patients')).sort()).toEqual([...ids].sort());
    expect((await found(day, 'many-patients', 'super', { customerId })).sort()).toEqual([...ids].sort());
    expect(await found(day, 'many-patients', 'admin', { patientId: last })).toEqual([last]);
    expect(await found(day, 'many-patients', 'admin', { accountId: adminId })).toEqual([]);
  });
});

it('a pattern needs a period of at most 92 days', async () => {
  const status = async (query: Record<string, string>) => (await ask('admin', { pattern: 'staff', ...query })).status;
  expect(await status({})).toBe(400);
  expect(await status({ from: '2023-01-01' })).toBe(400);
  expect(await status({ to: '2023-01-01' })).toBe(400);
  expect(await status({ from: '2023-01-01', to: '2023-04-03' })).toBe(400);
  expect(await status({ from: '2023-01-01', to: '2023-04-02' })).toBe(200);
  expect(await status({ from: '2023-01-01', to: '2023-04-02', pattern: 'other' })).toBe(400);
});
