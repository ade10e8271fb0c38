import { type Kysely, sql } from 'kysely';
import { type ImportStep, importSteps } from '../../../contract/imports.ts';
import type { Schema } from '../schema.ts';
import { workingSteps } from './import-leases.ts';
import { hasIntactFile } from './intact-file.ts';

/** Queues in the database. */
export const storedQueues = ['imports', 'thumbnails', 'renditions', 'mails'] as const;
export type StoredQueue = (typeof storedQueues)[number];

export interface QueueState {
  readonly length: number;
  /** Age of the oldest waiting entry; 0 when none waits. */
  readonly oldestSeconds: number;
}

export type OpenImportState = Exclude<ImportStep, 'done'> | 'failed';

/** Numbers of what waits or is wrong, without any reference to patients or users. */
export interface Workload {
  readonly queues: Readonly<Record<StoredQueue, QueueState>>;
  readonly imports: Readonly<Record<OpenImportState, number>>;
  readonly fileErrors: Readonly<Record<'damaged' | 'missing', number>>;
  /** Null before the first pass. */
  readonly fileCheck: { readonly progress: number; readonly seconds: number } | null;
}

const age = (moment: string) => sql<number>`coalesce(extract(epoch from now() - min(${sql.ref(moment)})), 0)::float8`;
const number = sql<number>`count(*)::int`;

const queuesIn = async (db: Kysely<Schema>): Promise<Workload['queues']> => {
  const imports = db
    .selectFrom('import_task')
    .select([sql<StoredQueue>`'imports'`.as('queue'), number.as('length'), age('updated_at').as('oldestSeconds')])
    .where('step', 'in', workingSteps)
    .where('error', '=', false)
    .where(({ or, eb }) => or([eb('lease_until', 'is', null), eb('lease_until', '<', sql<Date>`now()`)]));
  const thumbnails = db
    .selectFrom('image')
    .select([sql<StoredQueue>`'thumbnails'`.as('queue'), number.as('length'), age('created_at').as('oldestSeconds')])
    .where('thumb_status', '=', 'pending')
    .where('deleted_at', 'is', null)
    .where(hasIntactFile);
  const renditions = db
    .selectFrom('image')
    .select([sql<StoredQueue>`'renditions'`.as('queue'), number.as('length'), age('created_at').as('oldestSeconds')])
    .where('rendition_status', 'in', ['pending', 'reduced'])
    .where('kind', '=', 'image')
    .where('thumb_status', '=', 'ready')
    .where('deleted_at', 'is', null)
    .where(hasIntactFile);
  const mails = db
    .selectFrom('letter')
    .select([sql<StoredQueue>`'mails'`.as('queue'), number.as('length'), age('asked_at').as('oldestSeconds')])
    .where('sent_at', 'is', null);
  const rows = await imports.unionAll(thumbnails).unionAll(renditions).unionAll(mails).execute();
  const stateOf = (queue: StoredQueue): QueueState => {
    const { length = 0, oldestSeconds = 0 } = rows.find((row) => row.queue === queue) ?? {};
    return { length, oldestSeconds };
  };
  return {
    imports: stateOf('imports'),
    thumbnails: stateOf('thumbnails'),
    renditions: stateOf('renditions'),
    mails: stateOf('mails'),
  };
};

const importsIn = async (db: Kysely<Schema>): Promise<Workload['imports']> => {
  const rows = await db
    .selectFrom('import_task')
    .select(['step', 'error', number.as('count')])
    .where('step', '<', importSteps.done)
    .where('cancelled', '=', false)
    .groupBy(['step', 'error'])
    .execute();
  const sumOf = (matches: (row: (typeof rows)[number]) => boolean) =>
    rows.filter(matches).reduce((sum, { count }) => sum + count, 0);
  const inStep = (step: ImportStep) => sumOf((row) => !row.error && row.step === importSteps[step]);
  return {
    uploading: inStep('uploading'),
    preparing: inStep('preparing'),
    parsing: inStep('parsing'),
    validation: inStep('validation'),
    importing: inStep('importing'),
    failed: sumOf(({ error }) => error),
  };
};

const fileErrorsIn = async (db: Kysely<Schema>): Promise<Workload['fileErrors']> => {
  const rows = await db
    .selectFrom('stored_file_fault')
    .select(['kind', number.as('count')])
    .groupBy('kind')
    .execute();
  const countOf = (kind: 'damaged' | 'missing') => rows.find((row) => row.kind === kind)?.count ?? 0;
  return { damaged: countOf('damaged'), missing: countOf('missing') };
};

/** Hashes are evenly distributed, so the position gives the checked part of all files. */
const progressAt = (position: string): number =>
  position === '' ? 0 : Number.parseInt(position.slice(0, 8), 16) / 2 ** 32;

const fileCheckIn = async (db: Kysely<Schema>): Promise<Workload['fileCheck']> => {
  const row = await db
    .selectFrom('file_check')
    .select(['position', sql<number>`extract(epoch from now() - started_at)::float8`.as('seconds')])
    .executeTakeFirst();
  return row ? { progress: progressAt(row.position), seconds: row.seconds } : null;
};

/** Counts what waits or is wrong, for monitoring. The database cancels each statement that takes longer than the limit. */
export const readWorkload = (db: Kysely<Schema>, timeLimitMs: number): Promise<Workload> =>
  db.transaction().execute(async (transaction) => {
    await sql`select set_config('statement_timeout', ${String(timeLimitMs)}, true)`.execute(transaction);
    return {
      queues: await queuesIn(transaction),
      imports: await importsIn(transaction),
      fileErrors: await fileErrorsIn(transaction),
      fileCheck: await fileCheckIn(transaction),
    };
  });
