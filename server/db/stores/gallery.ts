import { type Kysely, type RawBuilder, type SqlBool, sql } from 'kysely';
import type { GallerySort } from '../../../contract/gallery.ts';
import { countLimit, type ListOrder } from '../../../contract/lists.ts';
import type { ListLanguage } from '../../domain/list-language.ts';
import type { CursorKeys, ListCursors } from '../list-cursors.ts';
import { inListOrder } from '../list-order.ts';
import type { ListPage, ListRequest } from '../list-page.ts';
import type { Schema } from '../schema.ts';
import { notAcceptableImages } from './grades.ts';
import { isListable, type ListReader } from './listable-patients.ts';

export interface GalleryRequest extends ListRequest<GallerySort>, ListReader {
  readonly patientId?: string | undefined;
  readonly studyId?: string | undefined;
  readonly modalities: readonly string[];
  /** `YYYY-MM-DD`, both inclusive. */
  readonly from?: string | undefined;
  readonly to?: string | undefined;
  readonly teeth: readonly number[];
  readonly source?: 'dicom' | 'picture' | undefined;
  readonly notAcceptable: 'included' | 'excluded';
}

/** One direction for all keys, the image id last; each is an index of migration 017 or 045. */
const sortedBy: Readonly<Record<GallerySort, readonly string[]>> = {
  date: ['shown_at', 'image_id'],
  patient: ['patient_order', 'patient_id', 'shown_at', 'image_id'],
  modality: ['modality', 'shown_at', 'image_id'],
  size: ['size_bytes', 'image_id'],
  upload: ['created_at', 'image_id'],
};

/** One condition per search word; a word with two or more digits also searches the personal number. */
const wordConditions = (q: string): RawBuilder<SqlBool>[] => {
  const words = q.split(/\s+/).filter((word) => /[\p{L}\p{N}]/u.test(word));
  if (q !== '' && words.length === 0) return [sql`false`];
  return words.map((word) => {
    const digits = word.replace(/\D+/g, '');
    const begins = sql<SqlBool>`search_text like '%' || folded_words(${word}) || '%'`;
    return digits.length < 2 ? begins : sql<SqlBool>`(search_text like ${`%${digits}%`} or ${begins})`;
  });
};

/** Filters by patient. The name is part of the condition because it precedes the patient in the index. */
const ofPatient = (id: string, language: ListLanguage) =>
  sql<SqlBool>`(patient_id = ${id} and patient_order = (select ${inListOrder(sql`name_key`, language)} from patient where id = ${id}))`;

const ofStudy = (id: string) => sql<SqlBool>`image_id in (
  select image.id from series join image on image.series_id = series.id where series.study_id = ${id})`;

const filtersOf = (request: GalleryRequest): RawBuilder<SqlBool>[] => {
  const { q = '', patientId, studyId, modalities, from, to, teeth, source, language } = request;
  return [
    ...wordConditions(q),
    ...(patientId === undefined ? [] : [ofPatient(patientId, language)]),
    ...(studyId === undefined ? [] : [ofStudy(studyId)]),
    ...(modalities.length > 0 ? [sql<SqlBool>`modality = any(${[...modalities]}::text[])`] : []),
    ...(from === undefined ? [] : [sql<SqlBool>`shown_at >= ${from}`]),
    // Every time of that day sorts before the day followed by the last ASCII character.
    ...(to === undefined ? [] : [sql<SqlBool>`shown_at between '0' and ${`${to}~`}`]),
    ...(teeth.length > 0 ? [sql<SqlBool>`teeth && ${[...teeth]}::integer[]`] : []),
    ...(source === undefined ? [] : [sql<SqlBool>`source = ${source}`]),
  ];
};

/** `from ... where ...` of the images of a clinic that pass the filters. */
const matchingIn = (customerId: string, language: ListLanguage, filters: readonly RawBuilder<SqlBool>[]) =>
  sql`from (select *, ${inListOrder(sql`patient_key`, language)} as patient_order from gallery_image) as gallery_image
    where ${sql.join([sql`customer_id = ${customerId}`, ...filters], sql` and `)}`;

interface Found {
  readonly id: string;
  readonly cursor: CursorKeys;
}

interface GalleryQuery {
  /** `from ... where ...` of all matches. */
  readonly matching: RawBuilder<unknown>;
  readonly sort: GallerySort;
  readonly order: ListOrder;
  /** Sort keys of the row before the page; empty for the first page. */
  readonly cursor: CursorKeys;
  readonly skipped: number;
  /** Maximum number of rows. */
  readonly rows: number;
}

const columnsOf = (sort: GallerySort) => sql.join(sortedBy[sort].map((column) => sql.ref(column)));

const orderOf = ({ sort, order }: GalleryQuery): RawBuilder<unknown> => {
  const direction = order === 'asc' ? sql`asc` : sql`desc`;
  return sql`order by ${sql.join(sortedBy[sort].map((column) => sql`${sql.ref(column)} ${direction}`))}`;
};

