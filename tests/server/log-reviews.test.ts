import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { accessLogGet } from '../../contract/access-log.ts';
import { defaultClaims } from '../../contract/claims.ts';
import {
  type LogReview,
  logReviewClose,
  logReviewCreate,
  logReviewers,
  logReviewGet,
  logReviewList,
  logReviewTakeOver,
} from '../../contract/log-reviews.ts';
import { drawSample } from '../../server/access-log/draw-sample.ts';
import { type Access, insertAccesses } from '../../server/db/stores/access-log.ts';
import { insertPatient } from '../../server/db/stores/patients.ts';
import { insertRole } from '../../server/db/stores/role-store.ts';
import { type AdministrationBench, administrationBench } from './administration-bench.ts';
import { expectRejected } from './append-only.ts';
import { seeded } from './seeded.ts';

let bench: AdministrationBench;
let secondId: string;
let patientId: string;
const users: string[] = [];
const period = { from: '2024-03-01', to: '2024-03-31' };

const add = (...entries: Partial<Access>[]) =>
  insertAccesses(
    bench.db,
    entries.map((entry) => ({
      at: new Date('2024-03-31T21:59:00Z'),
      accountId: bench.clinics.doctorId,
      customerId: bench.clinics.customerId,
      patientId,
      action: 'patient.opened',
      objectId: null,
      ...entry,
    })),
  );

beforeAll(async () => {
  bench = await administrationBench();
  const { customerId, adminId, otherDoctorId, otherCustomerId } = bench.clinics;
  secondId = await bench.add('second', 'CustomerAdmin', customerId);
  await bench.add('elsewhere', 'CustomerAdmin', otherCustomerId);
  for (const name of ['u1', 'u2', 'u3', 'u4']) users.push(await bench.add(name, 'Doctor', customerId));
  const patient = { customerId, firstName: 'Anna', lastName: 'Prov', personalNumber: '196709199530' };
  patientId = (await insertPatient(bench.db, {
    ...patient,
    id: randomUUID(),
    birthDate: null,
    sex: null,
    comments: null,
  })) as string;
  await add(...[...users, adminId, secondId].map((accountId) => ({ accountId })));
  // Not in the period, not at the clinic, and not opened.
  const at = new Date('2024-03-31T22:00:00Z');
  await add({ at }, { accountId: otherDoctorId, customerId: otherCustomerId }, { action: 'patient.listed' });
});
afterAll(() => bench?.close());

const customerId = () => bench.clinics.customerId;
const create = (who: string, more: object = {}) =>
  bench.call(logReviewCreate, who, { body: { customerId: customerId(), ...period, ...more } });
const read = (who: string, id: string) => bench.call(logReviewGet, who, { params: { id } });
const takeOver = (who: string, id: string) => bench.call(logReviewTakeOver, who, { params: { id } });
const close = (who: string, id: string, more: object = {}) =>
  bench.call(logReviewClose, who, { params: { id }, body: { outcome: 'nothing', comment: '', ...more } });
const list = async (who: string, query: Record<string, string> = {}): Promise<LogReview[]> =>
  (await bench.call(logReviewList, who, { query: { customerId: customerId(), ppage: 200, ...query } })).body.data;

let days = 0;
/** An open review of a doctor, assigned to the caller or this reviewer. */
const opened = async (who: string, more: object = {}): Promise<string> => {
  days += 1;
  const day = new Date(Date.UTC(2022, 0, days)).toISOString().slice(0, 10);
  const { status, body } = await create(who, { from: day, to: day, accountId: users[0], ...more });
  expect(status).toBe(200);
  return body.ids[0];
};

