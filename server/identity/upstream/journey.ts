import { randomBytes } from 'node:crypto';
import type { Kysely } from 'kysely';
import { z } from 'zod';
import { upstreamMethod } from '../../../contract/sign-in.ts';
import type { Schema } from '../../db/schema.ts';
import { putPending, takePending } from '../../db/stores/pending-sign-ins.ts';
import { hashedToken } from '../../db/stores/token-hash.ts';

const awaySeconds = 600;
const backSeconds = 120;

/** Somebody was sent to a provider elsewhere. What makes sure that it is they who come back lies here, and nowhere in the browser. */
const departure = z.object({
  uid: z.string(),
  method: upstreamMethod,
  issuer: z.string(),
  clientId: z.string(),
  nonce: z.string(),
  verifier: z.string(),
  /** The client left the choice of a method to us, so that is where a failure leads back to. */
  choosing: z.boolean(),
});
export type Departure = z.infer<typeof departure>;

/** Somebody came back. Accounts by id only: nothing that the provider said of the person is kept. */
const arrival = z.object({
  uid: z.string(),
  method: upstreamMethod,
  accountIds: z.array(z.string()),
  amr: z.array(z.string()),
  strong: z.boolean(),
  choosing: z.boolean(),
});
export type Arrival = z.infer<typeof arrival>;

export interface Journeys {
  /** The `state` is good for ten minutes. */
  depart(state: string, journey: Departure): Promise<void>;
  /** Once; undefined for a state that nobody was sent with, that came back already, or too late. */
  returned(state: string): Promise<Departure | undefined>;
  /** Answers with a key that is good once, within two minutes, in the browser that holds the interaction's cookie. */
  arrive(journey: Arrival): Promise<string>;
  arrived(key: string): Promise<Arrival | undefined>;
}

/** The browser is shown state and key; the table holds only what they hash to. */
const hashed = (kind: 'state' | 'key', secret: string): string => `upstream-${kind}:${hashedToken(secret)}`;

/** Kept in the database: the way back may lead to another node, or to a server that was started again. */
export const openJourneys = (db: Kysely<Schema>): Journeys => ({
  depart: (state, journey) => putPending(db, hashed('state', state), journey, awaySeconds),
  returned: async (state) => departure.safeParse(await takePending(db, hashed('state', state))).data,
  arrive: async (journey) => {
    const key = randomBytes(32).toString('base64url');
    await putPending(db, hashed('key', key), journey, backSeconds);
    return key;
  },
  arrived: async (key) => arrival.safeParse(await takePending(db, hashed('key', key))).data,
});
