import { type Kysely, sql } from 'kysely';

/** Functions of this schema that no extension owns. */
const ownFunctions = `from pg_proc join pg_language on pg_language.oid = prolang
  where pronamespace = current_schema()::regnamespace and lanname = $language$
    and not exists (select from pg_depend where objid = pg_proc.oid and classid = 'pg_proc'::regclass and deptype = 'e')`;

const inLanguage = (language: 'sql' | 'plpgsql'): string => ownFunctions.replace('$language$', `'${language}'`);

/**
 * Makes every function independent of the caller's search path, which pg_restore and pg_upgrade empty: generated columns could not be restored.
 * A standard SQL body is bound to what it calls when it is defined, and pg_dump orders it after that. PL/pgSQL has no such body.
 */
const bindFunctions = `do $do$ declare statement text; begin
  for statement in
    select format('create or replace function %s(%s) returns %s language sql %s %s %s begin atomic %s; end', pg_proc.oid::regproc,
        pg_get_function_arguments(pg_proc.oid), pg_get_function_result(pg_proc.oid),
        case provolatile when 'i' then 'immutable' when 's' then 'stable' else 'volatile' end,
        case when proisstrict then 'strict' else '' end,
        case proparallel when 's' then 'parallel safe' when 'r' then 'parallel restricted' else 'parallel unsafe' end, prosrc)
      ${inLanguage('sql')} and prosqlbody is null
    union all
    select format('alter function %s set search_path = %I, pg_temp', pg_proc.oid::regprocedure, current_schema()) ${inLanguage('plpgsql')}
  loop execute statement; end loop;
end $do$`;

/** The archive's database can be dumped and restored. */
export const up = async (db: Kysely<unknown>): Promise<void> => {
  await sql.raw(bindFunctions).execute(db);
};
