import { afterAll, beforeAll, expect, test } from 'vitest';
import type { MonitorCheck } from '../../contract/monitor-checks.ts';
import { expectRejected } from './append-only.ts';
import { type ArchiveUnderTest, archiveUnderTest } from './archive-under-test.ts';
import { monitorCheckBody } from './monitor-check-body.ts';
import { expectProblem, nowhere } from './viewset-bench.ts';

let bench: ArchiveUnderTest;
beforeAll(async () => {
  bench = await archiveUnderTest();
});
afterAll(() => bench.close());

const add = (more: object = {}, as = bench.clinics.doctorId) =>
  bench.post('/resource/monitor-check', { ...monitorCheckBody(), customerId: bench.clinics.customerId, ...more }, as);
const added = async (more: object = {}, as?: string): Promise<MonitorCheck> => {
  const reply = await add(more, as);
  expect(reply.status, await reply.clone().text()).toBe(200);
  return reply.json();
};
const list = (query: Record<string, string> = {}, as = bench.clinics.doctorId, clinic = bench.clinics.customerId) =>
  bench.call(`/resource/monitor-check/${clinic}?${new URLSearchParams(query)}`, { as });
const listed = async (query: Record<string, string> = {}): Promise<{ data: MonitorCheck[]; totalCount: number }> =>
  (await list({ workstation: 'Lista', ...query })).json();

test('saves the answers with who and when, and lists those of the clinic or of a workstation by page, newest first', async () => {
  const answers = { ...monitorCheckBody().answers, ramp: false };
  const first = await added({ workstation: ' Lista ', answers, comment: ' Steg i grått ' });
  expect(first).toMatchObject({
    ...monitorCheckBody(),
    workstation: 'Lista',
    answers,
    comment: 'Steg i grått',
    author: { id: bench.clinics.doctorId, name: 'Anna Prov' },
  });
  const second = await added({ workstation: 'Lista' }, bench.clinics.adminId);
  const other = await added({ workstation: 'Reception' });
  expect(await listed()).toEqual({ data: [second, first], totalCount: 2 });
  expect(await listed({ page: '2', ppage: '1' })).toEqual({ data: [first], totalCount: 2 });
  expect((await (await list()).json()).data).toEqual([other, second, first]);
});

test('a check of a day that is today nowhere, without an answer or with too long a text is rejected', async () => {
  const dayAfter = (days: number) => new Date(Date.now() + days * 24 * 60 * 60 * 1_000).toISOString().slice(0, 10);
  const { lines: _, ...incomplete } = monitorCheckBody().answers;
  const rejected = [
    { day: dayAfter(-3) },
    { day: dayAfter(3) },
    { answers: incomplete },
    { answers: { ...monitorCheckBody().answers, more: true } },
    { workstation: ' ' },
    { workstation: 'a'.repeat(101) },
    { comment: 'a'.repeat(501) },
    { widthPx: 0 },
    { pixelRatio: 0 },
  ];
  for (const more of rejected) expect([more, (await add(more)).status]).toEqual([more, 400]);
});

test('no statement changes or deletes a check, not even in a session without ordinary triggers', async () => {
  await added({ workstation: 'Kvar' });
  await expectRejected(bench.db, [
    'update monitor_check set day = day',
    'delete from monitor_check',
    'truncate monitor_check',
  ]);
  expect((await listed({ workstation: 'Kvar' })).totalCount).toBe(1);
});

test('is neither listed nor added for another clinic, or by a user who may not view images', async () => {
  const { customerId, doctorId, otherDoctorId, superId } = bench.clinics;
  await expectProblem(await list({}, otherDoctorId), 404, 'not-found');
  await expectProblem(await add({}, otherDoctorId), 404, 'not-found');
  await expectProblem(await add({ customerId: nowhere }, superId), 404, 'not-found');
  expect((await list({}, superId)).status).toBe(200);
  const doctor = bench.principals.get(doctorId);
  if (!doctor) throw new Error('no doctor');
  bench.principals.set('no-images', { ...doctor, permissions: [...doctor.permissions, 'disable.open'] });
  expect([(await list({}, 'no-images', customerId)).status, (await add({}, 'no-images')).status]).toEqual([403, 403]);
});
