import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Viewset } from '../../contract/viewsets.ts';
import { findImage } from '../../server/db/stores/images.ts';
import { insertTemplates } from '../../server/db/stores/templates.ts';
import { insertViewset } from '../../server/db/stores/viewsets.ts';
import { type ArchiveUnderTest, archiveUnderTest } from './archive-under-test.ts';
import { smallObject } from './small-object.ts';

let archive: ArchiveUnderTest;
let patientId: string;
let mountedImage: string;
let loose: string;
const viewsetId = randomUUID();

const slot = (itemIndex: number, image_id: string | null) => ({
  viewset_id: viewsetId,
  item_index: itemIndex,
  capture_order: itemIndex + 1,
  x_pos: itemIndex * 10.5,
  y_pos: 0,
  width: 10,
  height: 8,
  rotation: 90,
  horizontal_flip: true,
  teeth: [11, 21],
  description: 'front',
  image_id,
});

beforeAll(async () => {
  archive = await archiveUnderTest();
  patientId = await archive.addPatient();
  const done = await archive.importAll(patientId, {
    'a.dcm': smallObject({ SOPInstanceUID: '2.25.11', InstanceNumber: 1 }),
    'b.dcm': smallObject({ SOPInstanceUID: '2.25.12', InstanceNumber: 2 }),
  });
  [mountedImage = '', loose = ''] = done.files.map(({ imageUid }) => imageUid ?? '');
  const study_id = (await findImage(archive.db, mountedImage))?.study_id ?? '';
  const viewset = {
    id: viewsetId,
    study_id,
    name: 'Front',
    comments: 'Two views',
    template_id: null,
    width: 21,
    height: 8,
  };
  await insertViewset(archive.db, viewset, [slot(0, mountedImage), slot(1, null)]);
  await archive.archive.thumbnails.idle();
});

afterAll(() => archive.close());

test('a viewset shows its slots with their images, and the unmounted images of the study', async () => {
  const viewset = (await (await archive.call(`/resource/viewset/${viewsetId}`)).json()) as Viewset;
  expect(viewset).toMatchObject({ viewSetUuid: viewsetId, name: 'Front', patientId, studyUid: '2.25.1002', width: 21 });
  expect(viewset.viewSetItems).toHaveLength(2);
  expect(viewset.viewSetItems[0]).toMatchObject({
    itemIndex: 0,
    order: 1,
    xPos: 0,
    width: 10,
    rotation: 90,
    horizontalFlip: true,
    teeth: [11, 21],
    activeImage: {
      uid: mountedImage,
      viewsetId,
      order: 1,
      activeImageThumbLink: expect.stringContaining('signature='),
    },
  });
  expect(viewset.viewSetItems[1]).toMatchObject({ itemIndex: 1, xPos: 10.5, activeImage: null });
  expect(viewset.detachedImages.map(({ uid }) => uid)).toEqual([loose]);
});

test('the list of studies counts its slots and shows where an image is mounted', async () => {
  const { data } = await (await archive.call(`/resource/study/bypatient/${patientId}`)).json();
  expect(data[0].viewsets).toEqual([
    {
      viewSetUuid: viewsetId,
      name: 'Front',
      templateUUID: null,
      filledSlots: 1,
      slots: 2,
      mounted: [expect.objectContaining({ itemIndex: 0, imageUid: mountedImage, teeth: [11, 21], rotation: 90 })],
    },
  ]);
  const images = data[0].series[0].images.map((image: { uid: string; viewsetId: string | null }) => [
    image.uid,
    image.viewsetId,
  ]);
  expect(images).toEqual([
    [mountedImage, viewsetId],
    [loose, null],
  ]);
});

test('opening is logged; other clinics and deleted viewsets get 404', async () => {
  const row = await archive.db
    .selectFrom('access_log')
    .selectAll()
    .where('action', '=', 'viewset.opened')
    .executeTakeFirstOrThrow();
  expect(row).toMatchObject({ object_id: viewsetId, patient_id: patientId, account_id: archive.clinics.doctorId });
  const target = `/resource/viewset/${viewsetId}`;
  expect((await archive.call(target, { as: archive.clinics.otherDoctorId })).status).toBe(404);
  expect((await archive.call(target, { as: archive.clinics.superId })).status).toBe(200);
  await archive.db.updateTable('viewset').set({ deleted_at: new Date() }).where('id', '=', viewsetId).execute();
  expect((await archive.call(target)).status).toBe(404);
  const { data } = await (await archive.call(`/resource/study/bypatient/${patientId}`)).json();
  expect([data[0].viewsets, data[0].series[0].images[0].viewsetId]).toEqual([[], null]);
});

test('templates are listed favourites first', async () => {
  const item = {
    itemIndex: 0,
    order: 1,
    xPos: 0,
    yPos: 0,
    width: 5,
    height: 5,
    rotation: 0,
    horizontalFlip: false,
    teeth: [11],
    description: null,
  };
  const template = { width: 5, height: 5, modality: 'IO', items: JSON.stringify([item]) };
  await insertTemplates(archive.db, [
    { ...template, id: randomUUID(), name: 'A single view' },
    { ...template, id: randomUUID(), name: 'Z favourite', is_favorite: true },
  ]);
  const templates = await (await archive.call('/resource/ViewSetTemplate/')).json();
  expect(templates.map(({ name, isFavorite }: { name: string; isFavorite: boolean }) => [name, isFavorite])).toEqual([
    ['Z favourite', true],
    ['A single view', false],
  ]);
  expect(templates[0].viewSetItems).toEqual([item]);
});
