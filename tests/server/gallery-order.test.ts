import { type Insertable, sql } from 'kysely';
import { beforeAll, describe, expect, it } from 'vitest';
import { type GalleryImage, gallerySorts } from '../../contract/gallery.ts';
import { countLimit } from '../../contract/lists.ts';
import type { ImageTable } from '../../server/db/schema.ts';
import { addClinic } from './clinic.ts';
import { addPatient, addSeries, addStudy, imageRow } from './gallery-clinic.ts';
import { galleryUnderTest } from './gallery-under-test.ts';

const bench = galleryUnderTest();
const { search, page, idsOf, allImages, smallClinic } = bench;

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
    const { db } = bench.archive;
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
    await bench.archive.db.updateTable('image').set({ deleted_at: new Date() }).where('id', '=', uid).execute();
    const again = await page(customerId, { ppage: 10, after: first.next });
    await bench.archive.db.updateTable('image').set({ deleted_at: null }).where('id', '=', uid).execute();
    expect(again.data.map((image) => image.uid)).toEqual(second.data.map((image) => image.uid));
  });
});

describe('many images', () => {
  let customerId = '';
  const many = countLimit + 50;

  beforeAll(async () => {
    const clinic = await smallClinic();
    customerId = clinic.customerId;
    const sample = await clinic.add({ comments: 'prov' });
    const row = await bench.archive.db
      .selectFrom('image')
      .selectAll()
      .where('id', '=', sample)
      .executeTakeFirstOrThrow();
    await sql`
      insert into image (id, customer_id, series_id, sop_instance_uid, kind, source, sha256, size_bytes, file_name, rows, columns, frames,
        transfer_syntax, compression, comments, thumb_status, rendition_status)
      select gen_random_uuid(), customer_id, series_id, '1.2.' || n, kind, source, sha256, n, file_name, rows, columns, frames, transfer_syntax,
        compression, case when n % 5000 = 0 then 'rar' else 'prov' end, 'error', 'error'
      from image, generate_series(2, ${many}) as n where id = ${row.id}`.execute(bench.archive.db);
  });

  it.each([{}, { q: 'prov' }])('are counted to a bound, and paged beyond it: %j', async (filter) => {
    const first = await page(customerId, { ...filter, sort: 'size', order: 'asc', ppage: 500 });
    expect(first).toMatchObject({ totalCount: countLimit, isTotalExact: false });
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
