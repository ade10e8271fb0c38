import { createHmac } from 'node:crypto';
import { type Kysely, type Selectable, sql } from 'kysely';
import type { NamedKey } from '../../domain/named-key.ts';
import type { AccessLogSealTable } from '../access-log-tables.ts';
import type { Schema } from '../schema.ts';

/** Entries per seal. */
const maxEntries = 10_000;

/** Advisory lock id: one node seals at a time. */
const sealing = 5_011_010;

interface Hashed {
  readonly entries: number;
  readonly newest_at: Date | null;
  readonly hash: string;
  /** SHA-256 over the columns that `hash` does not cover. */
  readonly origins: string;
}

/** SHA-256 over the previous seal and the entries of a stretch, each as JSON, so that different stretches differ. */
const hashOf = async (
  db: Kysely<Schema>,
  stretch: { readonly from: number; readonly until: number; readonly previousHash: string },
): Promise<Hashed> => {
  const { rows } = await sql<Hashed>`
    select count(*)::integer as entries, max(at) as newest_at, encode(sha256(convert_to(${stretch.previousHash}::text || coalesce(string_agg(
      jsonb_build_array(id, (extract(epoch from at) * 1000000)::bigint, account_id, customer_id, patient_id, action, object_id, detail, role)::text,
      E'\n' order by id), ''), 'UTF8')), 'hex') as hash,
      encode(sha256(convert_to(coalesce(string_agg(jsonb_build_array(id, address, request)::text, E'\n' order by id)
        filter (where address is not null or request is not null), ''), 'UTF8')), 'hex') as origins
    from access_log where id between ${stretch.from} and ${stretch.until}`.execute(db);
  const [found] = rows;
  if (!found) throw new Error('an aggregate returned no row');
  return found;
};

type SealRow = Selectable<AccessLogSealTable>;

/** Authenticates a seal with its key, and the one before. */
const macOf = (
  key: NamedKey,
  { from_id, until_id, hash }: Pick<SealRow, 'from_id' | 'until_id' | 'hash'>,
  origins: string,
  previousMac: string | null,
): string =>
  createHmac('sha256', key.bytes)
    .update(JSON.stringify([from_id, until_id, hash, origins, previousMac]))
    .digest('hex');

const newestSeal = (db: Kysely<Schema>) =>
  db.selectFrom('access_log_seal').selectAll().orderBy('id', 'desc').limit(1).executeTakeFirst();

/**
 * Returns the newest entry below which none can be added: writers lock the table from before they draw an id until commit, so briefly holding
 * the table shows every drawn id. Null when there is no entry.
 * @throws when writers do not release the table in time
 */
const firmEnd = (db: Kysely<Schema>): Promise<number | null> =>
  db.transaction().execute(async (transaction) => {
    await sql`set local lock_timeout = '300ms'`.execute(transaction);
    const { rows } = await sql<{ id: number | null }>`select access_log_firm_end() as id`.execute(transaction);
    return rows[0]?.id ?? null;
  });

/** Seals the next entries up to `end`; false when there are none, or another node is sealing. */
const sealNext = (db: Kysely<Schema>, key: NamedKey, end: number): Promise<boolean> =>
  db.transaction().execute(async (transaction) => {
    const { rows: locks } = await sql<{ mine: boolean }>`select pg_try_advisory_xact_lock(${sealing}) as mine`.execute(
      transaction,
    );
    if (!locks[0]?.mine) return false;
    const previous = await newestSeal(transaction);
    const { rows: ends } = await sql<{ first: number | null; last: number | null }>`
      select min(id) as first, max(id) as last from (
        select id from access_log where id > ${previous?.until_id ?? 0} and id <= ${end} order by id limit ${maxEntries}) as next`.execute(
      transaction,
    );
    const { first = null, last = null } = ends[0] ?? {};
    if (first === null || last === null) return false;
    // Starts at the end of the previous seal, so that entries inserted between two seals are detected.
    const stretch = { from: previous ? previous.until_id + 1 : first, until: last };
    const previousHash = previous?.hash ?? '';
    const { entries, newest_at, hash, origins } = await hashOf(transaction, { ...stretch, previousHash });
    if (newest_at === null) return false;
    const seal = {
      from_id: stretch.from,
      until_id: stretch.until,
      entries,
      newest_at,
      previous_hash: previousHash,
      hash,
    };
    const mac = macOf(key, seal, origins, previous?.mac ?? null);
    await transaction
      .insertInto('access_log_seal')
      .values({ ...seal, key_id: key.id, mac })
      .execute();
    return true;
  });

