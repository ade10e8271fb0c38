import { type Kysely, type RawBuilder, type SelectQueryBuilder, type SqlBool, sql } from 'kysely';
import { countLimit, type ListOrder } from '../../contract/lists.ts';
import type { ListLanguage } from '../domain/list-language.ts';
import type { CursorKeys, ListCursors } from './list-cursors.ts';
import { inListOrder } from './list-order.ts';
import type { Schema } from './schema.ts';

/** Parameters of a page: the query of a `listQuery` route, and the language of the reader. */
export interface ListRequest<Sort extends string> {
  readonly page: number;
  readonly ppage: number;
  readonly q?: string | undefined;
  readonly sort: Sort;
  readonly order: ListOrder;
  readonly after?: string | undefined;
  readonly language: ListLanguage;
}

/** A key of `list_key`, which each language orders in its own way. */
export interface NameKey {
  readonly nameKey: RawBuilder<string>;
}
type SortKey = RawBuilder<unknown> | NameKey;

const expressionOf = (key: SortKey, language: ListLanguage): RawBuilder<unknown> =>
  'nameKey' in key ? inListOrder(key.nameKey, language) : key;

export interface ListDescription<Sort extends string> {
  readonly cursors: ListCursors;
  /** Names the list and every filter but `q`, such as `users/<clinic>/active`: a cursor of one list is invalid for another. */
  readonly list: string;
  /**
   * Sort expressions of each choice, most significant first, all in the same direction; the id is added. Never null (coalesce). An index on
   * exactly these expressions and the id makes a deep page as fast as the first.
   */
  readonly keys: Readonly<Record<Sort, readonly SortKey[]>>;
  readonly id: RawBuilder<string>;
}

export interface ListPage {
  /** Ids of the page's rows in order. The caller fetches the rows, so that skipped rows cost nothing. */
  readonly ids: readonly string[];
  readonly totalCount: number;
  readonly isTotalExact: boolean;
  readonly next: string | null;
}

/** Also correct for a page without rows. */
export const isOneOf = (id: RawBuilder<string>, ids: readonly string[]): RawBuilder<boolean> =>
  sql<boolean>`${id} = any(${[...ids]}::uuid[])`;

/** Returns the rows in the order of the page's ids. */
export const inOrderOf = <Row extends { readonly id: string }>(ids: readonly string[], rows: readonly Row[]): Row[] => {
  const byId = new Map(rows.map((row) => [row.id, row]));
  return ids.flatMap((id) => byId.get(id) ?? []);
};

/**
 * Returns one page of a long list, from the cursor `after` if given (equally fast at any depth), else by page number.
 * @param found the matching rows, nothing selected yet
 * @throws ProblemError 'invalid-request' when `after` is not a cursor of this list
 */
export const listPage = async <Tables extends keyof Schema, Sort extends string>(
  db: Kysely<Schema>,
  found: SelectQueryBuilder<Schema, Tables, unknown>,
  { cursors, list, keys, id }: ListDescription<Sort>,
  { page, ppage, q, sort, order, after, language }: ListRequest<Sort>,
): Promise<ListPage> => {
  const name = JSON.stringify([list, q ?? '', sort, order, language]);
  const sortedBy = [...keys[sort].map((key) => expressionOf(key, language)), id];
  const direction = order === 'asc' ? sql`asc` : sql`desc`;
  const beyond = order === 'asc' ? sql`>` : sql`<`;
  const from = (place: string) =>
    found.where(sql<SqlBool>`(${sql.join(sortedBy)}) ${beyond} (${sql.join([...cursors.open(name, place)])})`);
  const paged = after === undefined ? found.offset((page - 1) * ppage) : from(after);
  const keyed = sortedBy.map((key: RawBuilder<unknown>, index) => key.as(`key${index}`));
  const sorted = sortedBy
    .reduce((query, key) => query.orderBy(sql`${key} ${direction}`), paged)
    .select([id.as('id'), ...keyed])
    .limit(ppage + 1);
  // Cursors are built in the outer query: only for the rows of the page, not for all sorted or skipped rows.
  const key = sql.join(sortedBy.map((_, index) => sql.ref(`sorted.key${index}`)));
  const rowsOfPage = sql<{ readonly id: string; readonly place: CursorKeys }>`
    select sorted.id, jsonb_build_array(${key}) as place from (${sorted}) as sorted`.execute(db);
  const counted = found.select(sql`1`.as('one')).limit(countLimit + 1);
  const [{ rows }, { rows: counts }] = await Promise.all([
    rowsOfPage,
    sql<{ total: number }>`select count(*) as total from (${counted}) as counted`.execute(db),
  ]);
  const total = counts[0]?.total ?? 0;
  const last = rows[ppage - 1];
  return {
    ids: rows.slice(0, ppage).map((row) => row.id),
    totalCount: Math.min(total, countLimit),
    isTotalExact: total <= countLimit,
    next: rows.length > ppage && last ? cursors.seal(name, last.place) : null,
  };
};
