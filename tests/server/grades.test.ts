import { afterAll, beforeAll, expect, test } from 'vitest';
import type { GalleryImage } from '../../contract/gallery.ts';
import type { GradeVersion } from '../../contract/grades.ts';
import type { ImageInfo } from '../../contract/images.ts';
import type { Series, Study } from '../../contract/studies.ts';
import { expectRejected } from './append-only.ts';
import { smallObject } from './small-object.ts';
import { expectProblem, nowhere, type ViewsetBench, viewsetBench } from './viewset-bench.ts';

let bench: ViewsetBench;
let colleagueId: string;

beforeAll(async () => {
  bench = await viewsetBench();
  colleagueId = await bench.addColleague();
});
afterAll(() => bench.close());

const newImage = async (): Promise<string> => (await bench.addImages(1))[0] ?? 'not imported';
const grade = (body: object, as?: string) =>
  bench.send('PUT', '/resource/grade', { version: 0, grade: 'A', ...body }, as);
const graded = async (body: object, as?: string): Promise<GradeVersion> => {
  const reply = await grade(body, as);
  expect(reply.status, await reply.clone().text()).toBe(200);
  return reply.json();
};
const versionsOf = async (id: string, as?: string): Promise<GradeVersion[]> =>
  (await (await bench.call(`/resource/grade/${id}`, { ...(as && { as }) })).json()).versions;
const gallery = async (filter: object = {}): Promise<{ data: GalleryImage[]; notAcceptableCount: number }> =>
  (
    await bench.send('POST', '/resource/image/search', { customerId: bench.clinics.customerId, ppage: 500, ...filter })
  ).json();
const stored = (id: string) =>
  bench.db.selectFrom('image_grade').selectAll().where('image_id', '=', id).orderBy('version').execute();

test('the last grade counts, and earlier ones stay readable with who and when', async () => {
  const id = await newImage();
  expect(await versionsOf(id)).toEqual([]);
  const first = await graded({ id });
  expect(first).toMatchObject({ version: 1, grade: 'A', reason: null, text: '' });
  const second = await graded({ id, version: 1, grade: 'N', reason: 'movement' }, colleagueId);
  const third = await graded({ id, version: 2, grade: 'N', reason: 'other', text: ' Smutsig platta ' });
  expect(third).toMatchObject({ reason: 'other', text: 'Smutsig platta' });
  const withdrawn = await graded({ id, version: 3, grade: null });
  expect(await versionsOf(id, colleagueId)).toEqual([withdrawn, third, second, first]);
  expect([first, second].map(({ author }) => author.id)).toEqual([bench.clinics.doctorId, colleagueId]);
  expect(Date.parse(first.savedAt)).toBeLessThanOrEqual(Date.parse(second.savedAt));
});

test('lists, mounts and the gallery name the newest grade', async () => {
  const id = await newImage();
  const viewset = await bench.create('bitewings2');
  await bench.mount({ viewsetUid: viewset.viewSetUuid, itemIndex: 0, imageUid: id });
  await graded({ id, grade: 'N', reason: 'position' });
  const newest = { version: 1, grade: 'N', reason: 'position' };
  expect((await bench.get(viewset.viewSetUuid)).viewSetItems[0]?.activeImage?.grade).toEqual(newest);
  expect((await gallery()).data.find(({ uid }) => uid === id)?.grade).toEqual(newest);
  const { data } = await (await bench.call(`/resource/study/bypatient/${bench.patientId}?ppage=100`)).json();
  const images = data.flatMap(({ series }: Study) => series).flatMap(({ images }: Series) => images);
  expect(images.find(({ uid }: ImageInfo) => uid === id).grade).toEqual(newest);
});

test('a not acceptable image is left out of the gallery on request only, and still opens', async () => {
  const [acceptable = '', rejected = '', regraded = ''] = await bench.addImages(3);
  const before = await gallery({ notAcceptable: 'excluded' });
  await graded({ id: acceptable });
  await graded({ id: rejected, grade: 'N', reason: 'exposure' });
  await graded({ id: regraded, grade: 'N', reason: 'artefact' });
  await graded({ id: regraded, version: 1 });
  const all = await gallery();
  const shown = await gallery({ notAcceptable: 'excluded' });
  expect(all.data.map(({ uid }) => uid)).toEqual(expect.arrayContaining([acceptable, rejected, regraded]));
  expect(shown.data.map(({ uid }) => uid).toSorted()).toEqual(
    before.data
      .map(({ uid }) => uid)
      .filter((uid) => uid !== rejected)
      .toSorted(),
  );
  expect(shown.notAcceptableCount).toBe(before.notAcceptableCount + 1);
  expect(all.notAcceptableCount).toBe(shown.notAcceptableCount);
  expect((await gallery({ notAcceptable: 'excluded', modalities: ['PX'] })).notAcceptableCount).toBe(0);
  expect((await bench.call(`/resource/image/rendition?imageUID=${rejected}`)).status).toBe(200);
  expect((await bench.call(`/resource/viewset/get_image?imageUID=${rejected}`)).status).toBe(200);
});

