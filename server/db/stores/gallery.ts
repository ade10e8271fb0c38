import { type Kysely, type RawBuilder, type SqlBool, sql } from 'kysely';
import type { GallerySort } from '../../../contract/gallery.ts';
import { type ListOrder, mostCounted } from '../../../contract/lists.ts';
import type { ListPage, ListRequest } from '../list-page.ts';
import type { ListPlaces, PlaceKeys } from '../list-places.ts';
import type { Schema } from '../schema.ts';

export interface GalleryRequest extends ListRequest<GallerySort> {
  readonly customerId: string;
  readonly patientId?: string | undefined;
  readonly studyId?: string | undefined;
  readonly modalities: readonly string[];
  /** `YYYY-MM-DD`, both included. */
  readonly from?: string | undefined;
  readonly to?: string | undefined;
  readonly teeth: readonly number[];
  readonly source?: 'dicom' | 'picture' | undefined;
}

/** All in one direction, the image last; each is an index of migration 017. */
const sortedBy: Readonly<Record<GallerySort, readonly string[]>> = {
  date: ['shown_at', 'image_id'],
  patient: ['patient_key', 'patient_id', 'shown_at', 'image_id'],
  modality: ['modality', 'shown_at', 'image_id'],
  size: ['size_bytes', 'image_id'],
  upload: ['created_at', 'image_id'],
};

/** One condition per typed word; a word with two digits or more is looked for in the personal number as well. */
const wordConditions = (q: string): RawBuilder<SqlBool>[] => {
  const words = q.split(/\s+/).filter((word) => /[\p{L}\p{N}]/u.test(word));
  if (q !== '' && words.length === 0) return [sql`false`];
  return words.map((word) => {
    const digits = word.replace(/\D+/g, '');
    const begins = sql<SqlBool>`search_text like '%' || folded_words(${word}) || '%'`;
    return digits.length < 2 ? begins : sql<SqlBool>`(search_text like ${`%${digits}%`} or ${begins})`;
  });
};

/** Whose they are: the name is in the condition for the index, which has it before the patient. */
const ofPatient = (id: string) =>
  sql<SqlBool>`(patient_id = ${id} and patient_key = (select name_key from patient where id = ${id}))`;

const ofStudy = (id: string) => sql<SqlBool>`image_id in (
  select image.id from series join image on image.series_id = series.id where series.study_id = ${id})`;

const filtersOf = (request: GalleryRequest): RawBuilder<SqlBool>[] => {
  const { q = '', patientId, studyId, modalities, from, to, teeth, source } = request;
  return [
    ...wordConditions(q),
    ...(patientId === undefined ? [] : [ofPatient(patientId)]),
    ...(studyId === undefined ? [] : [ofStudy(studyId)]),
    ...(modalities.length > 0 ? [sql<SqlBool>`modality = any(${[...modalities]}::text[])`] : []),
    ...(from === undefined ? [] : [sql<SqlBool>`shown_at >= ${from}`]),
    // Every hour of that day is less than the day followed by the last sign of ASCII.
    ...(to === undefined ? [] : [sql<SqlBool>`shown_at between '0' and ${`${to}~`}`]),
    ...(teeth.length > 0 ? [sql<SqlBool>`teeth && ${[...teeth]}::integer[]`] : []),
    ...(source === undefined ? [] : [sql<SqlBool>`source = ${source}`]),
  ];
};

interface Found {
  readonly id: string;
  readonly place: PlaceKeys;
}

interface Asked {
  /** `from ... where ...` of all that match. */
  readonly matching: RawBuilder<unknown>;
  readonly sort: GallerySort;
  readonly order: ListOrder;
  /** Keys of the row after which the page begins; none at its beginning. */
  readonly place: PlaceKeys;
  readonly skipped: number;
  /** At most so many rows. */
  readonly rows: number;
}

const columnsOf = (sort: GallerySort) => sql.join(sortedBy[sort].map((column) => sql.ref(column)));

