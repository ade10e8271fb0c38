import type { Kysely } from 'kysely';
import type { Schema } from '../../server/db/schema.ts';
import { hashedToken } from '../../server/db/stores/token-hash.ts';

const day = 86_400_000;

/** Stores a session of an account, as a sign-in does, unless it exists, and returns its grant id. */
export const openSession = async (db: Kysely<Schema>, accountId: string): Promise<string> => {
  const grantId = `grant-of-${accountId}`;
  const { security_stamp: stamp } = await db
    .selectFrom('account')
    .select('security_stamp')
    .where('id', '=', accountId)
    .executeTakeFirstOrThrow();
  await db
    .insertInto('oidc')
    .values({
      type: 'Grant',
      id: hashedToken(grantId),
      account_id: accountId,
      payload: JSON.stringify({ stamp }),
      expires_at: new Date(Date.now() + day),
    })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  return grantId;
};
