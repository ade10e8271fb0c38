import type { ClientBase } from 'pg';

/** A table with the columns that have values of their own (not generated ones). */
export interface CopiedTable {
  readonly name: string;
  readonly columns: readonly string[];
}

/** Written by the migrations themselves. */
const ofMigrations: readonly string[] = ['kysely_migration', 'kysely_migration_lock'];

/** Of one sign-in, message, node or transfer: void after a restore. */
const passing: readonly string[] = [
  'oidc',
  'pending_sign_in',
  'sign_in_attempt',
  'password_reset',
  'letter',
  'backup_run',
  'node',
  'derive_claim',
  'shared_link_opening',
  'dicom_sending',
  'dicom_sending_image',
  'commitment_request',
  'dicom_fetch',
  'dicom_fetch_study',
  'dicom_fetch_image',
];

interface Reference {
  readonly from: string;
  readonly to: string;
}

/** Sorts tables so that each comes after those that it references. @throws when tables reference each other */
const inOrder = (tables: readonly CopiedTable[], references: readonly Reference[]): CopiedTable[] => {
  const sorted: CopiedTable[] = [];
  let waiting = [...tables];
  while (waiting.length > 0) {
    const names = new Set(waiting.map(({ name }) => name));
    const ready = waiting.filter(
      ({ name }) => !references.some(({ from, to }) => from === name && to !== name && names.has(to)),
    );
    if (ready.length === 0) throw new Error(`these tables reference each other: ${[...names].join(', ')}`);
    sorted.push(...ready);
    waiting = waiting.filter((table) => !ready.includes(table));
  }
  return sorted;
};

/** `lasting`: the tables of a backup; `all`: also those of the sign-ins and messages in progress. */
export type CopyScope = 'lasting' | 'all';

/** Returns the tables of the current schema to copy, referenced ones first. */
export const tablesToCopy = async (client: ClientBase, scope: CopyScope): Promise<readonly CopiedTable[]> => {
  const leftOut = scope === 'all' ? ofMigrations : [...ofMigrations, ...passing];
  const { rows: tables } = await client.query<{ name: string; columns: string[] }>(`
    select relname as name, array_agg(attname::text order by attnum) as columns
    from pg_class join pg_attribute on attrelid = pg_class.oid
    where relkind = 'r' and relnamespace = current_schema()::regnamespace
      and attnum > 0 and not attisdropped and attgenerated = ''
    group by relname order by relname`);
  const { rows: references } = await client.query<Reference>(`
    select source.relname as from, target.relname as to from pg_constraint
    join pg_class source on source.oid = conrelid join pg_class target on target.oid = confrelid
    where contype = 'f' and source.relnamespace = current_schema()::regnamespace`);
  return inOrder(
    tables.filter(({ name }) => !leftOut.includes(name)),
    references,
  );
};
