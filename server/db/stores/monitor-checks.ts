import type { Kysely, Selectable } from 'kysely';
import { sql } from 'kysely';
import type { MonitorQuestion } from '../../../contract/monitor-checks.ts';
import type { MonitorCheckTable } from '../monitor-check-table.ts';
import type { Schema } from '../schema.ts';

export type MonitorCheckRow = Selectable<MonitorCheckTable>;

interface Checks {
  readonly customerId: string;
  /** Without it those of all workstations. */
  readonly workstation?: string | undefined;
}

/** Returns the checks of a clinic, newest first, and how many there are. */
export const monitorChecks = async (
  db: Kysely<Schema>,
  { customerId, workstation }: Checks,
  { offset, limit }: { readonly offset: number; readonly limit: number },
): Promise<{ rows: MonitorCheckRow[]; totalCount: number }> => {
  const ofClinic = db.selectFrom('monitor_check').where('customer_id', '=', customerId);
  const checks = workstation === undefined ? ofClinic : ofClinic.where('workstation', '=', workstation);
  const { total } = await checks.select(({ fn }) => fn.countAll<string>().as('total')).executeTakeFirstOrThrow();
  const rows = await checks.selectAll().orderBy('id', 'desc').offset(offset).limit(limit).execute();
  return { rows, totalCount: Number(total) };
};

interface NewCheck extends Omit<MonitorCheckRow, 'id' | 'answers' | 'author_name' | 'saved_at'> {
  readonly answers: Readonly<Record<MonitorQuestion, boolean>>;
}

/** Inserts a check with the present name of its author and returns it. */
export const insertMonitorCheck = (db: Kysely<Schema>, check: NewCheck): Promise<MonitorCheckRow> =>
  db
    .insertInto('monitor_check')
    .values(({ selectFrom }) => ({
      ...check,
      answers: JSON.stringify(check.answers),
      author_name: selectFrom('account')
        .select(sql<string>`first_name || ' ' || last_name`.as('name'))
        .where('id', '=', check.author_id),
    }))
    .returningAll()
    .executeTakeFirstOrThrow();
