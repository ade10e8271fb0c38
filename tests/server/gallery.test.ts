import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import type { GalleryImage } from '../../contract/gallery.ts';
import { addImage, addPatient, addSeries, addStudy } from './gallery-clinic.ts';
import { galleryUnderTest } from './gallery-under-test.ts';

const bench = galleryUnderTest();
const { search, page, idsOf, smallClinic } = bench;

describe('one image', () => {
  it('has the displayed columns and the ids that open it', async () => {
    const { db } = bench.archive;
    const { customerId, patient, studyId, seriesId, add } = await smallClinic();
    const viewsetId = randomUUID();
    const uid = await add({
      number: 3,
      acquired_at: '2026-03-12T10:11:12',
      comments: 'karies',
      file_name: 'IMG_7.dcm',
      size_bytes: 4321,
      teeth: [11],
      chosen_teeth: [48],
      sensor_type: 'CMOS',
      thumb_status: 'ready',
    });
    const size = { width: 100, height: 100 };
    const viewset = {
      id: viewsetId,
      study_id: studyId,
      name: 'A',
      comments: null,
      template_id: null,
      deleted_at: null,
    };
    await db
      .insertInto('viewset')
      .values({ ...viewset, ...size })
      .execute();
    const slot = { item_index: 0, capture_order: 0, x_pos: 0, y_pos: 0, rotation: 0, horizontal_flip: false };
    const item = { ...slot, ...size, viewset_id: viewsetId, teeth: [], description: null, image_id: uid };
    await db.insertInto('viewset_item').values(item).execute();
    const { data, totalCount, isTotalExact, next, facets } = await page(customerId);
    expect({ totalCount, isTotalExact, next, facets }).toEqual({
      totalCount: 1,
      isTotalExact: true,
      next: null,
      facets: { modalities: ['IO'] },
    });
    const series = await db.selectFrom('series').select('uid').where('id', '=', seriesId).executeTakeFirstOrThrow();
    expect(data).toMatchObject([
      {
        uid,
        name: 'Bitewing 3',
        number: 3,
        patientId: patient.id,
        patientName: 'Åsa Björk-Lund',
        studyId,
        personalNumber: patient.personalNumber,
        studyDate: '2026-03-10',
        studyDescription: 'Helstatus',
        seriesUid: series.uid,
        seriesModalityValue: 'IO',
        viewsetId,
        imageAcquiredDate: '2026-03-12T10:11:12',
        imageComment: 'karies',
        imageCompression: 'none',
        imageFileName: 'IMG_7.dcm',
        imageFileSize: 4321,
        imageSensorType: 'CMOS',
        source: 'dicom',
        teeth: [48],
        width: 8,
        height: 6,
        frames: 1,
      },
    ]);
    expect((await fetch(`${bench.archive.url}${data[0]?.activeImageThumbLink}`)).status).not.toBe(410);
    expect(Date.parse(data[0]?.uploadedAt ?? '')).toBeGreaterThan(Date.now() - 60_000);
  });

  it('is not listed when it is a document, or when it or a parent is deleted', async () => {
    const { db } = bench.archive;
    const { customerId, patient, studyId, seriesId, add } = await smallClinic();
    await add({ kind: 'document' });
    const uid = await add();
    expect(await idsOf(customerId)).toEqual([uid]);
    for (const [table, id] of [
      ['image', uid],
      ['series', seriesId],
      ['study', studyId],
      ['patient', patient.id],
    ] as const) {
      await db.updateTable(table).set({ deleted_at: new Date() }).where('id', '=', id).execute();
      expect((await page(customerId)).totalCount, table).toBe(0);
      await db.updateTable(table).set({ deleted_at: null }).where('id', '=', id).execute();
      expect(await idsOf(customerId), table).toEqual([uid]);
    }
  });
});

