import { randomUUID } from 'node:crypto';
import { type Insertable, sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type GalleryImage, type GalleryPage, gallerySorts } from '../../contract/gallery.ts';
import { mostCounted } from '../../contract/lists.ts';
import type { ImageTable } from '../../server/db/schema.ts';
import { type ArchiveUnderTest, archiveUnderTest } from './archive-under-test.ts';
import { addClinic } from './clinic.ts';
import { addImage, addPatient, addSeries, addStudy, imageRow } from './gallery-clinic.ts';

let archive: ArchiveUnderTest;
beforeAll(async () => {
  archive = await archiveUnderTest();
});
afterAll(() => archive.close());

const search = (customerId: string, filter: object = {}, as = archive.clinics.superId) =>
  archive.post('/resource/image/search', { customerId, ...filter }, as);

const page = async (customerId: string, filter: object = {}): Promise<GalleryPage> => {
  const reply = await search(customerId, filter);
  if (reply.status !== 200) throw new Error(`${reply.status} ${await reply.text()}`);
  return reply.json();
};

const idsOf = async (customerId: string, filter: object = {}): Promise<string[]> =>
  (await page(customerId, { ppage: 500, ...filter })).data.map(({ uid }) => uid);

/** Collects all pages by cursor. */
const allImages = async (customerId: string, filter: object, ppage: number): Promise<GalleryImage[]> => {
  const seen: GalleryImage[] = [];
  for (let after: string | undefined; ; ) {
    const found: GalleryPage = await page(customerId, { ...filter, ppage, ...(after === undefined ? {} : { after }) });
    seen.push(...found.data);
    if (found.next === null) return seen;
    after = found.next;
  }
};

/** A clinic with one patient, study and series, to which a test adds images. */
const smallClinic = async (modality = 'IO') => {
  const { db } = archive;
  const customerId = await addClinic(db, `Galleri ${randomUUID()}`);
  const patient = await addPatient(db, customerId, 'Åsa', 'Björk-Lund');
  const studyId = await addStudy(db, patient, { description: 'Helstatus', study_date: '2026-03-10' });
  const seriesId = await addSeries(db, studyId, modality);
  const add = (changes: Partial<Insertable<ImageTable>> = {}) => addImage(db, customerId, seriesId, changes);
  return { customerId, patient, studyId, seriesId, add };
};

