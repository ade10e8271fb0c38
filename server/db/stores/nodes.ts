import { type Kysely, type Selectable, sql } from 'kysely';
import type { NodeTable } from '../operation-tables.ts';
import type { Schema } from '../schema.ts';

export type NodeRow = Selectable<NodeTable>;
export type NodeName = Pick<NodeRow, 'id' | 'name' | 'version' | 'roles'>;

/** Records that a node runs; removes what ended nodes have left: of the same machine after 90 s, of others after a day. */
export const announceNode = async (db: Kysely<Schema>, node: NodeName): Promise<void> => {
  await db
    .insertInto('node')
    .values({ ...node, reads_encrypted: true })
    .onConflict((conflict) => conflict.column('id').doUpdateSet({ seen_at: sql<Date>`now()` }))
    .execute();
  await sql`delete from node where seen_at < now() - interval '1 day'
    or (name = ${node.name} and seen_at < now() - interval '90 seconds')`.execute(db);
};

export const removeNode = async (db: Kysely<Schema>, id: string): Promise<void> => {
  await db.deleteFrom('node').where('id', '=', id).execute();
};

/** Returns the nodes with the seconds since each was seen, the oldest first. */
export const runningNodes = (db: Kysely<Schema>): Promise<readonly (NodeRow & { silentSeconds: number })[]> =>
  db
    .selectFrom('node')
    .selectAll()
    .select(sql<number>`extract(epoch from now() - seen_at)::float8`.as('silentSeconds'))
    .orderBy('started_at')
    .execute();
