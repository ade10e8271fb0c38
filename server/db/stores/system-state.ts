import { type Kysely, sql } from 'kysely';
import type { SystemDetails } from '../../../contract/system-status.ts';
import { migrations } from '../migrations.ts';
import type { Schema } from '../schema.ts';
import { workingSteps } from './import-leases.ts';
import { hasIntactFile } from './intact-file.ts';

type Queue = SystemDetails['queues'][number]['queue'];

export interface WaitingEntries {
  readonly queue: Queue;
  readonly length: number;
  /** When the oldest began to wait; null when none waits. */
  readonly oldest: Date | null;
}

export interface DatabaseFacts {
  readonly version: string;
  readonly sizeBytes: number;
  readonly startedAt: Date;
  readonly connections: number;
  readonly mostConnections: number;
}

/** Compares the migrations of the database with those of this version. */
export const schemaAge = async (db: Kysely<Schema>): Promise<SystemDetails['version']['schema']> => {
  const { rows } = await sql<{ name: string }>`select name from kysely_migration`.execute(db);
  const names = new Set(rows.map(({ name }) => name));
  if ([...names].some((name) => !Object.hasOwn(migrations, name))) return 'newer';
  return Object.keys(migrations).every((name) => names.has(name)) ? 'same' : 'older';
};

export const databaseFacts = async (db: Kysely<Schema>): Promise<DatabaseFacts> => {
  const { rows } = await sql<DatabaseFacts>`select
    split_part(current_setting('server_version'), ' ', 1) as version,
    pg_database_size(current_database()) as "sizeBytes",
    pg_postmaster_start_time() as "startedAt",
    (select count(*) from pg_stat_activity where backend_type = 'client backend') as connections,
    current_setting('max_connections')::int as "mostConnections"`.execute(db);
  const [facts] = rows;
  if (!facts) throw new Error('the database returned no row');
  return facts;
};

/** Returns how many entries wait in each queue, and since when. */
export const waitingEntries = async (db: Kysely<Schema>): Promise<readonly WaitingEntries[]> => {
  const number = sql<number>`count(*)::int`;
  const waiting = (queue: Queue) => sql<Queue>`${queue}::text`.as('queue');
  const imports = await db
    .selectFrom('import_task')
    .select(({ fn }) => [waiting('imports'), number.as('length'), fn.min<Date | null>('updated_at').as('oldest')])
    .where('step', 'in', workingSteps)
    .where('error', '=', false)
    .execute();
  const thumbnails = await db
    .selectFrom('image')
    .select(({ fn }) => [waiting('thumbnails'), number.as('length'), fn.min<Date | null>('created_at').as('oldest')])
    .where('thumb_status', '=', 'pending')
    .where('deleted_at', 'is', null)
    .where(hasIntactFile)
    .execute();
  const renditions = await db
    .selectFrom('image')
    .select(({ fn }) => [waiting('renditions'), number.as('length'), fn.min<Date | null>('created_at').as('oldest')])
    .where('rendition_status', 'in', ['pending', 'reduced'])
    .where('kind', '=', 'image')
    .where('thumb_status', '=', 'ready')
    .where('deleted_at', 'is', null)
    .where(hasIntactFile)
    .execute();
  const mails = await db
    .selectFrom('letter')
    .select(({ fn }) => [waiting('mails'), number.as('length'), fn.min<Date | null>('asked_at').as('oldest')])
    .where('sent_at', 'is', null)
    .execute();
  return [...imports, ...thumbnails, ...renditions, ...mails];
};

/** Hashes are evenly distributed, so the last checked one gives the checked part of all files. */
const shareUpTo = (sha256: string): number => Number.parseInt(sha256.slice(0, 8).padEnd(8, '0'), 16) / 2 ** 32;

/** Returns when the pass of the file check began, and the part of the files that it has read. */
export const fileCheckProgress = async (db: Kysely<Schema>): Promise<{ startedAt: Date; share: number }> => {
  const row = await db.selectFrom('file_check').select(['position', 'started_at']).executeTakeFirstOrThrow();
  return { startedAt: row.started_at, share: row.position === '' ? 0 : shareUpTo(row.position) };
};
