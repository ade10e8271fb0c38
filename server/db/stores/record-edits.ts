import { type Kysely, sql, type Transaction } from 'kysely';
import type { Schema } from '../schema.ts';
import { recountLastStudy } from './patients.ts';
import { studySearchText } from './study-search-text.ts';

/** What a person may throw away and take back. */
export type Binned = 'study' | 'series' | 'image';

/** Whose it is, and whether it lies in the recycle bin. */
export interface BinnedRow {
  readonly id: string;
  readonly customer_id: string;
  readonly patient_id: string;
  readonly study_id: string;
  readonly deleted_at: Date | null;
  /** Known of studies. */
  readonly deleted_by: string | null;
}

/** Studies of patients who are not in the recycle bin; what is in a deleted study or series is out of reach by itself. */
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
    .select(['series.id', 'series.deleted_at', sql<null>`null`.as('deleted_by')])
    .where('study.deleted_at', 'is', null)
    .where('series.id', '=', id)
    .executeTakeFirst();

const findImageRow = (db: Kysely<Schema>, id: string) =>
  reachable(db)
    .innerJoin('series', 'series.study_id', 'study.id')
    .innerJoin('image', 'image.series_id', 'series.id')
    .select(['image.id', 'image.deleted_at', sql<null>`null`.as('deleted_by')])
    .where('study.deleted_at', 'is', null)
    .where('series.deleted_at', 'is', null)
    .where('image.id', '=', id)
    .executeTakeFirst();

const finders = { study: findStudy, series: findSeries, image: findImageRow };

/** A study, series or image, in the recycle bin or not. */
export const findBinned = (db: Kysely<Schema>, what: Binned, id: string): Promise<BinnedRow | undefined> =>
  finders[what](db, id);

const imagesOf = (db: Kysely<Schema>, what: Binned, id: string) => {
  const images = db.selectFrom('image').innerJoin('series', 'series.id', 'image.series_id').select('image.id');
  if (what === 'image') return images.where('image.id', '=', id);
  return what === 'series' ? images.where('series.id', '=', id) : images.where('series.study_id', '=', id);
};

/** The viewsets in which such an image hangs or lies in the tray, and those of its study, where it may lie in the tray unsaid. */
const viewsetsAround = (db: Kysely<Schema>, what: Binned, { id, study_id }: Pick<BinnedRow, 'id' | 'study_id'>) => {
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

/** What a viewset is by now, for whoever shows it. */
export interface ViewsetVersion {
  readonly id: string;
  readonly version: number;
}

/** The viewsets that show an image, in a slot or in the tray. */
export const viewsetsShowing = (
  db: Kysely<Schema>,
  image: { id: string; study_id: string },
): Promise<ViewsetVersion[]> => viewsetsAround(db, 'image', image).execute();

/** Counts viewsets one version further: they look different now. They must be locked. */
export const oneVersionFurther = async (
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

/** The patient whose a study is by now: it may have moved to another one since it was looked up. The study must be locked. */
const recountOwner = async (transaction: Transaction<Schema>, studyId: string): Promise<void> => {
  const { patient_id } = await transaction
    .selectFrom('study')
    .select('patient_id')
    .where('id', '=', studyId)
    .executeTakeFirstOrThrow();
  await recountLastStudy(transaction, patient_id);
};

/**
 * Puts a study, series or image into the recycle bin, or takes it out of it. Slots keep the name of their image: a deleted one counts
 * as none, and comes back to its slot when nothing else hangs there. Returns the viewsets that look different now; null when it
 * lay there (or here) already.
 */
export const bin = (
  db: Kysely<Schema>,
  what: Binned,
  row: BinnedRow,
  { deleted, accountId }: { readonly deleted: boolean; readonly accountId: string },
): Promise<ViewsetVersion[] | null> =>
  db.transaction().execute(async (transaction) => {
    // The viewsets before the image, in the order of their ids: as everybody who mounts locks them.
    const viewsets = await viewsetsAround(transaction, what, row).forUpdate().execute();
    const changed = await transaction
      .updateTable(what)
      .set({
        deleted_at: deleted ? new Date() : null,
        ...(what === 'study' && { deleted_by: deleted ? accountId : null }),
      })
      .where('id', '=', row.id)
      .where('deleted_at', deleted ? 'is' : 'is not', null)
      .returning('id')
      .executeTakeFirst();
    if (!changed) return null;
    if (what === 'study') await recountOwner(transaction, row.id);
    return oneVersionFurther(transaction, viewsets);
  });

export interface StudyFields {
  readonly description: string;
  /** `YYYY-MM-DD` */
  readonly studyDate: string | null;
  readonly accessionNumber: string | null;
}

/** Edits a study that is at `version`; false when it is at another by now, or gone. */
export const updateStudy = (
  db: Kysely<Schema>,
  { id, version }: { readonly id: string; readonly version: number },
  { description, studyDate, accessionNumber }: StudyFields,
): Promise<boolean> =>
  db.transaction().execute(async (transaction) => {
    const row = await transaction
      .updateTable('study')
      .set({
        description,
        study_date: studyDate,
        accession_number: accessionNumber,
        search_text: studySearchText({ description, accessionNumber }),
        version: version + 1,
      })
      .where('id', '=', id)
      .where('version', '=', version)
      .where('deleted_at', 'is', null)
      .returning('id')
      .executeTakeFirst();
    if (row) await recountOwner(transaction, id);
    return row !== undefined;
  });

/** Edits what a person knows of an image that is at `version`; false when it is at another by now, or gone. `teeth` null: the file's. */
export const updateImage = async (
  db: Kysely<Schema>,
  { id, version }: { readonly id: string; readonly version: number },
  { comments, teeth }: { readonly comments: string | null; readonly teeth: readonly number[] | null },
): Promise<boolean> => {
  const row = await db
    .updateTable('image')
    .set({ comments, chosen_teeth: teeth && [...teeth], version: version + 1 })
    .where('id', '=', id)
    .where('version', '=', version)
    .where('deleted_at', 'is', null)
    .returning('id')
    .executeTakeFirst();
  return row !== undefined;
};
