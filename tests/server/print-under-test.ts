import { afterAll, beforeAll } from 'vitest';
import { type ArchiveUnderTest, archiveUnderTest } from './archive-under-test.ts';
import { addImage, addPatient, addSeries, addStudy } from './gallery-clinic.ts';

export const codeOf = async (reply: Response) => [reply.status, (await reply.json()).code];

/** An archive whose images are printed and exported; call once per test file. */
export const printUnderTest = () => {
  let archive: ArchiveUnderTest;
  beforeAll(async () => {
    archive = await archiveUnderTest();
  });
  afterAll(() => archive.close());

  const newPatient = async (firstName = 'Åsa', lastName = 'Ångström', modality = 'IO') => {
    const { customerId } = archive.clinics;
    const patient = await addPatient(archive.db, customerId, firstName, lastName);
    const studyId = await addStudy(archive.db, patient, { study_date: '2026-03-10' });
    const seriesId = await addSeries(archive.db, studyId, modality);
    const image = (changes: Parameters<typeof addImage>[3] = {}) => addImage(archive.db, customerId, seriesId, changes);
    return { patient, studyId, image };
  };

  const entries = (patientId: string) =>
    archive.db
      .selectFrom('access_log')
      .select(['action', 'object_id', 'account_id', 'detail'])
      .where('patient_id', '=', patientId)
      .orderBy('id')
      .execute();

  return {
    get archive() {
      return archive;
    },
    newPatient,
    entries,
  };
};
