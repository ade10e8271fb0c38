import { sql } from 'kysely';
import { expect, test } from 'vitest';
import type { z } from 'zod';
import { dayListGet, openedLimit, waitingDays } from '../../contract/day-lists.ts';
import { viewsetCreate, viewsetMount } from '../../contract/viewsets.ts';
import { recycleBinUnderTest, statusAndCode } from './recycle-bin-under-test.ts';

const bench = recycleBinUnderTest();

const ask = (query: Partial<z.input<typeof dayListGet.body & {}>>, as = bench.archive.clinics.doctorId) =>
  bench.archive.post(
    dayListGet.path,
    { customerId: bench.archive.clinics.customerId, list: 'today', ppage: 100, ...query },
    as,
  );
const listed = async (...params: Parameters<typeof ask>) => {
  const reply = await ask(...params);
  if (!reply.ok) throw new Error(`${reply.status} ${await reply.text()}`);
  return dayListGet.reply.parse(await reply.json());
};
/** The row of the test's patient. */
const rowOf = async (...params: Parameters<typeof ask>) =>
  (await listed(...params)).data.find(({ id }) => id === bench.patientId);
const waiting = (reason?: 'unopened' | 'unmounted' | 'withoutTeeth') => rowOf({ list: 'waiting', reason });

const open = (id: string, as?: string) => bench.archive.call(`/resource/patient/${id}`, as === undefined ? {} : { as });
const openImage = (uid: string, as = bench.archive.clinics.doctorId) =>
  bench.archive.call(`/resource/image/rendition?imageUID=${uid}`, { as });

const importImages = async (images: number) => {
  await bench.archive.importAll(bench.patientId, bench.files(images));
  const [study] = await bench.studiesOf(bench.patientId);
  if (!study) throw new Error('no study');
  return { study, images: study.series.flatMap((series) => series.images) };
};
const importedDaysAgo = (days: number) =>
  bench.archive.db
    .updateTable('image')
    .set({ created_at: sql<Date>`now() - make_interval(days => ${days})` })
    .where(
      'series_id',
      'in',
      bench.archive.db
        .selectFrom('series')
        .innerJoin('study', 'study.id', 'series.study_id')
        .where('study.patient_id', '=', bench.patientId)
        .select('series.id'),
    )
    .execute();

test('lists a patient of an import under today at once, whatever the date of its images', async () => {
  expect(await rowOf({})).toBeUndefined();
  await importImages(2);
  expect(await rowOf({})).toMatchObject({
    mainInfo: { lastName: 'Lindström', lastStudyDate: '2026-03-12' },
    totalStudies: 1,
    images: { total: 2, unopened: 2, unmounted: 2, withoutTeeth: 2 },
  });
  await importedDaysAgo(2);
  expect(await rowOf({})).toBeUndefined();
});

test('lists a patient as waiting until every image is opened, mounted and has teeth', async () => {
  const { study, images } = await importImages(2);
  const [first, second] = images;
  if (!first || !second) throw new Error('no images');
  const reasons = async () => (await waiting())?.images;
  expect(await reasons()).toEqual({ total: 2, unopened: 2, unmounted: 2, withoutTeeth: 2 });

  // Opened by anybody.
  expect((await openImage(first.uid, bench.admin())).status).toBe(200);
  expect(await reasons()).toMatchObject({ unopened: 1 });
  expect((await openImage(second.uid)).status).toBe(200);
  expect(await reasons()).toMatchObject({ unopened: 0 });
  expect(await waiting('unopened')).toBeUndefined();
  expect(await waiting('unmounted')).toBeDefined();

  const created = await bench.archive.post(viewsetCreate.path, {
    patientUID: bench.patientId,
    currentStudyUID: study.uid,
    currentViewsetUID: null,
    viewSetItems: [0, 1].map((item) => ({ xPos: item * 100, yPos: 0, width: 100, height: 80 })),
    name: 'Kontroll',
  });
  const { viewSetUuid } = await created.json();
  const mount = async (itemIndex: number, imageUid: string) => {
    const reply = await bench.archive.post(viewsetMount.path, { viewsetUid: viewSetUuid, itemIndex, imageUid });
    expect(reply.status, await reply.text()).toBe(200);
  };
  await mount(0, first.uid);
  expect(await reasons()).toMatchObject({ unmounted: 1 });
  await mount(1, second.uid);
  expect(await reasons()).toMatchObject({ unmounted: 0, withoutTeeth: 2 });
  // In a slot with teeth, an image shows these.
  await sql`update viewset_item set teeth = '{16,17}' where viewset_id = ${viewSetUuid} and item_index = 0`.execute(
    bench.archive.db,
  );
  expect(await reasons()).toMatchObject({ unmounted: 0, withoutTeeth: 1 });

  for (const { uid, version } of images) {
    const teeth = { uid, version, imageComment: null, teeth: [16, 17] };
    const reply = await bench.send('PUT', '/resource/image/update', bench.admin(), teeth);
    expect(reply.status, await reply.text()).toBe(200);
  }
  expect(await waiting()).toBeUndefined();

  // The mount goes to the recycle bin: the images wait again.
  await bench.send('DELETE', `/resource/viewset/delete/${viewSetUuid}`, bench.admin());
  expect(await reasons()).toMatchObject({ unopened: 0, unmounted: 2, withoutTeeth: 0 });
});

