import { Readable } from 'node:stream';
import { afterAll, beforeAll } from 'vitest';
import { uidFrom } from '../../dicom/write/uid.ts';
import { type ArchiveUnderTest, archiveUnderTest } from './archive-under-test.ts';
import { addImage, addPatient, addSeries, addStudy } from './gallery-clinic.ts';
import { smallObject } from './small-object.ts';

/** An archive whose stored files are downloaded; call once per test file. */
export const downloadUnderTest = () => {
  let archive: ArchiveUnderTest;
  beforeAll(async () => {
    archive = await archiveUnderTest();
  });
  afterAll(() => archive.close());

  const stored = async (bytes: Uint8Array) => {
    const { sha256, sizeBytes } = await archive.archive.files.put(Readable.from([bytes]));
    return { sha256, size_bytes: sizeBytes };
  };

  /** A patient with two studies of three images, one of them made of a picture. */
  const patientWithImages = async (seed: string) => {
    const { db, clinics } = archive;
    const patient = await addPatient(db, clinics.customerId, 'Åsa', 'Hemlig');
    const objects: Uint8Array[] = [];
    const add = async (study: string, number: number, changes: object = {}) => {
      const bytes = smallObject({
        SOPInstanceUID: uidFrom(`${seed} ${study} ${number}`),
        StudyInstanceUID: uidFrom(`${seed} ${study}`),
        SeriesInstanceUID: uidFrom(`${seed} ${study} series`),
        StudyDate: study,
        InstanceNumber: number,
      });
      objects.push(bytes);
      return { number, ...(await stored(bytes)), ...changes };
    };
    const later = await addStudy(db, patient, { study_date: '2026-03-10' });
    const earlier = await addStudy(db, patient, { study_date: '2024-05-01' });
    const earlierSeries = await addSeries(db, earlier);
    const laterSeries = await addSeries(db, later);
    const images: string[] = [];
    images.push(await addImage(db, clinics.customerId, earlierSeries, await add('20240501', 1)));
    const picture = { source: 'picture' as const, file_name: 'hemlig.jpg' };
    const original = (await stored(Buffer.from('a jpg'))).sha256;
    const pictureRow = await add('20240501', 2, { ...picture, original_sha256: original });
    images.push(await addImage(db, clinics.customerId, earlierSeries, pictureRow));
    images.push(await addImage(db, clinics.customerId, laterSeries, await add('20260310', 1)));
    return { patient, studies: { later, earlier }, series: { earlier: earlierSeries }, images, objects };
  };

  return {
    get archive() {
      return archive;
    },
    stored,
    patientWithImages,
  };
};