describe('a sample', () => {
  it('has users who opened patients in the period, each once, and never the reviewer', async () => {
    const first = await create('admin', { count: 2, reviewerId: secondId });
    const rest = await create('admin', { count: 20, reviewerId: secondId });
    expect([first.body.ids.length, rest.body.ids.length]).toEqual([2, 3]);
    const reviews = (await list('admin')).filter(({ from }) => from === period.from);
    expect(reviews.map(({ account }) => account.id).sort()).toEqual([...users, bench.clinics.adminId].sort());
    for (const review of reviews)
      expect(review).toMatchObject({ reason: 'sample', reviewer: { id: secondId }, closed: null, ...period });
    expect((await create('admin', { count: 20, reviewerId: secondId })).body).toEqual({ ids: [] });
  });

  it('is drawn with the same chance for each', () => {
    const { below } = seeded(4711);
    const counts = new Map<string, number>();
    for (let run = 0; run < 3_000; run += 1) {
      const drawn = drawSample(['a', 'b', 'c', 'd'], 2, below);
      expect(new Set(drawn).size).toBe(2);
      for (const one of drawn) counts.set(one, (counts.get(one) ?? 0) + 1);
    }
    expect(counts.size).toBe(4);
    for (const count of counts.values()) expect(Math.abs(count - 1_500)).toBeLessThan(150);
    expect(drawSample(['a'], 20)).toEqual(['a']);
  });

  it.each([
    { count: 0 },
    { count: 21 },
    {},
    { count: 1, accountId: randomUUID() },
    { count: 1, from: '2024-01-01', to: '2024-04-02' },
    { count: 1, from: '2024-03-02', to: '2024-03-01' },
  ])('is rejected as %j', async (more) => {
    expect((await create('admin', more)).status).toBe(400);
  });
});

describe('a chosen user', () => {
  it('is reviewed once in a period', async () => {
    const day = { from: '2021-01-01', to: '2021-01-01' };
    expect((await create('admin', { ...day, accountId: users[1] })).status).toBe(200);
    expect(await create('second', { ...day, accountId: users[1] })).toMatchObject({ status: 409 });
  });

  it('is not reviewed by this user, nor by one who may not read the log', async () => {
    const { adminId, doctorId, otherDoctorId } = bench.clinics;
    expect(await create('admin', { accountId: adminId })).toMatchObject({ status: 409, body: { code: 'own-account' } });
    expect((await create('admin', { accountId: secondId, reviewerId: secondId })).status).toBe(400);
    for (const reviewerId of [doctorId, otherDoctorId, randomUUID()])
      expect((await create('admin', { count: 1, reviewerId })).status).toBe(404);
    for (const accountId of [otherDoctorId, randomUUID()])
      expect((await create('admin', { accountId })).status).toBe(404);
    const { body } = await bench.call(logReviewers, 'admin', { params: { customerId: customerId() } });
    expect(body.map(({ id }: { id: string }) => id).sort()).toEqual([adminId, secondId].sort());
  });
});

