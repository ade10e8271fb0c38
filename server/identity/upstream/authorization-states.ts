import { randomBytes } from 'node:crypto';
import type { Kysely } from 'kysely';
import { z } from 'zod';
import { upstreamMethod } from '../../../contract/sign-in.ts';
import type { Schema } from '../../db/schema.ts';
import { putPending, takePending } from '../../db/stores/pending-sign-ins.ts';
import { hashedToken } from '../../db/stores/token-hash.ts';

/** How long a user may take at the provider, and the browser to come back from the callback. */
const stateSeconds = 600;
const resultSeconds = 120;

/** A pending authorization request. The secrets that protect the callback are stored here, not in the browser. */
const authorizationRequest = z.object({
  uid: z.string(),
  method: upstreamMethod,
  issuer: z.string(),
  clientId: z.string(),
  nonce: z.string(),
  verifier: z.string(),
  /** The user chose this method on the sign-in page, so a failure leads back there. */
  choosing: z.boolean(),
});
export type AuthorizationRequest = z.infer<typeof authorizationRequest>;

/** A completed callback. Contains account ids only, no claims of the provider. */
const authorizationResult = z.object({
  uid: z.string(),
  method: upstreamMethod,
  accountIds: z.array(z.string()),
  /** Authentication methods of this sign-in (RFC 8176). */
  amr: z.array(z.string()),
  /** The provider has verified two factors. */
  strong: z.boolean(),
  choosing: z.boolean(),
});
export type AuthorizationResult = z.infer<typeof authorizationResult>;

export interface AuthorizationStates {
  /** The `state` is valid for ten minutes. */
  saveRequest(state: string, request: AuthorizationRequest): Promise<void>;
  /** Returns the request of a state once; undefined for an unknown, used or expired state. */
  takeRequest(state: string): Promise<AuthorizationRequest | undefined>;
  /** Returns a key that is valid once, within two minutes, for the browser with the interaction's cookie. */
  saveResult(result: AuthorizationResult): Promise<string>;
  /** Returns the result of a key once; undefined for an unknown, used or expired key. */
  takeResult(key: string): Promise<AuthorizationResult | undefined>;
}

/** The browser gets state and key; the table stores only their hashes. */
const hashed = (kind: 'state' | 'key', secret: string): string => `upstream-${kind}:${hashedToken(secret)}`;

/** Stores requests in the database, because the callback may reach another node or a restarted server. */
export const openAuthorizationStates = (db: Kysely<Schema>): AuthorizationStates => ({
  saveRequest: (state, request) => putPending(db, hashed('state', state), request, stateSeconds),
  takeRequest: async (state) => authorizationRequest.safeParse(await takePending(db, hashed('state', state))).data,
  saveResult: async (result) => {
    const key = randomBytes(32).toString('base64url');
    await putPending(db, hashed('key', key), result, resultSeconds);
    return key;
  },
  takeResult: async (key) => authorizationResult.safeParse(await takePending(db, hashed('key', key))).data,
});
