import { type Kysely, type RawBuilder, type SelectQueryBuilder, sql } from 'kysely';
import type { deletedSorts } from '../../../contract/recycle-bin.ts';
import type { ListCursors } from '../list-cursors.ts';
import { inOrderOf, type ListPage, type ListRequest, listPage } from '../list-page.ts';
import type { Schema } from '../schema.ts';
import { midnight } from './date-range.ts';
import { isListable, type ListReader } from './listable-patients.ts';
import { matchesWords } from './matches-words.ts';
import { patientRetainedUntil } from './retention.ts';
import { all } from './search-terms.ts';
import { isListed } from './visible-images.ts';

export interface DeletedRequest extends ListRequest<(typeof deletedSorts)[number]>, ListReader {
  /** Days `YYYY-MM-DD` of Europe/Stockholm, both inclusive. */
  readonly from?: string | undefined;
  readonly to?: string | undefined;
}

type Page<Row> = Omit<ListPage, 'ids'> & { readonly data: Row[] };

/** Returns a page of deleted records of one kind. */
export type FindDeleted<Row> = (
  db: Kysely<Schema>,
  cursors: ListCursors,
  request: DeletedRequest,
) => Promise<Page<Row>>;

const withinDays = <Tables extends keyof Schema>(
  found: SelectQueryBuilder<Schema, Tables, unknown>,
  at: RawBuilder<Date>,
  { from, to }: Pick<DeletedRequest, 'from' | 'to'>,
): SelectQueryBuilder<Schema, Tables, unknown> => {
  const since = from === undefined ? found : found.where(sql<boolean>`${at} >= ${midnight(from, 0)}`);
  return to === undefined ? since : since.where(sql<boolean>`${at} < ${midnight(to, 1)}`);
};

const name = [{ nameKey: sql<string>`patient.name_key` }];

const listOf = (what: string, { customerId, seesProtected, from = '', to = '' }: DeletedRequest): string =>
  `deleted ${what}/${customerId}/${seesProtected}/${from}/${to}`;

/** Name of the account that deleted it, if known, and when the retention of its patient ends. */
const ofDeletion = (by: RawBuilder<unknown>) =>
  [
    sql<string | null>`(select first_name || ' ' || last_name from account where account.id = ${by})`.as('deleter'),
    patientRetainedUntil.as('retained_until'),
  ] as const;

const patientsOf = (db: Kysely<Schema>, ids: readonly string[]) =>
  db
    .selectFrom('patient')
    .selectAll('patient')
    .select([
      ...ofDeletion(sql`patient.deleted_by`),
      sql<number>`(select count(*) from study where study.patient_id = patient.id and study.deleted_at is null)`.as(
        'total_studies',
      ),
    ])
    .where('id', 'in', [...ids])
    // Restored since the page was counted.
    .where('deleted_at', 'is not', null)
    .$narrowType<{ deleted_at: Date }>()
    .execute();
export type DeletedPatientRow = Awaited<ReturnType<typeof patientsOf>>[number];

/** Returns the deleted patients of a clinic. `total_studies` are those restored with the patient. */
export const deletedPatients: FindDeleted<DeletedPatientRow> = async (db, cursors, request) => {
  const found = db
    .selectFrom('patient')
    .where('patient.customer_id', '=', request.customerId)
    .where('patient.deleted_at', 'is not', null)
    .where(all([matchesWords(sql`patient.search_text`, request.q), ...isListable(sql`patient.id`, request)]));
  const at = sql<Date>`patient.deleted_at`;
  const keys = { deletedAt: [at], name };
  const { ids, ...page } = await listPage(
    db,
    withinDays(found, at, request),
    { cursors, list: listOf('patients', request), keys, id: sql`patient.id` },
    request,
  );
  return { ...page, data: ids.length === 0 ? [] : inOrderOf(ids, await patientsOf(db, ids)) };
};

const studiesOf = (db: Kysely<Schema>, ids: readonly string[]) =>
  db
    .selectFrom('study')
    .innerJoin('patient', 'patient.id', 'study.patient_id')
    .selectAll('study')
    .select(['patient.first_name', 'patient.last_name', 'patient.personal_number', 'patient.birth_date'])
    .select('patient.has_protected_identity')
    .select([
      ...ofDeletion(sql`study.deleted_by`),
      sql<number>`(select count(*) from image join series on series.id = image.series_id
        where series.study_id = study.id and image.deleted_at is null and series.deleted_at is null and ${isListed})`.as(
        'images',
      ),
      sql<number>`(select count(*) from viewset where viewset.study_id = study.id and viewset.deleted_at is null)`.as(
        'viewsets',
      ),
    ])
    .where('study.id', 'in', [...ids])
    .where('study.deleted_at', 'is not', null)
    .$narrowType<{ deleted_at: Date }>()
    .execute();
export type DeletedStudyRow = Awaited<ReturnType<typeof studiesOf>>[number];

/** Returns the deleted studies of a clinic, without those of deleted patients, which are restored with the patient. */
export const deletedStudies: FindDeleted<DeletedStudyRow> = async (db, cursors, request) => {
  const text = sql<string>`(patient.search_text || study.search_text)`;
  const found = db
    .selectFrom('study')
    .innerJoin('patient', 'patient.id', 'study.patient_id')
    .where('study.customer_id', '=', request.customerId)
    .where('study.deleted_at', 'is not', null)
    .where('patient.deleted_at', 'is', null)
    .where(all([matchesWords(text, request.q), ...isListable(sql`patient.id`, request)]));
  const at = sql<Date>`study.deleted_at`;
  const { ids, ...page } = await listPage(
    db,
    withinDays(found, at, request),
    { cursors, list: listOf('studies', request), keys: { deletedAt: [at], name }, id: sql`study.id` },
    request,
  );
  return { ...page, data: ids.length === 0 ? [] : inOrderOf(ids, await studiesOf(db, ids)) };
};

