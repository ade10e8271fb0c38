import type { Kysely } from 'kysely';
import { type Adapter, type AdapterPayload, errors } from 'oidc-provider';
import type { Schema } from '../db/schema.ts';
import { hashedToken } from '../db/stores/token-hash.ts';

/** Where the OpenID provider keeps grants and refresh tokens. */
export const oidcAdapter =
  (db: Kysely<Schema>) =>
  (type: string): Adapter => {
    const one = async (column: 'id' | 'uid' | 'user_code', value: string): Promise<AdapterPayload | undefined> => {
      const row = await db
        .selectFrom('oidc')
        .select(['payload', 'consumed_at'])
        .where('type', '=', type)
        .where(column, '=', value)
        .where((is) => is.or([is('expires_at', 'is', null), is('expires_at', '>', new Date())]))
        .executeTakeFirst();
      if (!row) return undefined;
      return row.consumed_at ? { ...row.payload, consumed: Math.floor(row.consumed_at.getTime() / 1000) } : row.payload;
    };
    return {
      upsert: async (id, payload, expiresIn) => {
        const { jti: _token, ...kept } = payload;
        const row = {
          payload: JSON.stringify(kept),
          grant_id: payload.grantId ?? null,
          uid: payload.uid ?? null,
          user_code: payload.userCode ?? null,
          account_id: typeof payload.accountId === 'string' ? payload.accountId : null,
          expires_at: expiresIn ? new Date(Date.now() + expiresIn * 1000) : null,
        };
        await db
          .insertInto('oidc')
          .values({ type, id: hashedToken(id), ...row })
          .onConflict((conflict) => conflict.columns(['type', 'id']).doUpdateSet(row))
          .execute();
      },
      find: async (id) => {
        const found = await one('id', hashedToken(id));
        return found && { ...found, jti: id };
      },
      findByUid: (uid) => one('uid', uid),
      findByUserCode: (code) => one('user_code', code),
      consume: async (id) => {
        const { numUpdatedRows } = await db
          .updateTable('oidc')
          .set({ consumed_at: new Date() })
          .where('type', '=', type)
          .where('id', '=', hashedToken(id))
          .where('consumed_at', 'is', null)
          .executeTakeFirst();
        // Two calls with one token at the same moment: only one of them may go on.
        if (numUpdatedRows === 0n) throw new errors.InvalidGrant('already consumed');
      },
      destroy: async (id) => {
        await db.deleteFrom('oidc').where('type', '=', type).where('id', '=', hashedToken(id)).execute();
      },
      revokeByGrantId: async (grantId) => {
        await db.deleteFrom('oidc').where('grant_id', '=', grantId).where('type', '=', type).execute();
      },
    };
  };

export const purgeExpired = async (db: Kysely<Schema>): Promise<void> => {
  await db.deleteFrom('oidc').where('expires_at', '<', new Date()).execute();
  await db.deleteFrom('pending_sign_in').where('expires_at', '<', new Date()).execute();
  await db.deleteFrom('password_reset').where('expires_at', '<', new Date()).execute();
  await db
    .deleteFrom('sign_in_attempt')
    .where('last_at', '<', new Date(Date.now() - 24 * 3_600_000))
    .execute();
};
