import { type Kysely, sql } from 'kysely';
import type { Schema } from '../schema.ts';
import type { IndexEntries, KeyMatch } from './dicomweb-matching.ts';

/** Studies of at most this many entries of an index are looked up. */
const maxLookedUp = 20_000;
/** With one key nearly all entries match, so that walking through the list finds a first page sooner than so many lookups. */
const maxLookedUpForPage = 5_000;
const firstPage = 500;
/** Ids of more entries are not collected: so many need 3 MB, less than the 4 MB that PostgreSQL allows by default. */
export const maxCollected = 60_000;
/** Slow entries beyond this are counted only when the newest studies have no page of matches. */
const maxSlow = 1_000;

/** Entries among which all matches are. */
export interface ChosenEntries extends IndexEntries {
  readonly count: number;
}

/**
 * Returns the fewest entries among which all matches are; null when every index has too many, or none serves the keys. `isPatient`: slow
 * entries may be counted for long.
 */
export const fewestEntries = async (
  db: Kysely<Schema>,
  matches: readonly KeyMatch[],
  isPatient: boolean,
): Promise<ChosenEntries | null> => {
  const entries = matches.flatMap((match) => match.entries);
  if (entries.length === 0) return null;
  const mostOf = ({ isSlow }: IndexEntries) => (isSlow ? (isPatient ? maxLookedUp : maxSlow) : maxCollected);
  const counts = entries.map((one) => sql`(select count(*) from (${one.ids} limit ${mostOf(one) + 1}) as entries)`);
  const { rows } = await sql<{ counts: number[] }>`select array[${sql.join(counts)}]::integer[] as counts`.execute(db);
  const counted = entries.map((one, index) => ({ ...one, count: rows[0]?.counts[index] ?? 0 }));
  const usable = counted.filter((one) => one.count <= mostOf(one));
  return usable.toSorted((one, other) => one.count - other.count)[0] ?? null;
};

/** Returns whether the studies of entries are looked up; else the list is walked through, and each study compared with all of them. */
export const isLookedUp = (
  { count }: ChosenEntries,
  {
    keys,
    limit,
    offset,
  }: { readonly keys: ReadonlyMap<string, string>; readonly limit: number; readonly offset: number },
): boolean => count <= (keys.size === 1 && limit + offset <= firstPage ? maxLookedUpForPage : maxLookedUp);
