import path from 'node:path';
import { corpusBytes } from '../dicom/corpus.ts';
import type { ArchiveUnderTest } from './archive-under-test.ts';
import { addClinic } from './clinic.ts';

/** Imports a file into a clinic of its own, because files of the corpus share UIDs; null when the import refuses it. */
export const importCorpusFile = async (archive: ArchiveUnderTest, file: string) => {
  const customerId = await addClinic(archive.db, file.slice(-200));
  const as = archive.clinics.superId;
  const patientId = await archive.addPatient({ customerId });
  const begun = await archive.post('/resource/ImageImport', { patientId, totalFilesCount: 1 }, as);
  const { id } = await begun.json();
  await archive.send(id, path.basename(file), corpusBytes(file), as);
  await archive.post('/resource/ImageImport/dicom/parse', { id }, as);
  const settled = async (step: number) => {
    for (;;) {
      const task = await (await archive.call(`/resource/ImageImport/${id}`, { as })).json();
      if (task.step >= step || task.error) return task;
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  };
  if ((await settled(3)).error) return null;
  await archive.post('/resource/ImageImport/dicom/import', { id, mismatchConfirmed: true }, as);
  await settled(5);
  const row = await archive.db
    .selectFrom('image')
    .innerJoin('series', 'series.id', 'image.series_id')
    .innerJoin('study', 'study.id', 'series.study_id')
    .select(['study.uid as study', 'series.uid as series', 'image.sop_instance_uid as instance', 'image.kind'])
    .select(['image.sop_class_uid', 'image.transfer_syntax'])
    .where('image.customer_id', '=', customerId)
    .executeTakeFirst();
  return row ? { ...row, customerId, as } : null;
};
