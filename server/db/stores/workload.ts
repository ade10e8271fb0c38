import { type Kysely, sql } from 'kysely';
import { type ImportStep, importSteps } from '../../../contract/imports.ts';
import type { Schema } from '../schema.ts';
import { newestGoodBackup } from './backup-runs.ts';
import { fileCheckProgress, type WaitingEntries, waitingEntries } from './system-state.ts';

export type OpenImportState = Exclude<ImportStep, 'done'> | 'failed';

/** Numbers of what waits or is wrong, without any reference to patients or users. */
export interface Workload {
  readonly queues: readonly WaitingEntries[];
  readonly imports: Readonly<Record<OpenImportState, number>>;
  readonly fileErrors: Readonly<Record<'damaged' | 'missing', number>>;
  readonly fileCheck: { readonly startedAt: Date; readonly share: number };
  /** Start of the newest good backup; null without any. */
  readonly backupAt: Date | null;
}

const number = sql<number>`count(*)::int`;

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

/** Counts what waits or is wrong, for monitoring. The database cancels each statement that takes longer than the limit. */
export const readWorkload = (db: Kysely<Schema>, timeLimitMs: number): Promise<Workload> =>
  db.transaction().execute(async (transaction) => {
    await sql`select set_config('statement_timeout', ${String(timeLimitMs)}, true)`.execute(transaction);
    return {
      queues: await waitingEntries(transaction),
      imports: await importsIn(transaction),
      fileErrors: await fileErrorsIn(transaction),
      fileCheck: await fileCheckProgress(transaction),
      backupAt: (await newestGoodBackup(transaction))?.started_at ?? null,
    };
  });
