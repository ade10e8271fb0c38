import { patientLog } from '../../access-log/access-log.ts';
import { type LogPatient, patientOfLog } from '../../db/stores/access-log-pages.ts';
import { wholeRecord } from '../../db/stores/whole-record.ts';
import type { TextLanguage } from '../../domain/locale-text.ts';
import { ProblemError } from '../../domain/problem-error.ts';
import type { ZippedFile } from '../../storage/zip-files.ts';
import type { ResourceDependencies } from '../dependencies.ts';
import { fileOf, type SentImage } from './gathered.ts';

export interface RecordFiles {
  readonly patient: LogPatient;
  readonly files: readonly ZippedFile[];
}

/**
 * Returns `record.json`, all that is stored about a patient, with the files of its images; and `access-log.csv`.
 * @throws ProblemError 'not-found'
 */
export const recordFiles = async (
  { db }: Pick<ResourceDependencies, 'db'>,
  patientId: string,
  { sent, language }: { readonly sent: readonly SentImage[]; readonly language: TextLanguage },
): Promise<RecordFiles> => {
  const patient = await patientOfLog(db, patientId);
  if (!patient) throw new ProblemError('not-found');
  const madeAt = new Date();
  const files = sent.map(({ id, zipName }) => ({ image_id: id, file: zipName }));
  const record = { made_at: madeAt.toISOString(), ...(await wholeRecord(db, patientId)), files };
  return {
    patient,
    files: [
      fileOf('record.json', Buffer.from(`${JSON.stringify(record, null, 2)}\n`), madeAt),
      fileOf('access-log.csv', await patientLog(db, patient, language), madeAt),
    ],
  };
};
