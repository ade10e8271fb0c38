import { type Kysely, sql, type Transaction } from 'kysely';
import type { Schema } from '../schema.ts';
import { recountLastStudy } from './patients.ts';
import { recordChanges } from './record-changes.ts';
import { studySearchText } from './study-search-text.ts';
import { teethShown } from './visible-images.ts';

/** Kinds of records that can be deleted and restored. */
export type DeletableKind = 'study' | 'series' | 'image';

/** A record with its patient and whether it is deleted. */
export interface DeletableRow {
  readonly id: string;
  readonly customer_id: string;
  readonly patient_id: string;
  readonly study_id: string;
  readonly deleted_at: Date | null;
  readonly deleted_by: string | null;
}

/** Studies of patients who are not deleted; contents of a deleted study or series are inaccessible with it. */
const reachable = (db: Kysely<Schema>) =>
  db
    .selectFrom('study')
    .innerJoin('patient', 'patient.id', 'study.patient_id')
    .select(['study.customer_id', 'study.patient_id', 'study.id as study_id'])
    .where('patient.deleted_at', 'is', null);

const findStudy = (db: Kysely<Schema>, id: string) =>
  reachable(db)
    .select(['study.id', 'study.deleted_at', 'study.deleted_by'])
    .where('study.id', '=', id)
    .executeTakeFirst();

const findSeries = (db: Kysely<Schema>, id: string) =>
  reachable(db)
    .innerJoin('series', 'series.study_id', 'study.id')
    .select(['series.id', 'series.deleted_at', 'series.deleted_by'])
    .where('study.deleted_at', 'is', null)
    .where('series.id', '=', id)
    .executeTakeFirst();

const findImageRow = (db: Kysely<Schema>, id: string) =>
  reachable(db)
    .innerJoin('series', 'series.study_id', 'study.id')
    .innerJoin('image', 'image.series_id', 'series.id')
    .select(['image.id', 'image.deleted_at', 'image.deleted_by'])
    .where('study.deleted_at', 'is', null)
    .where('series.deleted_at', 'is', null)
    .where('image.id', '=', id)
    .executeTakeFirst();

const finders = { study: findStudy, series: findSeries, image: findImageRow };

/** Returns a study, series or image, deleted or not. */
export const findDeletable = (db: Kysely<Schema>, what: DeletableKind, id: string): Promise<DeletableRow | undefined> =>
  finders[what](db, id);

const imagesOf = (db: Kysely<Schema>, what: DeletableKind, id: string) => {
  const images = db.selectFrom('image').innerJoin('series', 'series.id', 'image.series_id').select('image.id');
  if (what === 'image') return images.where('image.id', '=', id);
  return what === 'series' ? images.where('series.id', '=', id) : images.where('series.study_id', '=', id);
};

/** The viewsets that hold such an image in a slot or tray, and those of its study, whose tray shows unmounted images implicitly. */
const viewsetsAround = (
  db: Kysely<Schema>,
  what: DeletableKind,
  { id, study_id }: Pick<DeletableRow, 'id' | 'study_id'>,
) => {
  const images = imagesOf(db, what, id);
  return db
    .selectFrom('viewset')
    .select(['id', 'version'])
    .where('deleted_at', 'is', null)
    .where((where) =>
      where.or([
        where('study_id', '=', study_id),
        where('id', 'in', db.selectFrom('viewset_item').select('viewset_id').where('image_id', 'in', images)),
        where('id', 'in', db.selectFrom('viewset_detached').select('viewset_id').where('image_id', 'in', images)),
      ]),
    )
    .orderBy('id');
};

/** Current version of a viewset, for events. */
export interface ViewsetVersion {
  readonly id: string;
  readonly version: number;
}

/** Returns the viewsets that show an image, in a slot or in the tray. */
export const viewsetsShowing = (
  db: Kysely<Schema>,
  image: { id: string; study_id: string },
): Promise<ViewsetVersion[]> => viewsetsAround(db, 'image', image).execute();

/** Increments the versions of changed viewsets. They must be locked. */
export const incrementVersions = async (
  db: Kysely<Schema>,
  viewsets: readonly ViewsetVersion[],
): Promise<ViewsetVersion[]> => {
  if (viewsets.length === 0) return [];
  return db
    .updateTable('viewset')
    .set({ version: sql`version + 1` })
    .where(
      'id',
      'in',
      viewsets.map(({ id }) => id),
    )
    .returning(['id', 'version'])
    .execute();
};

