import pg, { type ClientBase } from 'pg';
import type { CopiedTable } from './table-order.ts';

/** Returns the number of rows of a table. */
export const countRows = async (client: Pick<ClientBase, 'query'>, { name }: Pick<CopiedTable, 'name'>) => {
  const { rows } = await client.query<{ count: number }>(
    `select count(*)::float8 as count from ${pg.escapeIdentifier(name)}`,
  );
  return rows[0]?.count ?? 0;
};
