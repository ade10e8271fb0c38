import { randomBytes } from 'node:crypto';
import type { Kysely } from 'kysely';
import type { Schema } from '../schema.ts';

const name = 'thumbnail-links';

/** The key that signs thumbnail links: made once by the installation, the same on every node. */
export const linkKey = async (db: Kysely<Schema>): Promise<string> => {
  await db
    .insertInto('secret')
    .values({ name, value: randomBytes(32).toString('base64url') })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  const { value } = await db.selectFrom('secret').select('value').where('name', '=', name).executeTakeFirstOrThrow();
  return value;
};
