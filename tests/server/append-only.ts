import { type Kysely, sql } from 'kysely';
import { expect } from 'vitest';
import type { Schema } from '../../server/db/schema.ts';

/** Expects that no statement is executed, not even in a session without ordinary triggers. */
export const expectRejected = async (db: Kysely<Schema>, statements: readonly string[]): Promise<void> => {
  for (const statement of statements)
    for (const role of ['origin', 'replica'])
      await expect(
        db.transaction().execute(async (transaction) => {
          await sql.raw(`set local session_replication_role = ${role}`).execute(transaction);
          await sql.raw(statement).execute(transaction);
        }),
        `${statement} as ${role}`,
      ).rejects.toThrow('never changed');
};
