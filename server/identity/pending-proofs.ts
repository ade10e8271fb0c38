import type { Kysely } from 'kysely';
import { z } from 'zod';
import { signInMethod } from '../../contract/sign-in.ts';
import type { Schema } from '../db/schema.ts';
import { countGuess, putPending, readPending, takePending } from '../db/stores/pending-sign-ins.ts';

const pendingProof = z.object({
  /** The next step of the sign-in. */
  step: z.enum(['account', 'code']),
  /** Candidate accounts with their security stamps at the time of the proof. */
  accounts: z.array(z.object({ id: z.uuid(), securityStamp: z.string() })),
  method: signInMethod,
  amr: z.array(z.string()).readonly(),
  strong: z.boolean(),
});
export type PendingProof = z.infer<typeof pendingProof>;

/** Same lifetime as the interaction. */
const goodForSeconds = 900;
const maxGuesses = 10;

const keyOf = (uid: string): string => `proof:${uid}`;

export interface PendingProofs {
  /** Replaces an earlier proof of the same interaction. */
  save(uid: string, proof: PendingProof): Promise<void>;
  read(uid: string): Promise<PendingProof | undefined>;
  /** Counts before the code is checked, so that parallel guesses count too. False after too many guesses: the sign-in must start again. */
  countGuess(uid: string): Promise<boolean>;
  forget(uid: string): Promise<void>;
}

/** Stores the pending proof of each interaction. */
export const pendingProofs = (db: Kysely<Schema>): PendingProofs => ({
  save: (uid, proof) => putPending(db, keyOf(uid), { ...pendingProof.parse(proof), guesses: 0 }, goodForSeconds),
  read: async (uid) => pendingProof.safeParse(await readPending(db, keyOf(uid))).data,
  countGuess: async (uid) => {
    if (await countGuess(db, keyOf(uid), maxGuesses)) return true;
    await takePending(db, keyOf(uid));
    return false;
  },
  forget: async (uid) => {
    await takePending(db, keyOf(uid));
  },
});