test('no statement changes or deletes a grade, not even in a session without ordinary triggers', async () => {
  const id = await newImage();
  await graded({ id });
  await expectRejected(bench.db, [
    `update image_grade set grade = 'A'`,
    'delete from image_grade',
    'truncate image_grade',
  ]);
  expect(await versionsOf(id)).toHaveLength(1);
});

test('a grade on an outdated version is a conflict, and a repeated one whose reply was lost is not', async () => {
  const id = await newImage();
  const first = await graded({ id });
  expect(await graded({ id })).toEqual(first);
  await expectProblem(await grade({ id, grade: 'N', reason: 'movement' }), 409, 'conflict');
  await expectProblem(await grade({ id }, colleagueId), 409, 'conflict');
  await expectProblem(await grade({ id, version: 2 }), 409, 'conflict');
  expect(await versionsOf(id)).toEqual([first]);
});

test('of concurrent grades one succeeds', async () => {
  const id = await newImage();
  const reasons = ['position', 'movement', 'exposure'];
  const replies = await Promise.all(reasons.map((reason) => grade({ id, grade: 'N', reason })));
  expect(replies.map(({ status }) => status).toSorted()).toEqual([200, 409, 409]);
});

test('a grade keeps who took the image and with a cephalostat or not, as the file states it', async () => {
  const file = smallObject({
    SOPInstanceUID: '2.25.88',
    SeriesInstanceUID: '2.25.89',
    Modality: 'DX',
    OperatorsName: 'Åkerblom^Göran',
    PositionerType: 'CEPHALOSTAT',
  });
  const { files } = await bench.importAll(bench.patientId, { 'a.dcm': file });
  const id = files[0]?.imageUid ?? '';
  const other = await newImage();
  await graded({ id });
  await graded({ id: other });
  expect(await stored(id)).toMatchObject([{ operator: 'Göran Åkerblom', is_cephalometric: true }]);
  expect(await stored(other)).toMatchObject([{ operator: null, is_cephalometric: false }]);
});

test('an image whose file is lost can be graded', async () => {
  const id = await newImage();
  await bench.db
    .updateTable('image')
    .set({ sha256: 'f'.repeat(64) })
    .where('id', '=', id)
    .execute();
  await graded({ id, grade: 'N', reason: 'artefact' });
  expect(await stored(id)).toMatchObject([{ grade: 'N', operator: null }]);
});

test('photographs, slices and documents have no grade', async () => {
  for (const [index, Modality] of ['XC', 'CT'].entries()) {
    const uid = `2.25.90${index}`;
    const { files } = await bench.importAll(bench.patientId, {
      'a.dcm': smallObject({ SOPInstanceUID: uid, SeriesInstanceUID: `${uid}1`, Modality }),
    });
    await expectProblem(await grade({ id: files[0]?.imageUid }), 400, 'invalid-request');
  }
  const id = await newImage();
  await bench.db.updateTable('image').set({ kind: 'document' }).where('id', '=', id).execute();
  await expectProblem(await grade({ id }), 400, 'invalid-request');
});

test('nobody grades images of another clinic, and nobody without the right to open images grades', async () => {
  const id = await newImage();
  await expectProblem(await grade({ id }, bench.clinics.otherDoctorId), 404, 'not-found');
  await expectProblem(await grade({ id: nowhere }), 404, 'not-found');
  bench.allow(colleagueId, ['disable.open']);
  await expectProblem(await grade({ id }, colleagueId), 403, 'no-right');
  bench.allow(colleagueId, []);
  expect(await stored(id)).toEqual([]);
});

test('a grade notifies those who have the patient open', async () => {
  const id = await newImage();
  const events = await bench.eventsOf(() => graded({ id }));
  expect(events).toContainEqual(
    expect.objectContaining({ name: 'PatientChanged', body: { patientId: bench.patientId } }),
  );
});