describe('one image', () => {
  it('has the displayed columns and the ids that open it', async () => {
    const { db } = archive;
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
    expect((await fetch(`${archive.url}${data[0]?.activeImageThumbLink}`)).status).not.toBe(410);
    expect(Date.parse(data[0]?.uploadedAt ?? '')).toBeGreaterThan(Date.now() - 60_000);
  });

  it('is not listed when it is a document, or when it or a parent is deleted', async () => {
    const { db } = archive;
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

describe('the order', () => {
  const compared = (one: readonly (string | number)[], other: readonly (string | number)[]): number => {
    const at = one.findIndex((key, index) => key !== other[index]);
    return at < 0 ? 0 : (one[at] ?? '') < (other[at] ?? '') ? -1 : 1;
  };
  const names = ['Öst', 'Ek', 'Åberg', 'Zander', 'Äng'];
  /** Å, Ä and Ö sort last, in this order. */
  const alphabet = ['Ek', 'Zander', 'Åberg', 'Äng', 'Öst'];
  const shown = (image: GalleryImage) => image.imageAcquiredDate ?? image.studyDate ?? '';
  const keys = {
    date: (image: GalleryImage) => [shown(image), image.uid],
    patient: (image: GalleryImage) => [
      alphabet.indexOf(image.patientName.slice(4)),
      image.patientId,
      shown(image),
      image.uid,
    ],
    modality: (image: GalleryImage) => [image.seriesModalityValue, shown(image), image.uid],
    size: (image: GalleryImage) => [image.imageFileSize, image.uid],
    upload: (image: GalleryImage) => [image.uploadedAt, image.uid],
  };
  let customerId = '';
  const count = 60;

  beforeAll(async () => {
    const { db } = archive;
    customerId = await addClinic(db, 'Ordning');
    const rows: Insertable<ImageTable>[] = [];
    for (const [index, name] of names.entries()) {
      const patient = await addPatient(db, customerId, 'Eva', name);
      for (const study_date of ['2026-01-05', null]) {
        const studyId = await addStudy(db, patient, { study_date });
        const seriesId = await addSeries(db, studyId, ['PX', 'IO', 'CT'][(index + (study_date ? 1 : 0)) % 3]);
        for (let at = 0; at < 6; at++)
          rows.push(
            imageRow(customerId, seriesId, {
              // Many are equal, so that the id decides.
              size_bytes: 1000 * (at % 3),
              created_at: new Date(Date.UTC(2026, 2, 1 + (at % 4))),
              acquired_at: at < 2 ? null : `2026-01-0${4 + (at % 2)}T0${at}:00:00`,
            }),
          );
      }
    }
    await db.insertInto('image').values(rows).execute();
  });

  it.each(gallerySorts.flatMap((sort) => [[sort, 'asc'] as const, [sort, 'desc'] as const]))(
    '%s %s',
    async (sort, order) => {
      for (const filter of [{}, { q: 'eva' }]) {
        const seen = await allImages(customerId, { sort, order, ...filter }, 7);
        const expected = seen.toSorted((one, other) => compared(keys[sort](one), keys[sort](other)));
        expect(new Set(seen.map(({ uid }) => uid)).size).toBe(count);
        expect(seen.map(({ uid }) => uid)).toEqual(
          (order === 'asc' ? expected : expected.toReversed()).map(({ uid }) => uid),
        );
      }
    },
  );

  it('is newest first by default', async () => {
    expect(await idsOf(customerId)).toEqual(await idsOf(customerId, { sort: 'date', order: 'desc' }));
  });

  it('is the same by page number', async () => {
    const all = await idsOf(customerId);
    for (const filter of [{}, { q: 'eva' }]) {
      const third = await page(customerId, { page: 3, ppage: 7, ...filter });
      expect(third.data.map(({ uid }) => uid)).toEqual(all.slice(14, 21));
      expect(third.totalCount).toBe(count);
    }
  });

  it('continues at the same image although an earlier one was deleted', async () => {
    const first = await page(customerId, { ppage: 10 });
    const uid = first.data[4]?.uid ?? '';
    const second = await page(customerId, { ppage: 10, after: first.next });
    await archive.db.updateTable('image').set({ deleted_at: new Date() }).where('id', '=', uid).execute();
    const again = await page(customerId, { ppage: 10, after: first.next });
    await archive.db.updateTable('image').set({ deleted_at: null }).where('id', '=', uid).execute();
    expect(again.data.map((image) => image.uid)).toEqual(second.data.map((image) => image.uid));
  });
});

describe('filters', () => {
  it('modality, any of several, and the list of all modalities', async () => {
    const { db } = archive;
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
    const { db } = archive;
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
    await addPatient(archive.db, customerId, 'Nils', 'Ek');
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
    const reply = await archive.call(`/resource/image/search?${query}`, { as: archive.clinics.superId });
    expect((await reply.json()).data.map((image: GalleryImage) => image.uid)).toEqual([uid]);
    expect(await idsOf(customerId, { modalities: ['IO', 'PX'], teeth: [21, 22], q: 'asa', sort: 'size' })).toEqual([
      uid,
    ]);
  });
});

describe('many images', () => {
  let customerId = '';
  const many = mostCounted + 50;

  beforeAll(async () => {
    const clinic = await smallClinic();
    customerId = clinic.customerId;
    const sample = await clinic.add({ comments: 'prov' });
    const row = await archive.db.selectFrom('image').selectAll().where('id', '=', sample).executeTakeFirstOrThrow();
    await sql`
      insert into image (id, customer_id, series_id, sop_instance_uid, kind, source, sha256, size_bytes, file_name, rows, columns, frames,
        transfer_syntax, compression, comments, thumb_status, rendition_status)
      select gen_random_uuid(), customer_id, series_id, '1.2.' || n, kind, source, sha256, n, file_name, rows, columns, frames, transfer_syntax,
        compression, case when n % 5000 = 0 then 'rar' else 'prov' end, 'error', 'error'
      from image, generate_series(2, ${many}) as n where id = ${row.id}`.execute(archive.db);
  });

  it.each([{}, { q: 'prov' }])('are counted to a bound, and paged beyond it: %j', async (filter) => {
    const first = await page(customerId, { ...filter, sort: 'size', order: 'asc', ppage: 500 });
    expect(first).toMatchObject({ totalCount: mostCounted, isTotalExact: false });
    const seen = await allImages(customerId, { ...filter, sort: 'size', order: 'asc' }, 500);
    expect(new Set(seen.map(({ uid }) => uid)).size).toBe('q' in filter ? many - 2 : many);
  });

  it('are counted when a filter matches few of them', async () => {
    expect(await page(customerId, { q: 'rar' })).toMatchObject({ totalCount: 2, isTotalExact: true, next: null });
  });

  it('end by page number where counting ends', async () => {
    expect((await search(customerId, { page: 20, ppage: 500 })).status).toBe(200);
    const beyond = await search(customerId, { page: 21, ppage: 500 });
    expect([beyond.status, (await beyond.json()).errors]).toEqual([400, [{ fieldKey: 'page', vars: { max: 20 } }]]);
  });
});

describe('access', () => {
  it('to another clinic returns 404', async () => {
    const { doctorId, otherCustomerId } = archive.clinics;
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
    const { db } = archive;
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
    const account_id = archive.clinics.superId;
    const seen = { action: 'image.listed', account_id, patient_id: patient.id };
    expect(await entries()).toEqual([seen]);
    await page(customerId);
    expect((await entries()).slice(1)).toEqual([seen, { ...seen, patient_id: other.id }]);
  });
});