describe('filters', () => {
  it('modality, any of several, and the list of all modalities', async () => {
    const { db } = bench.archive;
    const { customerId, studyId, add } = await smallClinic('PX');
    const px = await add();
    const io = await addImage(db, customerId, await addSeries(db, studyId, 'IO'));
    await addImage(db, customerId, await addSeries(db, studyId, 'CT'));
    expect(await idsOf(customerId, { modalities: ['PX'] })).toEqual([px]);
    expect((await idsOf(customerId, { modalities: ['PX', 'IO'] })).toSorted()).toEqual([px, io].toSorted());
    expect((await page(customerId, { modalities: ['MR'] })).facets.modalities).toEqual(['CT', 'IO', 'PX']);
  });

  it('days, both inclusive; by the study where the image has no date', async () => {
    const { customerId, add } = await smallClinic();
    const ofStudy = await add();
    const late = await add({ acquired_at: '2026-03-12T23:59:59' });
    const next = await add({ acquired_at: '2026-03-13T00:00:00' });
    expect(await idsOf(customerId, { from: '2026-03-10', to: '2026-03-12' })).toEqual([late, ofStudy]);
    expect(await idsOf(customerId, { from: '2026-03-13' })).toEqual([next]);
    expect(await idsOf(customerId, { to: '2026-03-10' })).toEqual([ofStudy]);
  });

  it('exclude an image without a date from every range', async () => {
    const { db } = bench.archive;
    const { customerId, patient } = await smallClinic();
    const undated = await addImage(db, customerId, await addSeries(db, await addStudy(db, patient)));
    expect(await idsOf(customerId)).toEqual([undated]);
    expect(await idsOf(customerId, { to: '2030-01-01' })).toEqual([]);
  });

  it("teeth: a user's edit takes precedence over the file", async () => {
    const { customerId, add } = await smallClinic();
    const added = await add({ teeth: [11], chosen_teeth: [48] });
    const file = await add({ teeth: [11, 12] });
    expect(await idsOf(customerId, { teeth: [11] })).toEqual([file]);
    expect((await idsOf(customerId, { teeth: [12, 48] })).toSorted()).toEqual([file, added].toSorted());
    expect((await search(customerId, { teeth: [19] })).status).toBe(400);
  });

  it('source', async () => {
    const { customerId, add } = await smallClinic();
    const dicom = await add();
    const picture = await add({ source: 'picture' });
    expect(await idsOf(customerId, { source: 'picture' })).toEqual([picture]);
    expect(await idsOf(customerId, { source: 'dicom' })).toEqual([dicom]);
  });

  it('words: prefixes of name in any order, description, comment and file, normalized', async () => {
    const { customerId, patient, add } = await smallClinic();
    const uid = await add({ comments: 'Karies, distalt', file_name: 'Prov_0007.dcm' });
    await addPatient(bench.archive.db, customerId, 'Nils', 'Ek');
    const number = patient.personalNumber;
    for (const q of [
      'åsa',
      'ASA',
      'bjork asa',
      'lund',
      'björk-lund',
      'hel',
      'karies',
      'distalt asa',
      'prov',
      '0007',
      number,
      `${number.slice(2, 8)}-${number.slice(8)}`,
      number.slice(8),
      `asa ${number.slice(0, 6)}`,
    ])
      expect(await idsOf(customerId, { q }), q).toEqual([uid]);
    for (const q of ['nils', 'jörk', 'status', 'asa ek', '%', '_', "'", '9999'])
      expect(await idsOf(customerId, { q }), q).toEqual([]);
  });

  it('are the same in a query string and in a body', async () => {
    const { customerId, add } = await smallClinic();
    const uid = await add({ teeth: [21] });
    await add({ teeth: [36] });
    const query = new URLSearchParams({
      customerId,
      modalities: 'IO,PX',
      teeth: '21,22',
      q: 'asa',
      sort: 'size',
      order: 'asc',
    });
    const reply = await bench.archive.call(`/resource/image/search?${query}`, { as: bench.archive.clinics.superId });
    expect((await reply.json()).data.map((image: GalleryImage) => image.uid)).toEqual([uid]);
    expect(await idsOf(customerId, { modalities: ['IO', 'PX'], teeth: [21, 22], q: 'asa', sort: 'size' })).toEqual([
      uid,
    ]);
  });
});

describe('access', () => {
  it('to another clinic returns 404', async () => {
    const { doctorId, otherCustomerId } = bench.archive.clinics;
    for (const id of [otherCustomerId, randomUUID()]) expect((await search(id, {}, doctorId)).status).toBe(404);
  });

  it('with a cursor of another list or a forged one is rejected', async () => {
    const { customerId, add } = await smallClinic();
    await add();
    await add();
    const { next: after } = await page(customerId, { ppage: 1 });
    expect((await page(customerId, { ppage: 1, after })).data).toHaveLength(1);
    for (const invalid of [
      { after, sort: 'size' },
      { after, order: 'asc' },
      { after, q: 'asa' },
      { after, teeth: [11] },
      { after: 'x' },
    ]) {
      const reply = await search(customerId, invalid);
      expect([reply.status, (await reply.json()).errors]).toEqual([400, [{ fieldKey: 'after' }]]);
    }
    expect((await search((await smallClinic()).customerId, { after })).status).toBe(400);
  });

  it('is logged once for each patient of the page', async () => {
    const { db } = bench.archive;
    const { customerId, patient, add } = await smallClinic();
    const other = await addPatient(db, customerId, 'Nils', 'Ek');
    for (let count = 0; count < 3; count++) await add();
    await addImage(db, customerId, await addSeries(db, await addStudy(db, other)));
    const entries = () =>
      db
        .selectFrom('access_log')
        .select(['action', 'patient_id', 'account_id'])
        .where('customer_id', '=', customerId)
        .orderBy('id')
        .execute();
    await page(customerId, { ppage: 3 });
    const account_id = bench.archive.clinics.superId;
    const seen = { action: 'image.listed', account_id, patient_id: patient.id };
    expect(await entries()).toEqual([seen]);
    await page(customerId);
    expect((await entries()).slice(1)).toEqual([seen, { ...seen, patient_id: other.id }]);
  });
});