/** Deleted series, images and viewsets of one clinic's studies; an image of a deleted series is restored with the series. */
const deletedContentIds = sql<{ id: string; study_id: string; deleted_at: Date }>`(
  select id, study_id, deleted_at from series where deleted_at is not null
  union all
  select image.id, series.study_id, image.deleted_at
    from image join series on series.id = image.series_id and series.deleted_at is null where image.deleted_at is not null
  union all
  select id, study_id, deleted_at from viewset where deleted_at is not null)`;

const withOwner = (db: Kysely<Schema>) =>
  db
    .selectFrom('study')
    .innerJoin('patient', 'patient.id', 'study.patient_id')
    .select(['study.customer_id', 'study.patient_id', 'study.id as study_id', 'study.study_date'])
    .select(['study.description as study_description', 'patient.first_name', 'patient.last_name'])
    .select(['patient.personal_number', 'patient.has_protected_identity']);

const deletedSeriesOf = (db: Kysely<Schema>, ids: readonly string[]) =>
  withOwner(db)
    .innerJoin('series', 'series.study_id', 'study.id')
    .select(['series.id', 'series.deleted_at', 'series.deleted_by', 'series.modality', 'series.number'])
    .select([
      sql<'series'>`'series'`.as('kind'),
      sql<string>`coalesce(series.description, '')`.as('name'),
      sql<number[]>`'{}'::smallint[]`.as('teeth'),
      sql<number>`(select count(*) from image where image.series_id = series.id and image.deleted_at is null and ${isListed})`.as(
        'images',
      ),
      ...ofDeletion(sql`series.deleted_by`),
    ])
    .where('series.id', 'in', [...ids])
    .where('series.deleted_at', 'is not', null)
    .$narrowType<{ deleted_at: Date }>()
    .execute();

const deletedImagesOf = (db: Kysely<Schema>, ids: readonly string[]) =>
  withOwner(db)
    .innerJoin('series', 'series.study_id', 'study.id')
    .innerJoin('image', 'image.series_id', 'series.id')
    .select(['image.id', 'image.deleted_at', 'image.deleted_by', 'series.modality', 'image.number'])
    .select([
      sql<'image'>`'image'`.as('kind'),
      sql<string>`coalesce(series.description, '')`.as('name'),
      sql<number[]>`coalesce(image.chosen_teeth, image.teeth)`.as('teeth'),
      sql<number>`1`.as('images'),
      ...ofDeletion(sql`image.deleted_by`),
    ])
    .where('image.id', 'in', [...ids])
    .where('image.deleted_at', 'is not', null)
    .$narrowType<{ deleted_at: Date }>()
    .execute();

const deletedViewsetsOf = (db: Kysely<Schema>, ids: readonly string[]) =>
  withOwner(db)
    .innerJoin('viewset', 'viewset.study_id', 'study.id')
    .select(['viewset.id', 'viewset.deleted_at', 'viewset.deleted_by', 'viewset.name'])
    .select([
      sql<'viewset'>`'viewset'`.as('kind'),
      sql<string | null>`null`.as('modality'),
      sql<number | null>`null`.as('number'),
      sql<number[]>`'{}'::smallint[]`.as('teeth'),
      sql<number>`(select count(*) from viewset_item join image on image.id = viewset_item.image_id
        where viewset_item.viewset_id = viewset.id and image.deleted_at is null)`.as('images'),
      ...ofDeletion(sql`viewset.deleted_by`),
    ])
    .where('viewset.id', 'in', [...ids])
    .where('viewset.deleted_at', 'is not', null)
    .$narrowType<{ deleted_at: Date }>()
    .execute();

const contentsOf = async (db: Kysely<Schema>, ids: readonly string[]) =>
  (await Promise.all([deletedSeriesOf(db, ids), deletedImagesOf(db, ids), deletedViewsetsOf(db, ids)])).flat();
export type DeletedContentRow = Awaited<ReturnType<typeof contentsOf>>[number];

/** Returns the deleted series, images and viewsets of studies and patients that are not deleted. */
export const deletedContents: FindDeleted<DeletedContentRow> = async (db, cursors, request) => {
  const found = db
    .selectFrom('study')
    .innerJoin('patient', 'patient.id', 'study.patient_id')
    .innerJoin(deletedContentIds.as('content'), 'content.study_id', 'study.id')
    .where('study.customer_id', '=', request.customerId)
    .where('study.deleted_at', 'is', null)
    .where('patient.deleted_at', 'is', null)
    .where(
      all([
        matchesWords(sql<string>`(patient.search_text || study.search_text)`, request.q),
        ...isListable(sql`patient.id`, request),
      ]),
    );
  const at = sql<Date>`content.deleted_at`;
  const { ids, ...page } = await listPage(
    db,
    // The union is not a table of the schema.
    withinDays(found as unknown as SelectQueryBuilder<Schema, 'study', unknown>, at, request),
    { cursors, list: listOf('contents', request), keys: { deletedAt: [at], name }, id: sql`content.id` },
    request,
  );
  return { ...page, data: ids.length === 0 ? [] : inOrderOf(ids, await contentsOf(db, ids)) };
};
