import { expect, it } from 'vitest';
import {
  acceptableShare,
  type GradeReport,
  type GradeSample,
  gradeGroupOf,
  sumOfTallies,
} from '../../contract/grade-report.ts';
import { gradeReasons } from '../../contract/grade-summary.ts';
import { imageKindOf } from '../../contract/image-kinds.ts';
import { allTeeth } from '../../contract/teeth.ts';
import { addImage, addPatient, addSeries, addStudy } from './gallery-clinic.ts';
import { galleryUnderTest } from './gallery-under-test.ts';

const under = galleryUnderTest();
const period = { from: '2026-01-01', to: '2026-06-30' };

const grade = async (id: string, body: object, as = under.archive.clinics.superId) => {
  const reply = await under.archive.call('/resource/grade', {
    method: 'PUT',
    as,
    body: JSON.stringify({ id, version: 0, ...body }),
    headers: { 'content-type': 'application/json' },
  });
  expect(reply.status, await reply.text()).toBe(200);
};
const report = async (customerId: string, days = period): Promise<GradeReport> => {
  const query = new URLSearchParams(days);
  const reply = await under.archive.call(`/resource/grade/report/${customerId}?${query}`, {
    as: under.archive.clinics.superId,
  });
  expect(reply.status, await reply.clone().text()).toBe(200);
  return reply.json();
};
const sample = async (customerId: string, group = 'intraoral', days = period): Promise<GradeSample> => {
  const body = { customerId, group, ...days };
  const reply = await under.archive.post('/resource/grade/sample', body, under.archive.clinics.superId);
  expect(reply.status, await reply.clone().text()).toBe(200);
  return reply.json();
};
const dayOf = (index: number) => new Date(Date.UTC(2026, 0, 1 + index)).toISOString().slice(0, 10);

it('reads 94 % for 100 graded images of which 6 are not acceptable, by kind and reason', async () => {
  const { customerId, add } = await under.smallClinic();
  const bitewing = [16, 17, 46, 47];
  const ids: string[] = [];
  for (let index = 0; index < 100; index += 1)
    ids.push(await add({ acquired_at: `${dayOf(index)}T10:00:00`, teeth: index < 60 ? bitewing : [36] }));
  const reasons = ['position', 'position', 'position', 'movement', 'movement', 'exposure'];
  for (const [index, id] of ids.entries()) {
    const reason = index % 20 === 0 || index === 99 ? reasons.shift() : undefined;
    await grade(id, reason ? { grade: 'N', reason } : { grade: 'A' });
  }
  const { kinds, operators } = await report(customerId);
  expect(acceptableShare(sumOfTallies(kinds))).toBe(94);
  expect(kinds).toMatchObject([
    { kind: 'bitewing', acceptable: 57, notAcceptable: { position: 3, movement: 0 } },
    { kind: 'periapical', acceptable: 37, notAcceptable: { movement: 2, exposure: 1 } },
  ]);
  expect(operators).toMatchObject([{ operator: null, acceptable: 94 }]);
}, 60_000);

it('counts only images taken in the period, by their newest grade, and none in the recycle bin', async () => {
  const { customerId, add } = await under.smallClinic('PX');
  const [early, first, last, late, binned, withdrawn] = await Promise.all(
    ['2025-12-31T23:59:59', '2026-01-01', '2026-06-30T23:59:59', '2026-07-01', '2026-03-01', '2026-03-01'].map((at) =>
      add({ acquired_at: at }),
    ),
  );
  for (const id of [early, first, last, late, binned, withdrawn]) await grade(id ?? '', { grade: 'A' });
  await grade(last ?? '', { grade: 'N', reason: 'wrongArea', version: 1 });
  await grade(withdrawn ?? '', { grade: null, version: 1 });
  await under.archive.db
    .updateTable('image')
    .set({ deleted_at: new Date() })
    .where('id', '=', binned ?? '')
    .execute();
  const none = Object.fromEntries(gradeReasons.map((reason) => [reason, 0]));
  expect((await report(customerId)).kinds).toEqual([
    { kind: 'panoramic', acceptable: 1, notAcceptable: { ...none, wrongArea: 1 } },
  ]);
});

it('counts by the teeth of the slot when the file has none, and by those of a user first', async () => {
  const { customerId, studyId, add } = await under.smallClinic('DX');
  const { db } = under.archive;
  const [mounted, corrected, plain] = [
    await add({ acquired_at: '2026-02-01' }),
    await add({ acquired_at: '2026-02-02', teeth: [36], chosen_teeth: [16, 46] }),
    await add({ acquired_at: '2026-02-03' }),
  ];
  const viewset = await db
    .insertInto('viewset')
    .values({ id: crypto.randomUUID(), study_id: studyId, name: 'BW', width: 1, height: 1 })
    .returning('id')
    .executeTakeFirstOrThrow();
  await db
    .insertInto('viewset_item')
    .values({
      viewset_id: viewset.id,
      item_index: 0,
      capture_order: 0,
      x_pos: 0,
      y_pos: 0,
      width: 1,
      height: 1,
      rotation: 0,
      horizontal_flip: false,
      teeth: [11, 12],
      image_id: mounted,
    })
    .execute();
  for (const id of [mounted, corrected, plain]) await grade(id, { grade: 'A' });
  expect((await report(customerId)).kinds.map(({ kind }) => kind)).toEqual(['bitewing', 'periapical', 'other']);
  expect([await sample(customerId), await sample(customerId, 'extraoral')]).toMatchObject([
    { images: 2, graded: 2 },
    { images: 1, graded: 1 },
  ]);
});

