import type { Kysely } from 'kysely';
import { presentationStateClasses, pseudoColourStateClass } from '../../domain/image-classes.ts';
import type { Schema } from '../schema.ts';
import { visibleImages } from './visible-images.ts';

/** Returns the stored presentation states of a patient, also those that cannot be shown, those that arrived last first. */
export const statesOfPatient = (db: Kysely<Schema>, { id, customerId }: { id: string; customerId: string }) =>
  visibleImages(db)
    .select(['image.id', 'image.sha256', 'image.size_bytes', 'image.sop_class_uid'])
    .where('study.patient_id', '=', id)
    .where('image.customer_id', '=', customerId)
    .where('image.sop_class_uid', 'in', [...presentationStateClasses, pseudoColourStateClass])
    .orderBy('image.created_at', 'desc')
    .orderBy('image.id')
    .execute();