test('does not let images wait that came long ago or are deleted', async () => {
  const { study } = await importImages(1);
  await importedDaysAgo(waitingDays - 1);
  expect(await waiting()).toBeDefined();
  await importedDaysAgo(waitingDays + 1);
  expect(await waiting()).toBeUndefined();
  await importedDaysAgo(0);
  await bench.remove('study', study.id);
  expect(await waiting()).toBeUndefined();
});

test('a panoramic image waits to be opened only', async () => {
  await importImages(1);
  await sql`update series set modality = 'PX' where study_id in (select id from study where patient_id = ${bench.patientId})`.execute(
    bench.archive.db,
  );
  expect((await waiting())?.images).toEqual({ total: 1, unopened: 1, unmounted: 0, withoutTeeth: 0 });
});

test('lists the patients that the caller opened last, latest first, and nobody else’s', async () => {
  const opened = (as?: string) => listed({ list: 'opened' }, as).then(({ data }) => data.map(({ id }) => id));
  const other = await bench.newPatient({ firstName: 'Olle' });
  await open(bench.patientId);
  await open(other);
  expect((await opened()).slice(0, 2)).toEqual([other, bench.patientId]);
  await open(bench.patientId);
  expect((await opened()).slice(0, 2)).toEqual([bench.patientId, other]);
  expect((await listed({ list: 'opened' })).data[0]).toMatchObject({ images: null });
  expect(await opened(bench.admin())).toEqual([]);

  await bench.remove('patient', other);
  expect(await opened()).not.toContain(other);
  await bench.restore('patient', other);
  expect(await opened()).toContain(other);
});

test(`lists at most ${openedLimit} opened patients and stores at most 100`, async () => {
  const ids: string[] = [];
  for (let at = 0; at < 103; at += 1) {
    const id = await bench.newPatient({ firstName: `Patient${at}` });
    await open(id, bench.admin());
    ids.push(id);
  }
  const { data, totalCount } = await listed({ list: 'opened' }, bench.admin());
  expect(totalCount).toBe(openedLimit);
  expect(data.map(({ id }) => id)).toEqual(ids.slice(-openedLimit).reverse());
  const stored = await bench.archive.db
    .selectFrom('patient_opening')
    .select('patient_id')
    .where('account_id', '=', bench.admin())
    .execute();
  expect(new Set(stored.map((row) => row.patient_id))).toEqual(new Set(ids.slice(-100)));
});

test('filters by name and personal number, and pages', async () => {
  const name = `Zakarias${bench.number.slice(-4)}`;
  const others = [await bench.newPatient({ firstName: name }), await bench.newPatient({ firstName: name })];
  for (const id of others) await bench.archive.importAll(id, bench.files(1));
  for (const list of ['today', 'waiting'] as const) {
    const all = await listed({ list, q: name.toLowerCase() });
    expect(all.totalCount).toBe(2);
    expect(all.data.map(({ id }) => id)).toEqual(others.toReversed());
    const second = await listed({ list, q: name, page: 2, ppage: 1 });
    expect([second.totalCount, second.data.map(({ id }) => id)]).toEqual([2, others.slice(0, 1)]);
    expect((await listed({ list, q: bench.number })).data.map(({ id }) => id)).toEqual(others.slice(1));
  }
  expect((await listed({ q: 'Xyzzy' })).data).toEqual([]);
});

test('enters every listed patient in the access log, and refuses another clinic', async () => {
  await importImages(1);
  await listed({ q: bench.number });
  // The import logs the candidates for its patient under the import's id.
  const entries = await bench.entriesOf(bench.patientId, 'patient.listed');
  expect(entries.filter(({ object_id }) => object_id === null)).toEqual([
    { action: 'patient.listed', account_id: bench.archive.clinics.doctorId, object_id: null },
  ]);
  for (const list of ['today', 'opened', 'waiting'] as const) {
    const reply = await ask({ list }, bench.archive.clinics.otherDoctorId);
    expect(await statusAndCode(reply)).toEqual([404, 'not-found']);
  }
});
