import type { Kysely } from 'kysely';
import { z } from 'zod';
import type { Schema } from '../schema.ts';

const name = 'demo';

/** Progress of the demo seed. The anchor is the day that its dates are relative to. */
const demoState = z.object({ anchorDate: z.string(), complete: z.boolean() });
export type DemoState = z.infer<typeof demoState>;

export const readDemoState = async (db: Kysely<Schema>): Promise<DemoState | null> => {
  const row = await db.selectFrom('seed_state').select('value').where('name', '=', name).executeTakeFirst();
  return row ? demoState.parse(row.value) : null;
};

export const writeDemoState = async (db: Kysely<Schema>, state: DemoState): Promise<void> => {
  const value = JSON.stringify(state);
  await db
    .insertInto('seed_state')
    .values({ name, value })
    .onConflict((conflict) => conflict.column('name').doUpdateSet({ value }))
    .execute();
};
