import { type Kysely, sql } from 'kysely';
import type { DoseImage } from '../../domain/dose.ts';
import type { Schema } from '../schema.ts';
import { hasIntactFile } from './intact-file.ts';
import { teethShown } from './visible-images.ts';

const isPending = sql<boolean>`(image.dose_status = 'pending' and image.kind = 'image' and image.source = 'dicom')`;

/** Returns images whose dose is not read yet and whose file is not known to be damaged or missing, newest first. */
export const imagesWithUnreadDose = (db: Kysely<Schema>, limit: number) =>
  db
    .selectFrom('image')
    .select(['id', 'sha256', 'size_bytes'])
    .where(isPending)
    .where(hasIntactFile)
    .orderBy('created_at', 'desc')
    .limit(limit)
    .execute();

/** Saves what the file of an image states. `areaDose` in mGy*cm2, above 0; null: not stated. */
export const saveDose = async (
  db: Kysely<Schema>,
  id: string,
  dose: { readonly irradiationEvent: string | null; readonly areaDose: number | null },
): Promise<void> => {
  await db
    .updateTable('image')
    .set({ dose_status: 'read', irradiation_event: dose.irradiationEvent, area_dose: dose.areaDose })
    .where('id', '=', id)
    .execute();
};

const doseImages = (db: Kysely<Schema>) =>
  db
    .selectFrom('gallery_image')
    .innerJoin('image', 'image.id', 'gallery_image.image_id')
    .select(['image.id', 'image.series_id', 'image.irradiation_event', 'image.area_dose'])
    .select(['gallery_image.modality', 'gallery_image.source', 'gallery_image.shown_at'])
    .select(teethShown.as('teeth'))
    .orderBy('gallery_image.shown_at')
    .orderBy('image.id');

/** Returns the visible images of a patient, oldest first. */
export const doseImagesOfPatient = (db: Kysely<Schema>, { id, customer_id }: { id: string; customer_id: string }) =>
  doseImages(db)
    .select(isPending.as('is_unread'))
    .where('gallery_image.customer_id', '=', customer_id)
    .where('gallery_image.patient_id', '=', id)
    .execute();

/** Returns the visible images of a clinic with a stated dose of the last 12 months. */
export const statedDosesOfYear = (db: Kysely<Schema>, customerId: string): Promise<DoseImage[]> =>
  doseImages(db)
    .where('gallery_image.customer_id', '=', customerId)
    .where('gallery_image.shown_at', '>=', sql<string>`to_char(now() - interval '12 months', 'YYYY-MM-DD')`)
    .where('image.area_dose', 'is not', null)
    .execute();
