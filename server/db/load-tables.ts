import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import pg from 'pg';
import { from as copyFrom } from 'pg-copy-streams';
import type { Database } from './client.ts';
import { type CopiedTable, type CopyScope, tablesToCopy } from './table-order.ts';

/** Rows of one table in the text format of COPY. */
export interface TableRows extends CopiedTable {
  readonly open: () => Readable;
}

/** Thrown when the copies do not fit the tables of the database. */
export class TablesDiffer extends Error {
  override readonly name = 'TablesDiffer';
}

interface Trigger {
  readonly table: string;
  readonly name: string;
  /** `O`: for origin sessions; `A`: always; `R`: for replicas; `D`: disabled. */
  readonly mode: 'O' | 'A' | 'R' | 'D';
}

const enableWords: Readonly<Record<Trigger['mode'], string>> = {
  O: 'enable trigger',
  A: 'enable always trigger',
  R: 'enable replica trigger',
  D: 'disable trigger',
};

const name = pg.escapeIdentifier;

const triggersOf = async (client: pg.PoolClient): Promise<readonly Trigger[]> => {
  const { rows } = await client.query<Trigger>(`
    select relname as table, tgname as name, tgenabled::text as mode from pg_trigger
    join pg_class on pg_class.oid = tgrelid
    where not tgisinternal and relnamespace = current_schema()::regnamespace`);
  return rows;
};

const setTrigger = (client: pg.PoolClient, trigger: Trigger, words: string) =>
  client.query(`alter table ${name(trigger.table)} ${words} ${name(trigger.name)}`);

const advanceSequences = async (client: pg.PoolClient): Promise<void> => {
  const { rows } = await client.query<{ table: string; column: string }>(`
    select relname as table, attname as column from pg_attribute join pg_class on pg_class.oid = attrelid
    where attidentity <> '' and relkind = 'r' and relnamespace = current_schema()::regnamespace`);
  for (const { table, column } of rows)
    await client.query(
      `select setval(pg_get_serial_sequence($1, $2), coalesce(max(${name(column)}), 0) + 1, false) from ${name(table)}`,
      [name(table), column],
    );
};

const ensureSameTables = (present: readonly CopiedTable[], given: readonly CopiedTable[]): void => {
  const textOf = (tables: readonly CopiedTable[]) =>
    tables.map((table) => `${table.name}(${[...table.columns].sort().join()})`).sort();
  const [here, there] = [textOf(present), textOf(given)];
  const different = [...here.filter((one) => !there.includes(one)), ...there.filter((one) => !here.includes(one))];
  if (different.length > 0) throw new TablesDiffer(`Tables differ from those of the copy: ${different.join(', ')}`);
};

/**
 * Replaces the rows of all tables by these, in one transaction. Triggers do not run: the rows that they would derive are among the copies.
 * @throws TablesDiffer, errors of the database
 */
export const loadTables = async (
  { pool }: Database,
  copies: readonly TableRows[],
  scope: CopyScope = 'lasting',
): Promise<void> => {
  const client = await pool.connect();
  try {
    await client.query('begin');
    const tables = await tablesToCopy(client, scope);
    ensureSameTables(tables, copies);
    const triggers = await triggersOf(client);
    for (const trigger of triggers) await setTrigger(client, trigger, 'disable trigger');
    await client.query(`truncate ${tables.map((table) => name(table.name)).join(', ')} cascade`);
    for (const table of tables) {
      const copy = copies.find((one) => one.name === table.name);
      if (!copy) continue;
      const columns = copy.columns.map(name).join(', ');
      await pipeline(copy.open(), client.query(copyFrom(`copy ${name(copy.name)} (${columns}) from stdin`)));
    }
    await advanceSequences(client);
    for (const trigger of triggers) await setTrigger(client, trigger, enableWords[trigger.mode]);
    await client.query('commit');
    await client.query('analyze');
    client.release();
  } catch (error) {
    client.release(true);
    throw error;
  }
};