const orderOf = ({ sort, order }: Asked): RawBuilder<unknown> => {
  const direction = order === 'asc' ? sql`asc` : sql`desc`;
  return sql`order by ${sql.join(sortedBy[sort].map((column) => sql`${sql.ref(column)} ${direction}`))}`;
};

/** `and` what lies beyond the place, in order, as many as the page takes. */
const pageOf = (asked: Asked): RawBuilder<unknown> => {
  const { sort, order, place, skipped, rows } = asked;
  const beyond = order === 'asc' ? sql`>` : sql`<`;
  const beginning = place.length > 0 ? sql`and (${columnsOf(sort)}) ${beyond} (${sql.join([...place])})` : sql``;
  return sql`${beginning} ${orderOf(asked)} limit ${rows} offset ${skipped}`;
};

/** Along an index, until the page is full: right where many match, and those that do are not far apart. */
const walk = async (db: Kysely<Schema>, asked: Asked): Promise<Found[]> => {
  const { rows } = await sql<Found>`
    select image_id as id, jsonb_build_array(${columnsOf(asked.sort)}) as place ${asked.matching} ${pageOf(asked)}`.execute(
    db,
  );
  return rows;
};

/** All that match are gathered, counted and sorted; null when they are more than `mostCounted`, and were not all looked at. */
const gather = async (db: Kysely<Schema>, asked: Asked): Promise<{ found: Found[]; total: number } | null> => {
  const { rows } = await sql<Found & { total: number }>`
    with matching as materialized (select ${columnsOf(asked.sort)} ${asked.matching} limit ${mostCounted + 1}),
      page as (select * from matching where true ${pageOf(asked)})
    select total, image_id as id, jsonb_build_array(${columnsOf(asked.sort)}) as place
    from (select count(*) as total from matching) as counted left join page on true ${orderOf(asked)}`.execute(db);
  const total = rows[0]?.total ?? 0;
  return total > mostCounted ? null : { total, found: rows.filter((row) => row.id !== null) };
};

/** How many there are: counted to one more than `mostCounted`. */
const count = async (db: Kysely<Schema>, matching: RawBuilder<unknown>): Promise<number> => {
  const { rows } = await sql<{ total: number }>`
    select count(*) as total from (select 1 ${matching} limit ${mostCounted + 1}) as counted`.execute(db);
  return rows[0]?.total ?? 0;
};

/**
 * A page of a clinic's images: their ids, in order. A place carries the count with it, so only the first page counts.
 * @throws Refusal 'invalid-request' when `after` is not a place in this list
 */
export const galleryPage = async (
  db: Kysely<Schema>,
  places: ListPlaces,
  request: GalleryRequest,
): Promise<ListPage> => {
  const { customerId, sort, order, page, ppage, after } = request;
  const { q, patientId, studyId, modalities, from, to, teeth, source } = request;
  const narrowed = [q, patientId, studyId, modalities, from, to, teeth, source];
  const name = JSON.stringify(['gallery', customerId, ...narrowed, sort, order]);
  const [known, ...place] = after === undefined ? [] : places.open(name, after);
  const filters = filtersOf(request);
  const matching = sql`from gallery_image where ${sql.join([sql`customer_id = ${customerId}`, ...filters], sql` and `)}`;
  const skipped = after === undefined ? (page - 1) * ppage : 0;
  const asked = { matching, sort, order, place, skipped, rows: ppage + 1 };

  const few =
    filters.length > 0 && (typeof known !== 'number' || known <= mostCounted) ? await gather(db, asked) : null;
  const rows = few?.found ?? (await walk(db, asked));
  const totalOf = async (): Promise<number> => {
    if (few) return few.total;
    if (filters.length > 0) return mostCounted + 1;
    return typeof known === 'number' ? known : count(db, matching);
  };
  const total = await totalOf();
  const last = rows[ppage - 1];
  return {
    ids: rows.slice(0, ppage).map((row) => row.id),
    totalCount: Math.min(total, mostCounted),
    isTotalExact: total <= mostCounted,
    next: rows.length > ppage && last ? places.seal(name, [total, ...last.place]) : null,
  };
};

/** The modalities that a clinic's images have, in alphabetical order: one look into the index for each. */
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
