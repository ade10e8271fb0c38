import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Viewset } from '../../contract/viewsets.ts';
import { findImage } from '../../server/db/stores/images.ts';
import { insertViewset } from '../../server/db/stores/viewsets.ts';
import { type ArchiveUnderTest, archiveUnderTest } from './archive-under-test.ts';
import { smallObject } from './small-object.ts';

let archive: ArchiveUnderTest;
let patientId: string;
let imageId: string;
let series: string;
/** One of the image's own study, one of another study of the patient, one of an unrelated study. */
const [own, borrowed, strange] = [randomUUID(), randomUUID(), randomUUID()];

const viewset = async (id: string): Promise<Viewset> => (await archive.call(`/resource/viewset/${id}`)).json();
const shown = async (id: string) => (await viewset(id)).viewSetItems.map(({ activeImage }) => activeImage?.uid ?? null);
const remove = (target: string) => archive.call(target, { method: 'DELETE' });
const restore = (target: string) => archive.call(target, { method: 'PUT' });
const versions = async () =>
  Object.fromEntries(await Promise.all([own, borrowed, strange].map(async (id) => [id, (await viewset(id)).version])));
/** Ids and versions of the viewsets in the events published during `work`, ordered by id. */
const publishedBy = async (work: () => Promise<Response>) => {
  const mark = archive.events.length;
  expect((await work()).status).toBe(200);
  return archive.events
    .slice(mark)
    .flatMap(({ event }) => (event.name === 'ViewsetChanged' ? [[event.body.viewsetId, event.body.version]] : []))
    .toSorted();
};

const insertMounted = (id: string, study_id: string, image_id: string | null) =>
  insertViewset(archive.db, { id, study_id, name: 'Front', comments: null, template_id: null, width: 10, height: 8 }, [
    {
      viewset_id: id,
      item_index: 0,
      capture_order: 1,
      x_pos: 0,
      y_pos: 0,
      width: 10,
      height: 8,
      rotation: 0,
      horizontal_flip: false,
      teeth: [11],
      description: null,
      image_id,
    },
  ]);

beforeAll(async () => {
  archive = await archiveUnderTest();
  patientId = await archive.addPatient();
  const done = await archive.importAll(patientId, {
    'a.dcm': smallObject({ SOPInstanceUID: '2.25.31' }),
    'b.dcm': smallObject({ SOPInstanceUID: '2.25.32', StudyInstanceUID: '2.25.2', SeriesInstanceUID: '2.25.3' }),
    'c.dcm': smallObject({ SOPInstanceUID: '2.25.33', StudyInstanceUID: '2.25.4', SeriesInstanceUID: '2.25.5' }),
  });
  const rows = await Promise.all(done.files.map(({ imageUid }) => findImage(archive.db, imageUid ?? '')));
  const [first, second, third] = rows;
  if (!first || !second || !third) throw new Error('not imported');
  imageId = first.id;
  series = first.series_id;
  await insertMounted(own, first.study_id, imageId);
  await insertMounted(borrowed, second.study_id, imageId);
  await insertMounted(strange, third.study_id, third.id);
  await archive.archive.thumbnails.idle();
});
afterAll(() => archive.close());

test.each([
  ['image', () => imageId],
  ['series', () => series],
])(
  'a deleted %s frees its slots and returns to them when restored, and viewers of them are notified',
  async (what, id) => {
    const before = await versions();
    const after = { ...before, [own]: (before[own] ?? 0) + 1, [borrowed]: (before[borrowed] ?? 0) + 1 };
    const changed = [own, borrowed].map((each) => [each, after[each]]).toSorted();
    expect(await publishedBy(() => remove(`/resource/${what}/delete/${id()}`))).toEqual(changed);
    expect([await shown(own), await shown(borrowed)]).toEqual([[null], [null]]);
    expect(await versions()).toEqual(after);
    expect(await publishedBy(() => restore(`/resource/${what}/restore/${id()}`))).toHaveLength(2);
    expect([await shown(own), await shown(borrowed)]).toEqual([[imageId], [imageId]]);
    // The second time nothing changes and no event is published.
    expect(await publishedBy(() => restore(`/resource/${what}/restore/${id()}`))).toEqual([]);
  },
);

test('a slot filled meanwhile stays filled; the restored image appears in the tray', async () => {
  await remove(`/resource/image/delete/${imageId}`);
  const other = await archive.importAll(patientId, { 'd.dcm': smallObject({ SOPInstanceUID: '2.25.34' }) });
  const filled = other.files[0]?.imageUid ?? '';
  const { version } = await viewset(own);
  const mounted = await archive.post('/resource/viewset/image/mount', {
    viewsetUid: own,
    itemIndex: 0,
    imageUid: filled,
    version,
  });
  expect(mounted.status).toBe(200);
  await restore(`/resource/image/restore/${imageId}`);
  expect(await shown(own)).toEqual([filled]);
  expect(await shown(borrowed)).toEqual([imageId]);
  const images = (await viewset(own)).viewSetItems.map(({ activeImage }) => activeImage?.uid);
  expect(images).not.toContain(imageId);
});

test('teeth edited by a user are published to viewers of the image; the viewset keeps its version', async () => {
  const before = await versions();
  const { version } = (await findImage(archive.db, imageId)) ?? { version: 0 };
  const body = JSON.stringify({ uid: imageId, version, imageComment: null, teeth: [21] });
  const update = () =>
    archive.call('/resource/image/update', { method: 'PUT', body, headers: { 'content-type': 'application/json' } });
  expect(await publishedBy(update)).toEqual([own, borrowed].map((id) => [id, before[id]]).toSorted());
  expect(await versions()).toEqual(before);
});
