import { randomUUID } from 'node:crypto';
import type { Insertable } from 'kysely';
import { afterAll, beforeAll } from 'vitest';
import type { GalleryImage, GalleryPage } from '../../contract/gallery.ts';
import type { ImageTable } from '../../server/db/schema.ts';
import { type ArchiveUnderTest, archiveUnderTest } from './archive-under-test.ts';
import { addClinic } from './clinic.ts';
import { addImage, addPatient, addSeries, addStudy } from './gallery-clinic.ts';

/** Starts an archive before the tests of the file and returns the calls of its image search. */
export const galleryUnderTest = () => {
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
      const found: GalleryPage = await page(customerId, {
        ...filter,
        ppage,
        ...(after === undefined ? {} : { after }),
      });
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

  return {
    get archive() {
      return archive;
    },
    search,
    page,
    idsOf,
    allImages,
    smallClinic,
  };
};
