import { randomBytes } from 'node:crypto';
import type { Kysely } from 'kysely';
import type { Schema } from '../schema.ts';

const read = (db: Kysely<Schema>, name: string) =>
  db.selectFrom('secret').select('value').where('name', '=', name).executeTakeFirst();

/** The installation's own secret of that name; made at the first call, and the same on every node. */
export const ensureSecret = async (
  db: Kysely<Schema>,
  name: string,
  make: () => string | Promise<string>,
): Promise<string> => {
  const known = await read(db, name);
  if (known) return known.value;
  await db
    .insertInto('secret')
    .values({ name, value: await make() })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  return (await read(db, name))?.value ?? ensureSecret(db, name, make);
};

/** 32 random bytes in base64url. */
export const randomKey = (): string => randomBytes(32).toString('base64url');
