import { randomUUID } from 'node:crypto';
import { type Kysely, type Selectable, sql } from 'kysely';
import { nodeLocks } from '../node-locks.ts';
import type { BackupRunTable } from '../operation-tables.ts';
import type { Schema } from '../schema.ts';

export type BackupRun = Selectable<BackupRunTable>;

/** How a run ended. */
export type BackupEnd = Pick<BackupRun, 'ended_at' | 'result'> &
  Partial<Pick<BackupRun, 'files' | 'size_bytes' | 'absent' | 'error'>>;

/** What the schedule of a folder of backups needs to know. */
export interface BackupHistory {
  /** The newest good run. */
  readonly good: BackupRun | null;
  /** The newest run that has ended. */
  readonly newest: BackupRun | null;
  /** Failed runs since the newest good one: their number, the start of the first, and the error of the last. */
  readonly failures: number;
  readonly failingSince: Date | null;
  readonly error: string | null;
  /** Start of the first known run. */
  readonly firstAt: Date | null;
}

/** Returns false for a database whose migrations are older: the command backs it up before they run. */
export const hasBackupRuns = async (db: Kysely<Schema>): Promise<boolean> => {
  const { rows } = await sql<{ found: boolean }>`select to_regclass('backup_run') is not null as found`.execute(db);
  return rows[0]?.found ?? false;
};

/** Records the start of a run. The caller holds the lock of backups, so that a run without an end was interrupted. Returns its id. */
export const beginBackupRun = async (
  db: Kysely<Schema>,
  run: Pick<BackupRun, 'started_at' | 'is_automatic' | 'folder'>,
): Promise<string> => {
  await db
    .updateTable('backup_run')
    .set({ result: 'failed', error: 'interrupted', ended_at: run.started_at })
    .where('result', '=', 'running')
    .execute();
  const id = randomUUID();
  await db
    .insertInto('backup_run')
    .values({ ...run, id, result: 'running' })
    .execute();
  return id;
};

export const endBackupRun = async (db: Kysely<Schema>, id: string, end: BackupEnd): Promise<void> => {
  await db.updateTable('backup_run').set(end).where('id', '=', id).execute();
};

const newestRun = (db: Kysely<Schema>) =>
  db.selectFrom('backup_run').selectAll().orderBy('started_at', 'desc').limit(1);

/** Returns the newest good backup, whether automatic or by command; null without any. */
export const newestGoodBackup = async (db: Kysely<Schema>): Promise<BackupRun | null> =>
  (await newestRun(db).where('result', '=', 'good').executeTakeFirst()) ?? null;

/** Returns whether this folder has had a backup of this archive. */
export const hadGoodBackup = async (db: Kysely<Schema>, folder: string): Promise<boolean> =>
  (await newestRun(db).where('result', '=', 'good').where('folder', '=', folder).executeTakeFirst()) !== undefined;

/** Returns the runs of one folder as its schedule needs them. */
export const backupHistory = async (db: Kysely<Schema>, folder: string): Promise<BackupHistory> => {
  const ofFolder = newestRun(db).where('folder', '=', folder);
  const good = (await ofFolder.where('result', '=', 'good').executeTakeFirst()) ?? null;
  const newest = (await ofFolder.where('result', '!=', 'running').executeTakeFirst()) ?? null;
  const { firstAt } = await db
    .selectFrom('backup_run')
    .where('folder', '=', folder)
    .select(({ fn }) => fn.min<Date | null>('started_at').as('firstAt'))
    .executeTakeFirstOrThrow();
  const failed = await ofFolder
    .clearLimit()
    .where('result', '=', 'failed')
    .where('started_at', '>', good?.started_at ?? new Date(0))
    .execute();
  const [last] = failed;
  return {
    good,
    newest,
    firstAt,
    failures: failed.length,
    failingSince: failed.at(-1)?.started_at ?? null,
    error: last?.error ?? null,
  };
};

/** Returns the start of the backup that is running on any node or by command; null when none is. */
export const runningBackupSince = async (db: Kysely<Schema>): Promise<Date | null> => {
  const { rows } = await sql<{ since: Date }>`
    select started_at as since from backup_run where result = 'running' and exists (
      select from pg_locks where locktype = 'advisory' and granted
        and database = (select oid from pg_database where datname = current_database())
        and classid = ${nodeLocks.space}::int8::oid and objid = ${nodeLocks.backingUp}::int8::oid)
    order by started_at desc limit 1`.execute(db);
  return rows[0]?.since ?? null;
};
