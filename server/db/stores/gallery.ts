import { type Kysely, type RawBuilder, type SqlBool, sql } from 'kysely';
import type { GallerySort } from '../../../contract/gallery.ts';
import { mostCounted } from '../../../contract/lists.ts';
import type { ListPage, ListRequest } from '../list-page.ts';
import type { ListPlaces, PlaceKeys } from '../list-places.ts';
import type { Schema } from '../schema.ts';

export interface GalleryRequest extends ListRequest<GallerySort> {
  readonly customerId: string;
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
    const begins = sql<SqlBool>`search_text like '%' || gallery_words(${word}) || '%'`;
    return digits.length < 2 ? begins : sql<SqlBool>`(search_text like ${`%${digits}%`} or ${begins})`;
  });
};

const filtersOf = ({ q = '', modalities, from, to, teeth, source }: GalleryRequest): RawBuilder<SqlBool>[] => [
  ...wordConditions(q),
  ...(modalities.length > 0 ? [sql<SqlBool>`modality = any(${[...modalities]}::text[])`] : []),
  ...(from === undefined ? [] : [sql<SqlBool>`shown_at >= ${from}`]),
  // Every hour of that day is less than the day followed by the last sign of ASCII.
  ...(to === undefined ? [] : [sql<SqlBool>`shown_at between '0' and ${`${to}~`}`]),
  ...(teeth.length > 0 ? [sql<SqlBool>`teeth && ${[...teeth]}::integer[]`] : []),
  ...(source === undefined ? [] : [sql<SqlBool>`source = ${source}`]),
];

/** How many there are: counted to one more than `mostCounted`. */
const count = async (db: Kysely<Schema>, found: RawBuilder<unknown>): Promise<number> => {
  const { rows } = await sql<{ total: number }>`
    select count(*) as total from (select 1 ${found} limit ${mostCounted + 1}) as counted`.execute(db);
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
  const { customerId, q, modalities, from, to, teeth, source, sort, order, page, ppage, after } = request;
  const name = JSON.stringify(['gallery', customerId, q, modalities, from, to, teeth, source, sort, order]);
  const filters = filtersOf(request);
  const found = sql`from gallery_image where ${sql.join([sql`customer_id = ${customerId}`, ...filters], sql` and `)}`;
  const [known, ...place] = after === undefined ? [undefined] : places.open(name, after);
  const total = typeof known === 'number' ? known : await count(db, found);

  const columns = sortedBy[sort].map((column) => sql.ref(column));
  const direction = order === 'asc' ? sql`asc` : sql`desc`;
  const beyond = order === 'asc' ? sql`>` : sql`<`;
  // Few that are far apart are sorted; walking along the order until a page is full would mean walking past all others.
  const rowsFound = filters.length > 0 && total <= mostCounted ? sql`from (select * ${found} offset 0) as few` : found;
  const conjunction = rowsFound === found ? sql`and` : sql`where`;
  const beginning =
    place.length > 0 ? sql`${conjunction} (${sql.join(columns)}) ${beyond} (${sql.join(place)})` : sql``;
  const { rows } = await sql<{ id: string; place: PlaceKeys }>`
    select image_id as id, jsonb_build_array(${sql.join(columns)}) as place ${rowsFound} ${beginning}
    order by ${sql.join(columns.map((column) => sql`${column} ${direction}`))}
    limit ${ppage + 1} offset ${after === undefined ? (page - 1) * ppage : 0}`.execute(db);
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
