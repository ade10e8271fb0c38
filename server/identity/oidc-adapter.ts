import type { Kysely } from 'kysely';
import { type Adapter, type AdapterPayload, errors } from 'oidc-provider';
import type { Schema } from '../db/schema.ts';
import {
  consumeOidcModel,
  findOidcModel,
  putOidcModel,
  removeOidcModel,
  removeOidcModelsOfGrant,
} from '../db/stores/oidc-models.ts';
import { openPayload, sealPayload } from '../db/stores/oidc-payload.ts';
import { hashedToken } from '../db/stores/token-hash.ts';
import type { Vault } from '../db/vault.ts';

/** Returns the adapter by which oidc-provider stores its models (`type`: the name of the model). */
export const oidcAdapter =
  (db: Kysely<Schema>, vault: Vault) =>
  (type: string): Adapter => {
    const one = async (column: 'id' | 'uid' | 'user_code', value: string): Promise<AdapterPayload | undefined> => {
      const row = await findOidcModel(db, type, column, value);
      if (!row) return undefined;
      const payload = await openPayload(db, vault, row.payload);
      return row.consumed_at ? { ...payload, consumed: Math.floor(row.consumed_at.getTime() / 1000) } : payload;
    };
    return {
      upsert: async (id, payload, expiresIn) => {
        const { jti: _token, ...stored } = payload;
        await putOidcModel(db, type, hashedToken(id), {
          payload: await sealPayload(db, vault, type, stored),
          grantId: payload.grantId ?? null,
          uid: payload.uid ?? null,
          userCode: payload.userCode ?? null,
          accountId: typeof payload.accountId === 'string' ? payload.accountId : null,
          expiresAt: expiresIn ? new Date(Date.now() + expiresIn * 1000) : null,
        });
      },
      find: async (id) => {
        const found = await one('id', hashedToken(id));
        return found && { ...found, jti: id };
      },
      findByUid: (uid) => one('uid', uid),
      findByUserCode: (code) => one('user_code', code),
      consume: async (id) => {
        const isFirst = await consumeOidcModel(db, type, hashedToken(id));
        // Of two concurrent requests with one token, only one may succeed.
        if (!isFirst) throw new errors.InvalidGrant('already consumed');
      },
      destroy: (id) => removeOidcModel(db, type, hashedToken(id)),
      revokeByGrantId: (grantId) => removeOidcModelsOfGrant(db, type, grantId),
    };
  };