describe('reviews', () => {
  it('are those of the own clinic', async () => {
    const id = await opened('admin');
    expect((await read('elsewhere', id)).status).toBe(404);
    expect((await takeOver('elsewhere', id)).status).toBe(404);
    expect((await close('elsewhere', id)).status).toBe(404);
    expect((await create('elsewhere', { count: 1 })).status).toBe(404);
    const query = { customerId: customerId() };
    expect((await bench.call(logReviewList, 'elsewhere', { query })).status).toBe(404);
    expect((await bench.call(logReviewers, 'elsewhere', { params: query })).status).toBe(404);
    expect((await bench.call(logReviewList, 'doctor', { query })).status).toBe(403);
    expect((await read('super', id)).status).toBe(200);
  });

  it('are listed with the own ones first, and by state', async () => {
    const [own, other] = [await opened('admin'), await opened('second')];
    const ids = async (who: string, state?: string) => (await list(who, state ? { state } : {})).map(({ id }) => id);
    const open = await ids('admin');
    expect(open.indexOf(own)).toBeLessThan(open.indexOf(other));
    expect(await ids('admin', 'own')).not.toContain(other);
    await close('admin', own);
    expect(await ids('admin', 'closed')).toContain(own);
    expect(await ids('admin')).not.toContain(own);
  });

  it('count what the log shows with the same filters', async () => {
    const day = '2024-06-01';
    const accountId = users[2] ?? '';
    const at = new Date(`${day}T10:00:00Z`);
    await add({ at, accountId }, { at, accountId }, { at, accountId, action: 'image.opened' });
    const id = await opened('admin', { from: day, to: day, accountId });
    const { counts } = (await read('admin', id)).body;
    // Users of these tests and the patient have the same name.
    const patterns = { 'own-name': 3, 'same-surname': 3, staff: 3, 'many-patients': 0 };
    expect(counts).toEqual({ patients: 1, images: 1, patterns });
    for (const [pattern, count] of Object.entries(patterns)) {
      const query = { from: day, to: day, accountId, pattern, ppage: 200 };
      expect((await bench.call(accessLogGet, 'admin', { query })).body.data).toHaveLength(count);
    }
  });

  it('do not count by name the patients whose names the reader may not see', async () => {
    const { db } = bench;
    const claims = defaultClaims.CustomerAdmin.filter((claim) => claim !== 'feature.protected_identity');
    const role = await insertRole(db, { name: 'Reception', rank: 1, claims });
    const deskId = await bench.add('desk', 'Doctor', customerId());
    await db.updateTable('account').set({ role_id: role.id }).where('id', '=', deskId).execute();
    const day = '2024-06-02';
    const accountId = users[3] ?? '';
    await add({ at: new Date(`${day}T10:00:00Z`), accountId });
    const id = await opened('admin', { from: day, to: day, accountId });
    const mark = (has_protected_identity: boolean) =>
      db.updateTable('patient').set({ has_protected_identity }).where('id', '=', patientId).execute();
    await mark(true);
    const found = async (who: string) => (await read(who, id)).body.counts;
    expect(await found('admin')).toMatchObject({ patients: 1, patterns: { 'own-name': 1, staff: 1 } });
    expect(await found('desk')).toMatchObject({
      patients: 1,
      patterns: { 'own-name': 0, 'same-surname': 0, staff: 0, 'many-patients': 0 },
    });
    await mark(false);
  });

  it('are logged when they are read, planned, taken over and closed', async () => {
    const before = (await bench.logged()).length;
    const id = await opened('admin');
    await read('admin', id);
    await takeOver('second', id);
    await close('second', id, { outcome: 'follow-up', comment: 'Fråga' });
    expect((await bench.logged()).slice(before).filter(({ object_id }) => object_id === id)).toMatchObject([
      { action: 'review.created', account_id: bench.clinics.adminId, customer_id: customerId() },
      { action: 'log.read', account_id: bench.clinics.adminId },
      { action: 'review.taken-over', account_id: secondId },
      { action: 'review.closed', account_id: secondId, detail: 'follow-up' },
    ]);
  });
});

describe('closing', () => {
  it('needs a comment when it is to be followed up', async () => {
    const id = await opened('admin');
    expect((await close('admin', id, { outcome: 'follow-up', comment: '  ' })).status).toBe(400);
    expect((await close('admin', id, { outcome: 'follow-up', comment: 'Fråga' })).status).toBe(200);
    expect((await read('admin', id)).body.closed).toMatchObject({
      by: { id: bench.clinics.adminId },
      outcome: 'follow-up',
      comment: 'Fråga',
    });
  });

  it('is for the assigned reviewer, or one who took it over, but not for the reviewed user', async () => {
    const id = await opened('admin', { accountId: secondId });
    expect((await close('second', id)).status).toBe(409);
    expect(await takeOver('second', id)).toMatchObject({ status: 409, body: { code: 'own-account' } });
    expect((await close('super', id)).status).toBe(409);
    expect((await takeOver('super', id)).status).toBe(200);
    expect((await close('admin', id)).status).toBe(409);
    expect((await close('super', id)).status).toBe(200);
    expect((await takeOver('admin', id)).status).toBe(409);
  });

  it('happens once when it is done twice at the same time', async () => {
    const id = await opened('admin');
    const replies = await Promise.all([close('admin', id), close('admin', id, { comment: 'x' })]);
    expect(replies.map(({ status }) => status).sort()).toEqual([200, 409]);
    const entries = (await bench.logged()).filter((one) => one.object_id === id && one.action === 'review.closed');
    expect(entries).toHaveLength(1);
  });

  it('is final: no statement changes or deletes a closed review, not even without ordinary triggers', async () => {
    const id = await opened('admin');
    await close('admin', id);
    await expectRejected(bench.db, [
      `update log_review set comment = 'x' where id = '${id}'`,
      `update log_review set reviewer_id = '${randomUUID()}' where id = '${id}'`,
      'delete from log_review',
      'truncate log_review',
    ]);
  });
});
