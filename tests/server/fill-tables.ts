import { type Kysely, sql } from 'kysely';
import type { Schema } from '../../server/db/schema.ts';

interface Column {
  readonly table: string;
  readonly name: string;
  readonly type: string;
  /** Table and column that it references. */
  readonly target: { readonly table: string; readonly column: string } | null;
  /** Values allowed by a check constraint; empty without one. */
  readonly allowed: readonly string[];
}

/** Columns that need a value in an insert: neither generated nor defaulted. */
const columnsOf = async (db: Kysely<Schema>): Promise<readonly Column[]> => {
  const { rows } = await sql<Column>`
    select pg_class.relname as table, attname as name, format_type(atttypid, null) as type,
      (select json_build_object('table', target.relname, 'column', (select attname from pg_attribute as key where key.attrelid = confrelid and key.attnum = confkey[array_position(conkey, pg_attribute.attnum)]))
        from pg_constraint join pg_class as target on target.oid = confrelid
        where conrelid = pg_class.oid and contype = 'f' and pg_attribute.attnum = any(conkey) limit 1) as target,
      coalesce((select array_agg(found[1]) from pg_constraint, regexp_matches(pg_get_constraintdef(pg_constraint.oid), '''([^'']+)''::text', 'g') as found
        where conrelid = pg_class.oid and contype = 'c' and conkey = array[pg_attribute.attnum]), '{}') as allowed
    from pg_attribute join pg_class on pg_class.oid = attrelid
    where relkind = 'r' and relnamespace = current_schema()::regnamespace and attnum > 0 and not attisdropped
      and attgenerated = '' and attidentity = '' and not atthasdef and relname not like 'kysely%'
    order by pg_class.relname, attnum`.execute(db);
  return rows;
};

/** Letters of several languages, quotes, backslashes and line ends, which a dump must preserve. */
const text = (row: number): string => `Łódź Åre'n "Ж" \\n\tσς ${row}\n`;

const columnValue = ({ table, name, type, target, allowed }: Column, row: number) => {
  if (target && target.table !== table)
    return sql`(select ${sql.ref(target.column)} from ${sql.table(target.table)} order by 1 offset ${row} limit 1)`;
  if (target) return sql`null`;
  if (allowed.length > 0) return sql`${allowed[row % allowed.length]}`;
  const number = sql.lit(row);
  switch (type) {
    case 'uuid':
      return sql`md5(${`${table} ${name} ${row}`})::uuid`;
    case 'boolean':
      return sql`${row % 2 === 0}`;
    case 'jsonb':
      return sql`${JSON.stringify({ text: text(row), row })}::jsonb`;
    case 'bytea':
      return sql`decode('00ff0d0a5c27', 'hex')`;
    case 'date':
      return sql`date '2024-02-28' + ${number}::int`;
    case 'timestamp with time zone':
      return sql`timestamptz '2026-03-29 00:59:59.123456+00' + ${number} * interval '1 day'`;
    case 'text[]':
      return sql`array[${text(row)}, 'a,b{}']`;
    case 'integer[]':
      return sql`array[${number}::int, 11]`;
    case 'text':
    case 'character varying':
      return sql`${text(row)}`;
    default:
      return sql`${number}::${sql.raw(type)}`;
  }
};

/** Writes rows into every table, referenced tables first. Throws when a table stays empty. */
export const fillTables = async (db: Kysely<Schema>, rows = 3): Promise<void> => {
  const columns = await columnsOf(db);
  let waiting = [...new Set(columns.map(({ table }) => table))];
  while (waiting.length > 0) {
    const ready = waiting.filter((table) =>
      columns.every((column) => {
        const needed = column.table === table ? column.target?.table : null;
        return !needed || needed === table || !waiting.includes(needed);
      }),
    );
    if (ready.length === 0) throw new Error(`these tables refer to each other: ${waiting.join(', ')}`);
    for (const table of ready) {
      const own = columns.filter((column) => column.table === table);
      for (let row = 0; row < rows; row += 1)
        await sql`insert into ${sql.table(table)} (${sql.join(own.map(({ name }) => sql.ref(name)))})
          values (${sql.join(own.map((column) => columnValue(column, row)))}) on conflict do nothing`.execute(db);
      const { rows: found } = await sql`select from ${sql.table(table)} limit 1`.execute(db);
      if (found.length === 0) throw new Error(`table ${table} stayed empty`);
    }
    waiting = waiting.filter((table) => !ready.includes(table));
  }
};

/** Returns the rows of each table as sorted text, by table name. */
export const contentsOf = async (db: Kysely<Schema>): Promise<Record<string, readonly string[]>> => {
  const { rows: tables } = await sql<{ name: string }>`
    select relname as name from pg_class where relkind = 'r' and relnamespace = current_schema()::regnamespace order by 1`.execute(
    db,
  );
  const contents: Record<string, readonly string[]> = {};
  for (const { name } of tables) {
    const { rows } = await sql<{ row: string }>`
      select to_jsonb(each)::text as row from ${sql.table(name)} as each order by 1`.execute(db);
    contents[name] = rows.map(({ row }) => row);
  }
  return contents;
};
