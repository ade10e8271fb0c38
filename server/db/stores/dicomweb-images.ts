import { type Kysely, sql } from 'kysely';
import type { Schema } from '../schema.ts';
import { fileErrorOfImage, visibleImages } from './visible-images.ts';

export interface DicomWebResource {
  readonly customerId: string;
  readonly studyUid: string;
  readonly seriesUid?: string | undefined;
  readonly instanceUid?: string | undefined;
}

/** Visible instances with what leaves with them. */
export const leavingInstances = (db: Kysely<Schema>) =>
  visibleImages(db)
    .select(['image.id', 'image.customer_id', 'study.patient_id', 'study.id as study_id', 'series.id as series_id'])
    .select([
      'image.sha256',
      'image.size_bytes',
      'image.kind',
      'image.frames',
      'image.rows',
      'image.columns',
      'image.transfer_syntax',
    ])
    .select(['image.sop_instance_uid', 'image.sop_class_uid', 'study.uid as study_uid', 'series.uid as series_uid'])
    .select(['study.study_date', 'study.description', 'study.accession_number'])
    .select(['patient.personal_number', 'patient.first_name', 'patient.last_name', 'patient.birth_date', 'patient.sex'])
    .select(fileErrorOfImage.as('file_error'));

/** Returns the visible instances of a study, series or instance of a clinic by its UIDs, by series and number. */
export const dicomWebImages = (db: Kysely<Schema>, resource: DicomWebResource) => {
  const { customerId, studyUid, seriesUid, instanceUid } = resource;
  return leavingInstances(db)
    .where('study.customer_id', '=', customerId)
    .where('study.uid', '=', studyUid)
    .$if(seriesUid !== undefined, (query) => query.where('series.uid', '=', seriesUid ?? ''))
    .$if(instanceUid !== undefined, (query) => query.where('image.sop_instance_uid', '=', instanceUid ?? ''))
    .orderBy('series.number', (order) => order.asc().nullsLast())
    .orderBy('series.id')
    .orderBy('image.number', (order) => order.asc().nullsLast())
    .orderBy(sql`image.id`)
    .execute();
};

export type DicomWebImageRow = Awaited<ReturnType<typeof dicomWebImages>>[number];