export type Seal = Pick<SealRow, 'id' | 'hash' | 'mac'>;

/** Returns the ids of those seals that the database does not have like this. */
export const sealsUnlike = async (db: Kysely<Schema>, seals: readonly Seal[]): Promise<number[]> => {
  const ids = seals.map(({ id }) => id);
  const rows = await db.selectFrom('access_log_seal').select(['id', 'hash', 'mac']).where('id', 'in', ids).execute();
  const isHere = (seal: Seal) =>
    rows.some(({ id, hash, mac }) => id === seal.id && hash === seal.hash && mac === seal.mac);
  return seals.filter((seal) => !isHere(seal)).map(({ id }) => id);
};

export const newestSealOf = async (db: Kysely<Schema>): Promise<Seal | null> => {
  const newest = await newestSeal(db);
  return newest ? { id: newest.id, hash: newest.hash, mac: newest.mac } : null;
};

/** Seals all entries so far. Returns the newest seal; null while there is none. */
export const sealAccesses = async (db: Kysely<Schema>, key: NamedKey, signal: AbortSignal): Promise<Seal | null> => {
  const end = await firmEnd(db);
  while (end !== null && !signal.aborted && (await sealNext(db, key, end)));
  return newestSealOf(db);
};

export interface SealFaults {
  /** Ids of seals whose entries changed, or which were changed themselves. */
  readonly broken: readonly number[];
  /** Number of newest seals whose key is not there: their hashes fit, which everybody could compute. Older ones are covered by the next with a key. */
  readonly withoutKey: number;
}

/**
 * Compares all seals with their entries. A stretch that is missing as a whole and old enough was removed by retention.
 * @param key null when it cannot be read
 * @param removable entries older than this may be missing
 */
export const sealFaults = async (
  db: Kysely<Schema>,
  key: NamedKey | null,
  removable: Date,
  signal: AbortSignal,
): Promise<SealFaults> => {
  const broken: number[] = [];
  let withoutKey = 0;
  let previousHash = '';
  let previousMac: string | null = null;
  let areKeyed = false;
  let previousUntil: number | null = null;
  for (let after = 0; ; ) {
    signal.throwIfAborted();
    const seal = await db
      .selectFrom('access_log_seal')
      .selectAll()
      .where('id', '>', after)
      .orderBy('id')
      .limit(1)
      .executeTakeFirst();
    if (!seal) return { broken, withoutKey };
    const now = await hashOf(db, { from: seal.from_id, until: seal.until_id, previousHash: seal.previous_hash });
    const isChained =
      seal.previous_hash === previousHash && (previousUntil === null || seal.from_id === previousUntil + 1);
    const isGone = now.entries === 0 && seal.newest_at < removable;
    // The first seals are those of versions before migration 049.
    areKeyed ||= seal.mac !== null;
    const hasKey = key !== null && key.id === seal.key_id;
    withoutKey = areKeyed && !hasKey ? withoutKey + 1 : 0;
    const isAuthentic = hasKey
      ? seal.mac === macOf(key, seal, now.origins, previousMac)
      : areKeyed === (seal.mac !== null);
    const isSame = isAuthentic && now.hash === seal.hash;
    if (!isChained || !(isSame || isGone)) broken.push(seal.id);
    previousHash = seal.hash;
    previousMac = seal.mac;
    previousUntil = seal.until_id;
    after = seal.id;
  }
};

/** Removes sealed entries older than `limit`, seal by seal; unsealed ones stay. Returns their number. */
export const removeAccessesBefore = async (db: Kysely<Schema>, limit: Date, signal: AbortSignal): Promise<number> => {
  const { rows } = await sql<{ from_id: number; until_id: number }>`
    select from_id, until_id from access_log_seal as seal where newest_at < ${limit.toISOString()}::timestamptz
      and exists (select 1 from access_log where access_log.id between seal.from_id and seal.until_id)
    order by id`.execute(db);
  let removed = 0;
  for (const { from_id, until_id } of rows) {
    if (signal.aborted) return removed;
    const { rows: counts } = await sql<{ removed: number }>`
      select access_log_remove(${from_id}, ${until_id}) as removed`.execute(db);
    removed += counts[0]?.removed ?? 0;
  }
  return removed;
};
