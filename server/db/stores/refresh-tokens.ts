import type { Kysely } from 'kysely';
import { z } from 'zod';
import type { SessionEndReason } from '../../../contract/sign-in.ts';
import type { Schema } from '../schema.ts';
import type { Vault } from '../vault.ts';
import type { Account } from './account-store.ts';
import { openPayload, sealPayload } from './oidc-payload.ts';
import { accountInSession, endGrant, endReasonOf } from './sessions.ts';
import { hashedToken } from './token-hash.ts';

/** The session data in a refresh token, as written by oidc-provider. */
const storedToken = z.looseObject({
  accountId: z.uuid(),
  clientId: z.string(),
  grantId: z.string(),
  scope: z.string(),
  authTime: z.number(),
  amr: z.array(z.string()).default([]),
  rotations: z.number().default(0),
  /** Of a used token, hashed: the attempt that used it, and its successor. */
  attempt: z.string().nullish(),
  successor: z.string().nullish(),
});
type StoredToken = z.infer<typeof storedToken>;

export interface Rotation {
  readonly token: string;
  /** Null: the client does not number its attempts. */
  readonly attempt: string | null;
  readonly successor: string;
  readonly clientId: string;
  /** Scopes that the session must have. */
  readonly scope: readonly string[];
}

/**
 * `over`: nothing to renew, perhaps because the session was ended for a reason. `wider`: the session lacks a scope; nothing was used. `reused`: a used token was presented again, and its session
 * was ended.
 */
export type Rotated =
  | { readonly outcome: 'rotated'; readonly account: Account; readonly session: StoredToken }
  | { readonly outcome: 'over'; readonly reason: SessionEndReason | null }
  | { readonly outcome: 'wider' }
  | { readonly outcome: 'reused'; readonly account: Account };

const tokenRow = (db: Kysely<Schema>, id: string) =>
  db
    .selectFrom('oidc')
    .selectAll()
    .where('type', '=', 'RefreshToken')
    .where('id', '=', id)
    .where('expires_at', '>', new Date());

/** Returns the row with its payload in plain text. */
const openedRow = async (db: Kysely<Schema>, vault: Vault, query: ReturnType<typeof tokenRow>) => {
  const row = await query.executeTakeFirst();
  return row && { ...row, payload: await openPayload(db, vault, row.payload) };
};

type Row = NonNullable<Awaited<ReturnType<typeof openedRow>>>;

/** The same attempt again, and its successor has not been used. */
const isRepetition = async (db: Kysely<Schema>, used: StoredToken, { attempt, successor }: Rotation) => {
  if (attempt === null || !used.attempt || used.attempt !== hashedToken(attempt)) return false;
  if (used.successor !== hashedToken(successor)) return false;
  const row = await tokenRow(db, used.successor).executeTakeFirst();
  return row !== undefined && row.consumed_at === null;
};

const succeed = async (db: Kysely<Schema>, vault: Vault, row: Row, { attempt, successor }: Rotation): Promise<void> => {
  const stored = async (payload: Row['payload']) => JSON.stringify(await sealPayload(db, vault, row.type, payload));
  const rotations = storedToken.parse(row.payload).rotations + 1;
  const { consumed_at: _, payload, ...same } = row;
  await db
    .insertInto('oidc')
    .values({ ...same, id: hashedToken(successor), payload: await stored({ ...payload, rotations }) })
    .execute();
  const used = {
    ...payload,
    attempt: attempt === null ? null : hashedToken(attempt),
    successor: hashedToken(successor),
  };
  await db
    .updateTable('oidc')
    .set({ consumed_at: new Date(), payload: await stored(used) })
    .where('type', '=', row.type)
    .where('id', '=', row.id)
    .execute();
};

/**
 * Uses a refresh token and stores its successor in one transaction, so that a crash does neither or both. Calls with the same token are
 * serialized. The account row is locked first, as in `renewStamp`: after a change of the stamp no token is renewed.
 */
export const rotate = (db: Kysely<Schema>, vault: Vault, rotation: Rotation): Promise<Rotated> =>
  db.transaction().execute(async (transaction): Promise<Rotated> => {
    const id = hashedToken(rotation.token);
    const over = async () => ({ outcome: 'over' as const, reason: await endReasonOf(transaction, id) });
    const found = await openedRow(transaction, vault, tokenRow(transaction, id));
    const parsed = storedToken.safeParse(found?.payload);
    if (!parsed.success || parsed.data.clientId !== rotation.clientId) return over();
    const { accountId, grantId, scope } = parsed.data;
    if (rotation.scope.some((word) => !scope.split(' ').includes(word))) return { outcome: 'wider' };
    await transaction.selectFrom('account').select('id').where('id', '=', accountId).forShare().execute();
    const row = await openedRow(transaction, vault, tokenRow(transaction, id).forUpdate());
    const account = await accountInSession(transaction, accountId, grantId);
    if (!account || !row) return over();
    const session = storedToken.parse(row.payload);
    if (row.consumed_at === null) await succeed(transaction, vault, row, rotation);
    else if (!(await isRepetition(transaction, session, rotation))) {
      await endGrant(transaction, grantId);
      return { outcome: 'reused', account };
    }
    return { outcome: 'rotated', account, session };
  });
