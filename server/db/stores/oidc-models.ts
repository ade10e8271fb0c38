import type { Kysely } from 'kysely';
import type { Schema } from '../schema.ts';
import { isOfGrant } from './sessions.ts';
import { hashedToken } from './token-hash.ts';

/** A grant, a refresh token or another model of the OpenID provider (oidc-provider, Adapter). Ids are hashed tokens. */
export interface OidcModel {
  readonly payload: Record<string, unknown>;
  readonly grantId: string | null;
  readonly uid: string | null;
  readonly userCode: string | null;
  readonly accountId: string | null;
  /** Null: it never expires. */
  readonly expiresAt: Date | null;
}

/** Returns a model that has not expired, with the time of its consumption. */
export const findOidcModel = (db: Kysely<Schema>, type: string, column: 'id' | 'uid' | 'user_code', value: string) =>
  db
    .selectFrom('oidc')
    .select(['payload', 'consumed_at'])
    .where('type', '=', type)
    .where(column, '=', value)
    .where((is) => is.or([is('expires_at', 'is', null), is('expires_at', '>', new Date())]))
    .executeTakeFirst();

/** Inserts a model, or replaces the one with this type and id. */
export const putOidcModel = async (db: Kysely<Schema>, type: string, id: string, model: OidcModel): Promise<void> => {
  const row = {
    payload: JSON.stringify(model.payload),
    grant_id: model.grantId && hashedToken(model.grantId),
    uid: model.uid,
    user_code: model.userCode,
    account_id: model.accountId,
    expires_at: model.expiresAt,
  };
  await db
    .insertInto('oidc')
    .values({ type, id, ...row })
    .onConflict((conflict) => conflict.columns(['type', 'id']).doUpdateSet(row))
    .execute();
};

/** Marks a model as consumed. Of two concurrent calls, only one returns true. */
export const consumeOidcModel = async (db: Kysely<Schema>, type: string, id: string): Promise<boolean> => {
  const { numUpdatedRows } = await db
    .updateTable('oidc')
    .set({ consumed_at: new Date() })
    .where('type', '=', type)
    .where('id', '=', id)
    .where('consumed_at', 'is', null)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
};

/** Removes a model; does nothing when there is none. */
export const removeOidcModel = async (db: Kysely<Schema>, type: string, id: string): Promise<void> => {
  await db.deleteFrom('oidc').where('type', '=', type).where('id', '=', id).execute();
};

/** Removes the models of one type that were issued by a grant, as when it is revoked. */
export const removeOidcModelsOfGrant = async (db: Kysely<Schema>, type: string, grantId: string): Promise<void> => {
  await db.deleteFrom('oidc').where(isOfGrant(grantId)).where('type', '=', type).execute();
};
