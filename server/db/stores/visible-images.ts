import { type Kysely, sql } from 'kysely';
import type { Display } from '../../../contract/displays.ts';
import type { FileError } from '../../../contract/images.ts';
import { displayClasses } from '../../domain/image-classes.ts';
import type { Schema } from '../schema.ts';

/** Returns images of which neither they nor their study, patient or clinic are deleted. */
export const visibleImages = (db: Kysely<Schema>) =>
  db
    .selectFrom('image')
    .innerJoin('series', 'series.id', 'image.series_id')
    .innerJoin('study', 'study.id', 'series.study_id')
    .innerJoin('patient', 'patient.id', 'study.patient_id')
    .innerJoin('customer', 'customer.id', 'image.customer_id')
    .where('customer.deleted_at', 'is', null)
    .where('image.deleted_at', 'is', null)
    .where('series.deleted_at', 'is', null)
    .where('study.deleted_at', 'is', null)
    .where('patient.deleted_at', 'is', null);

/** Objects that are listed and counted: all but presentation states and structured displays. */
export const isListed = sql<boolean>`(image.sop_class_uid is null or image.sop_class_uid not in (${sql.join(
  displayClasses.map((uid) => sql.lit(uid)),
)}))`;

/** The error of an image's stored file and its time (UTC); null when it is intact. */
export const fileErrorOfImage = sql<FileError | null>`(
  select jsonb_build_object('kind', kind, 'since', to_char(since at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'))
  from stored_file_fault where stored_file_fault.sha256 in (image.sha256, image.original_sha256)
  order by since limit 1)`;

/** `from ... where ...` of the slots of visible viewsets that hold the image. */
const slotsOfImage = sql`from viewset_item
  join viewset on viewset.id = viewset_item.viewset_id
  join study as mounting on mounting.id = viewset.study_id
  where viewset_item.image_id = image.id and viewset.deleted_at is null and mounting.deleted_at is null`;

/** The viewset in which an image is mounted, the oldest of several; null where there is none. */
export const viewsetOfImage = sql<string | null>`(
  select viewset_item.viewset_id ${slotsOfImage} order by viewset.created_at limit 1)`;

/** How the slot of an image shows it: the saved display, and the orientation of the slot; null where it is not mounted. */
export const slotOfImage = sql<{
  readonly rotation: number;
  readonly horizontalFlip: boolean;
  readonly display: Display | null;
} | null>`(
  select jsonb_build_object('rotation', viewset_item.rotation, 'horizontalFlip', viewset_item.horizontal_flip, 'display', (
    select display from image_display
    where image_display.image_id = image.id and image_display.viewset_id = viewset_item.viewset_id))
  ${slotsOfImage} order by viewset.created_at limit 1)`;

/** Teeth of an image as the viewer shows them: set by a user, else of its slot, else of the file. */
export const teethShown = sql<number[]>`coalesce(image.chosen_teeth, (
  select viewset_item.teeth ${slotsOfImage} and viewset_item.teeth <> '{}' order by viewset.created_at limit 1), image.teeth)`;