it('groups images in the database as the contract does', async () => {
  const { customerId, patient } = await under.smallClinic();
  const { db } = under.archive;
  const expected = { intraoral: 0, extraoral: 0 };
  const studyId = await addStudy(db, patient);
  for (const modality of ['IO', 'DX', 'CR', 'PX']) {
    const seriesId = await addSeries(db, studyId, modality);
    for (let index = 0; index < 40; index += 1) {
      const teeth = [index, index * 7, index * 13]
        .slice(0, index % 4)
        .flatMap((at) => allTeeth[at % allTeeth.length] ?? []);
      await addImage(db, customerId, seriesId, { teeth, acquired_at: '2026-04-01' });
      const kind = imageKindOf(modality, teeth);
      expected[kind === 'photograph' || kind === 'slice' ? 'extraoral' : gradeGroupOf(kind)] += 1;
    }
  }
  expect(expected.intraoral).toBeGreaterThan(40);
  expect(expected.extraoral).toBeGreaterThan(40);
  expect((await sample(customerId)).images).toBe(expected.intraoral);
  expect((await sample(customerId, 'extraoral')).images).toBe(expected.extraoral);
}, 60_000);

it('offers an even sample that only shrinks while it is graded', async () => {
  const { customerId, add } = await under.smallClinic();
  const dayById = new Map<string, number>();
  for (let index = 0; index < 150; index += 1)
    dayById.set(await add({ acquired_at: `${dayOf(index)}T08:00:00` }), index);
  const before = await sample(customerId);
  expect(before).toMatchObject({ images: 150, graded: 0 });
  const days = before.data.map(({ uid }) => dayById.get(uid) ?? -1);
  expect(days).toHaveLength(100);
  // No two neighbours of the sample are further apart than two parts.
  expect(
    days.every((day, index) => index === 0 || (day > (days[index - 1] ?? 0) && day - (days[index - 1] ?? 0) <= 4)),
  ).toBe(true);
  for (const { uid } of before.data.slice(10, 13)) await grade(uid, { grade: 'A' });
  const after = await sample(customerId);
  expect(after.graded).toBe(3);
  expect(after.data.map(({ uid }) => uid)).toEqual(
    [...before.data.slice(0, 10), ...before.data.slice(13)].map(({ uid }) => uid),
  );
  const byHand = [...dayById.keys()].find((uid) => !before.data.some((image) => image.uid === uid)) ?? '';
  await grade(byHand, { grade: 'N', reason: 'position' });
  expect((await sample(customerId)).data.length).toBe(96);
  expect((await sample(customerId, 'extraoral')).data).toEqual([]);
}, 60_000);

it('offers every image of a period with fewer than a sample has', async () => {
  const { customerId, add } = await under.smallClinic();
  const ids = [await add({ acquired_at: '2026-01-05' }), await add({ acquired_at: '2026-01-06' })];
  expect((await sample(customerId)).data.map(({ uid }) => uid)).toEqual(ids);
});

it('shows neither report nor sample of another clinic, and the report only with a right to statistics', async () => {
  const { customerId } = await under.smallClinic();
  const { doctorId, customerId: own } = under.archive.clinics;
  const query = new URLSearchParams(period);
  const statusOf = async (clinic: string, as: string) => [
    (await under.archive.call(`/resource/grade/report/${clinic}?${query}`, { as })).status,
    (await under.archive.post('/resource/grade/sample', { customerId: clinic, group: 'intraoral', ...period }, as))
      .status,
  ];
  expect(await statusOf(customerId, doctorId)).toEqual([403, 404]);
  expect(await statusOf(own, doctorId)).toEqual([403, 200]);
  expect(await statusOf(customerId, under.archive.clinics.adminId)).toEqual([404, 404]);
});

it('cuts the share, so that 94.96 % does not read as the target', () => {
  const tally = sumOfTallies([]);
  expect(acceptableShare(tally)).toBeNull();
  expect(acceptableShare({ acceptable: 9_496, notAcceptable: { ...tally.notAcceptable, movement: 504 } })).toBe(94.9);
  expect(acceptableShare({ acceptable: 95, notAcceptable: { ...tally.notAcceptable, other: 5 } })).toBe(95);
});

it('lists the patients of a sample in the access log', async () => {
  const { customerId, add, patient } = await under.smallClinic();
  await add({ acquired_at: '2026-01-05' });
  const second = await addPatient(under.archive.db, customerId, 'Nils', 'Ek');
  await sample(customerId);
  const logged = await under.archive.db
    .selectFrom('access_log')
    .select(['action', 'patient_id'])
    .where('patient_id', 'in', [patient.id, second.id])
    .execute();
  expect(logged).toEqual([{ action: 'image.listed', patient_id: patient.id }]);
});
