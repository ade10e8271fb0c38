import { type Kysely, sql } from 'kysely';
import { z } from 'zod';
import { signInMethod } from '../../contract/sign-in.ts';
import type { Schema } from '../db/schema.ts';
import { putPending, readPending, takePending } from '../db/stores/pending-sign-ins.ts';

const pendingProof = z.object({
  /** What is asked of the person next. */
  step: z.enum(['account', 'code']),
  /** Whom it may be, each with the security stamp that they had when the proof was given. */
  accounts: z.array(z.object({ id: z.uuid(), securityStamp: z.string() })),
  method: signInMethod,
  amr: z.array(z.string()).readonly(),
  strong: z.boolean(),
});
export type PendingProof = z.infer<typeof pendingProof>;

/** As long as the interaction itself. */
const goodForSeconds = 900;
const mostGuesses = 10;

const keyOf = (uid: string): string => `proof:${uid}`;

export interface PendingProofs {
  /** A later proof of the same interaction takes the place of the earlier one. */
  keep(uid: string, proof: PendingProof): Promise<void>;
  read(uid: string): Promise<PendingProof | undefined>;
  /** Counts before the code is looked at, so that parallel guesses count too. False after too many: the sign-in begins anew. */
  countGuess(uid: string): Promise<boolean>;
  forget(uid: string): Promise<void>;
}

/** What one interaction has proved so far. */
export const pendingProofs = (db: Kysely<Schema>): PendingProofs => ({
  keep: (uid, proof) => putPending(db, keyOf(uid), { ...pendingProof.parse(proof), guesses: 0 }, goodForSeconds),
  read: async (uid) => pendingProof.safeParse(await readPending(db, keyOf(uid))).data,
  countGuess: async (uid) => {
    const { numUpdatedRows } = await db
      .updateTable('pending_sign_in')
      .set({ payload: sql`jsonb_set(payload, '{guesses}', to_jsonb((payload ->> 'guesses')::int + 1))` })
      .where('key', '=', keyOf(uid))
      .where(sql<boolean>`(payload ->> 'guesses')::int < ${mostGuesses}`)
      .executeTakeFirst();
    if (numUpdatedRows > 0n) return true;
    await takePending(db, keyOf(uid));
    return false;
  },
  forget: async (uid) => {
    await takePending(db, keyOf(uid));
  },
});