/** Returns the `and` condition after the cursor, the order and the limit. */
const pageOf = (query: GalleryQuery): RawBuilder<unknown> => {
  const { sort, order, cursor, skipped, rows } = query;
  const beyond = order === 'asc' ? sql`>` : sql`<`;
  const beginning = cursor.length > 0 ? sql`and (${columnsOf(sort)}) ${beyond} (${sql.join([...cursor])})` : sql``;
  return sql`${beginning} ${orderOf(query)} limit ${rows} offset ${skipped}`;
};

/** Walks along an index until the page is full: fast when matches are frequent. */
const walk = async (db: Kysely<Schema>, query: GalleryQuery): Promise<Found[]> => {
  const { rows } = await sql<Found>`
    select image_id as id, jsonb_build_array(${columnsOf(query.sort)}) as cursor ${query.matching} ${pageOf(query)}`.execute(
    db,
  );
  return rows;
};

/** Collects, counts and sorts all matches; null when there are more than `countLimit`. */
const gather = async (db: Kysely<Schema>, query: GalleryQuery): Promise<{ found: Found[]; total: number } | null> => {
  const { rows } = await sql<Found & { total: number }>`
    with matching as materialized (select ${columnsOf(query.sort)} ${query.matching} limit ${countLimit + 1}),
      page as (select * from matching where true ${pageOf(query)})
    select total, image_id as id, jsonb_build_array(${columnsOf(query.sort)}) as cursor
    from (select count(*) as total from matching) as counted left join page on true ${orderOf(query)}`.execute(db);
  const total = rows[0]?.total ?? 0;
  return total > countLimit ? null : { total, found: rows.filter((row) => row.id !== null) };
};

/** Counts the matches, up to one more than `countLimit`. */
const count = async (db: Kysely<Schema>, matching: RawBuilder<unknown>): Promise<number> => {
  const { rows } = await sql<{ total: number }>`
    select count(*) as total from (select 1 ${matching} limit ${countLimit + 1}) as counted`.execute(db);
  return rows[0]?.total ?? 0;
};

/**
 * Returns a page of the ids of a clinic's images, in order. The cursor includes the counts, so only the first page counts.
 * @throws ProblemError 'invalid-request' when `after` is not a cursor of this list
 */
export const galleryPage = async (
  db: Kysely<Schema>,
  cursors: ListCursors,
  request: GalleryRequest,
): Promise<ListPage & { readonly notAcceptableCount: number }> => {
  const { customerId, sort, order, page, ppage, after, language } = request;
  const { q, patientId, studyId, modalities, from, to, teeth, source, notAcceptable } = request;
  const narrowed = [q, patientId, studyId, modalities, from, to, teeth, source, notAcceptable];
  const name = JSON.stringify(['gallery', customerId, request.seesProtected, ...narrowed, sort, order, language]);
  const [knownTotal, knownNotAcceptable, ...cursor] = after === undefined ? [] : cursors.open(name, after);
  const filters = filtersOf(request);
  // A caller who asks for one patient has opened the record already.
  const listable = patientId === undefined && studyId === undefined ? isListable(sql`patient_id`, request) : [];
  const anyGrade = matchingIn(customerId, language, [...filters, ...listable]);
  // No filter that finds few: nearly all images are acceptable.
  const matching =
    notAcceptable === 'excluded' ? sql`${anyGrade} and image_id not in ${notAcceptableImages}` : anyGrade;
  const skipped = after === undefined ? (page - 1) * ppage : 0;
  const query = { matching, sort, order, cursor, skipped, rows: ppage + 1 };

  const few =
    filters.length > 0 && (typeof knownTotal !== 'number' || knownTotal <= countLimit) ? await gather(db, query) : null;
  const rows = few?.found ?? (await walk(db, query));
  const totalOf = async (): Promise<number> => {
    if (few) return few.total;
    if (filters.length > 0) return countLimit + 1;
    return typeof knownTotal === 'number' ? knownTotal : count(db, matching);
  };
  const total = await totalOf();
  const last = rows[ppage - 1];
  const notAcceptableCount =
    typeof knownNotAcceptable === 'number'
      ? knownNotAcceptable
      : await count(db, sql`${anyGrade} and image_id in ${notAcceptableImages}`);
  return {
    notAcceptableCount: Math.min(notAcceptableCount, countLimit),
    ids: rows.slice(0, ppage).map((row) => row.id),
    totalCount: Math.min(total, countLimit),
    isTotalExact: total <= countLimit,
    next: rows.length > ppage && last ? cursors.seal(name, [total, notAcceptableCount, ...last.cursor]) : null,
  };
};

/** Returns the modalities of a clinic's images in alphabetical order, with one index lookup for each. */
export const galleryModalities = async (db: Kysely<Schema>, customerId: string): Promise<string[]> => {
  const { rows } = await sql<{ modality: string }>`
    with recursive found as (
      (select modality from gallery_image where customer_id = ${customerId} order by modality limit 1)
      union all
      select (select modality from gallery_image where customer_id = ${customerId} and modality > found.modality
        order by modality limit 1) from found where found.modality is not null)
    select modality from found where modality is not null`.execute(db);
  return rows.map((row) => row.modality);
};
