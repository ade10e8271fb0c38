import { expect, test } from 'vitest';
import type { z } from 'zod';
import { contentSearchDeleted, type DeletedContent } from '../../contract/recycle-bin.ts';
import type { Study } from '../../contract/studies.ts';
import { viewsetCreate } from '../../contract/viewsets.ts';
import { recycleBinUnderTest, statusAndCode } from './recycle-bin-under-test.ts';
import { smallObject } from './small-object.ts';

const bin = recycleBinUnderTest();

type Query = Partial<z.input<typeof contentSearchDeleted.body & {}>>;

const listed = async (query: Query, as = bin.admin()) => {
  const body = { customerId: bin.archive.clinics.customerId, ...query };
  const reply = await bin.archive.post(contentSearchDeleted.path, body, as);
  if (!reply.ok) throw new Error(`${reply.status} ${await reply.text()}`);
  return contentSearchDeleted.reply.parse(await reply.json());
};
const ofPatient = async (): Promise<readonly DeletedContent[]> =>
  (await listed({ ppage: 100 })).data.filter(({ patientId }) => patientId === bin.patientId);
const kindsOfPatient = async () => (await ofPatient()).map(({ kind, id }) => [kind, id]);

const change = async (
  way: 'delete' | 'restore',
  kind: DeletedContent['kind'] | 'study',
  id: string,
  as = bin.admin(),
) => {
  const reply = await bin.send(way === 'delete' ? 'DELETE' : 'PUT', `/resource/${kind}/${way}/${id}`, as);
  expect(reply.status, await reply.text()).toBe(200);
};

let count = 0;
/** A study of two series, the first with two images and a mount. */
const importStudy = async () => {
  count += 1;
  const uid = `2.25.77${count}`;
  const file = (series: number, image: number) =>
    smallObject({
      StudyInstanceUID: uid,
      SeriesInstanceUID: `${uid}.${series}`,
      SOPInstanceUID: `${uid}.${series}.${image}`,
      StudyDescription: 'Återbesök',
      SeriesDescription: `Bitewing ${series}`,
      InstanceNumber: image,
    });
  await bin.archive.importAll(bin.patientId, { 'a.dcm': file(1, 1), 'b.dcm': file(1, 2), 'c.dcm': file(2, 1) });
  const [study] = await bin.studiesOf(bin.patientId);
  if (!study) throw new Error('no study');
  const created = await bin.archive.post(viewsetCreate.path, {
    patientUID: bin.patientId,
    currentStudyUID: study.uid,
    currentViewsetUID: null,
    viewSetItems: [{ xPos: 0, yPos: 0, width: 100, height: 80 }],
    name: 'Kontroll',
  });
  const viewset = await created.json();
  expect(created.status, JSON.stringify(viewset)).toBe(200);
  return { study, viewset };
};
const imageOf = (study: Study, series = 0, image = 0) => study.series[series]?.images[image]?.uid ?? '';

test('lists a deleted image, series and mount with where they belong, and restores each', async () => {
  const { study, viewset } = await importStudy();
  const [first, second] = study.series;
  const image = imageOf(study);
  await change('delete', 'image', image, bin.archive.clinics.doctorId);
  await change('delete', 'series', second?.id ?? '');
  await change('delete', 'viewset', viewset.viewSetUuid);
  const rows = await ofPatient();
  expect(rows.map(({ kind }) => kind)).toEqual(['viewset', 'series', 'image']);
  expect(rows.map(({ name, images, deletedBy }) => [name, images, deletedBy?.id])).toEqual([
    ['Kontroll', 0, bin.admin()],
    ['Bitewing 2', 1, bin.admin()],
    ['Bitewing 1', 1, bin.archive.clinics.doctorId],
  ]);
  expect(rows[2]).toMatchObject({
    id: image,
    customerId: bin.archive.clinics.customerId,
    patient: { firstName: 'Åsa', lastName: 'Lindström', personalNumber: bin.number },
    studyId: study.id,
    studyDescription: 'Återbesök',
    number: 1,
  });
  const years = (retention_years: number | null) =>
    bin.archive.db
      .updateTable('customer')
      .set({ retention_years })
      .where('id', '=', bin.archive.clinics.customerId)
      .execute();
  await years(12);
  const inTwelveYears = String(new Date().getUTCFullYear() + 12);
  expect((await ofPatient()).map(({ retainedUntil }) => retainedUntil?.slice(0, 4))).toEqual(
    rows.map(() => inTwelveYears),
  );
  await years(null);
  expect((await ofPatient()).map(({ retainedUntil }) => retainedUntil)).toEqual(rows.map(() => null));
  for (const { kind, id } of rows) await change('restore', kind, id);
  expect(await ofPatient()).toEqual([]);
  const [restored] = await bin.studiesOf(bin.patientId);
  expect(restored?.series.map(({ id, images }) => [id, images.length])).toEqual([
    [first?.id, 2],
    [second?.id, 1],
  ]);
  expect(restored?.viewsets.map(({ viewSetUuid }) => viewSetUuid)).toEqual([viewset.viewSetUuid]);
});

test('lists only what is restored by itself', async () => {
  const { study, viewset } = await importStudy();
  const [first] = study.series;
  await change('delete', 'image', imageOf(study));
  await change('delete', 'series', first?.id ?? '');
  // The image returns with its series, but stays deleted.
  expect(await kindsOfPatient()).toEqual([['series', first?.id]]);
  await change('restore', 'series', first?.id ?? '');
  expect(await kindsOfPatient()).toEqual([['image', imageOf(study)]]);
  await change('delete', 'viewset', viewset.viewSetUuid);
  await change('delete', 'study', study.id);
  expect(await ofPatient()).toEqual([]);
  await change('restore', 'study', study.id);
  expect(await kindsOfPatient()).toHaveLength(2);
  await bin.remove('patient', bin.patientId);
  expect(await ofPatient()).toEqual([]);
});

test('searches patient and study, limits the days, and continues by the cursor', async () => {
  const { study } = await importStudy();
  await change('delete', 'image', imageOf(study, 0, 0));
  await change('delete', 'image', imageOf(study, 0, 1));
  const q = bin.number;
  expect((await listed({ q })).totalCount).toBe(2);
  expect((await listed({ q: `${q} aterbesok` })).totalCount).toBe(2);
  expect((await listed({ q: `${q} panorama` })).totalCount).toBe(0);
  expect((await listed({ q, to: '2020-01-01' })).totalCount).toBe(0);
  const page = await listed({ q, ppage: 1, sort: 'name', order: 'asc' });
  const next = await listed({ q, ppage: 1, sort: 'name', order: 'asc', after: page.next ?? '' });
  expect(new Set([...page.data, ...next.data].map(({ id }) => id)).size).toBe(2);
});

test('is closed to users of another clinic, and without the right to use the recycle bin', async () => {
  const { customerId, otherCustomerId, doctorId } = bin.archive.clinics;
  const search = async (id: string, as: string) =>
    statusAndCode(await bin.archive.post(contentSearchDeleted.path, { customerId: id }, as));
  expect(await search(customerId, doctorId)).toEqual([403, 'no-right']);
  expect(await search(otherCustomerId, bin.admin())).toEqual([404, 'not-found']);
});