/** Returns the current patient of a study, which may have been moved since it was looked up. The study must be locked. */
const recountOwner = async (transaction: Transaction<Schema>, studyId: string): Promise<void> => {
  const { patient_id } = await transaction
    .selectFrom('study')
    .select('patient_id')
    .where('id', '=', studyId)
    .executeTakeFirstOrThrow();
  await recountLastStudy(transaction, patient_id);
};

/**
 * Deletes or restores a study, series or image. Slots keep the id of a deleted image, which returns to its slot unless another one is mounted
 * there. Returns the changed viewsets; null when nothing changed.
 */
export const setRecordDeleted = (
  db: Kysely<Schema>,
  what: DeletableKind,
  row: DeletableRow,
  { deleted, accountId }: { readonly deleted: boolean; readonly accountId: string },
): Promise<ViewsetVersion[] | null> =>
  db.transaction().execute(async (transaction) => {
    // Common lock order of mounting: viewsets by id, then the image.
    const viewsets = await viewsetsAround(transaction, what, row).forUpdate().execute();
    const changed = await transaction
      .updateTable(what)
      .set({ deleted_at: deleted ? new Date() : null, deleted_by: deleted ? accountId : null })
      .where('id', '=', row.id)
      .where('deleted_at', deleted ? 'is' : 'is not', null)
      .returning('id')
      .executeTakeFirst();
    if (!changed) return null;
    if (what === 'study') await recountOwner(transaction, row.id);
    return incrementVersions(transaction, viewsets);
  });

export interface StudyFields {
  readonly description: string;
  /** `YYYY-MM-DD` */
  readonly studyDate: string | null;
  readonly accessionNumber: string | null;
}

/** An edit of a record at the version that the user saw. */
interface Edit {
  readonly id: string;
  readonly version: number;
  readonly accountId: string;
}

/** Updates a study at `version` and records the changed values; false when it has another version or is gone. */
export const updateStudy = (
  db: Kysely<Schema>,
  { id, version, accountId }: Edit,
  { description, studyDate, accessionNumber }: StudyFields,
): Promise<boolean> =>
  db.transaction().execute(async (transaction) => {
    const before = await transaction
      .selectFrom('study')
      .select(['description', 'study_date', 'accession_number'])
      .where('id', '=', id)
      .where('version', '=', version)
      .where('deleted_at', 'is', null)
      .forUpdate()
      .executeTakeFirst();
    if (!before) return false;
    await transaction
      .updateTable('study')
      .set({
        description,
        study_date: studyDate,
        accession_number: accessionNumber,
        search_text: studySearchText({ description, accessionNumber }),
        version: version + 1,
      })
      .where('id', '=', id)
      .execute();
    const study = { subject: 'study', id } as const;
    await recordChanges(transaction, accountId, [
      { ...study, field: 'description', before: before.description, after: description },
      { ...study, field: 'studyDate', before: before.study_date, after: studyDate },
      { ...study, field: 'accessionNumber', before: before.accession_number, after: accessionNumber },
    ]);
    await recountOwner(transaction, id);
    return true;
  });

const imageFacts = (transaction: Transaction<Schema>, id: string) =>
  transaction
    .selectFrom('image')
    .select(['comments', teethShown.as('teeth')])
    .where('id', '=', id);

/**
 * Updates the editable fields of an image at `version` and records the changed values; false when it has another version or is gone. `teeth`
 * null: those of the slot or file.
 */
export const updateImage = (
  db: Kysely<Schema>,
  { id, version, accountId }: Edit,
  { comments, teeth }: { readonly comments: string | null; readonly teeth: readonly number[] | null },
): Promise<boolean> =>
  db.transaction().execute(async (transaction) => {
    const before = await imageFacts(transaction, id)
      .where('version', '=', version)
      .where('deleted_at', 'is', null)
      .forUpdate()
      .executeTakeFirst();
    if (!before) return false;
    await transaction
      .updateTable('image')
      .set({ comments, chosen_teeth: teeth && [...teeth], version: version + 1 })
      .where('id', '=', id)
      .execute();
    const after = await imageFacts(transaction, id).executeTakeFirstOrThrow();
    const image = { subject: 'image', id } as const;
    await recordChanges(transaction, accountId, [
      { ...image, field: 'comment', before: before.comments, after: comments },
      { ...image, field: 'teeth', before: before.teeth, after: after.teeth },
    ]);
    return true;
  });
