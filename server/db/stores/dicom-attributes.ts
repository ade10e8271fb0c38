import type { Kysely } from 'kysely';
import type { DicomJson } from '../../../dicom/dicom-json.ts';
import type { Schema } from '../schema.ts';
import { hasIntactFile } from './intact-file.ts';

/** Returns images whose attributes are not read yet and whose file is not known to be damaged or missing, newest first. */
export const imagesWithUnreadAttributes = (db: Kysely<Schema>, limit: number) =>
  db
    .selectFrom('image')
    .select(['id', 'sha256', 'size_bytes'])
    .where('dicom_attributes', 'is', null)
    .where(hasIntactFile)
    .orderBy('created_at', 'desc')
    .limit(limit)
    .execute();

/** Saves the attributes of an image; none for a file that cannot be read. */
export const saveAttributes = async (db: Kysely<Schema>, id: string, attributes: DicomJson): Promise<void> => {
  await db
    .updateTable('image')
    .set({ dicom_attributes: JSON.stringify(attributes) })
    .where('id', '=', id)
    .execute();
};
