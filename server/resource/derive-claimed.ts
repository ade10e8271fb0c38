import type { Kysely, Transaction } from 'kysely';
import type { Schema } from '../db/schema.ts';
import { claimSeconds, type DeriveClaim, endClaim, renewClaim } from '../db/stores/derive-claims.ts';
import type { DeriveOutcome } from '../db/stores/derive-retries.ts';

interface DeriveWork {
  /** Null: nothing to save. */
  readonly derive: () => Promise<DeriveOutcome | null>;
  readonly save: (transaction: Transaction<Schema>, outcome: DeriveOutcome) => Promise<void>;
}

/**
 * Derives from a claimed image without an open transaction, and renews the claim meanwhile. Returns the saved outcome; null when there was none, or
 * another node has the image now. A failure ends the claim.
 */
export const deriveClaimed = async (
  db: Kysely<Schema>,
  claim: DeriveClaim,
  { derive, save }: DeriveWork,
): Promise<DeriveOutcome | null> => {
  // A claim that is lost because the database is unavailable is noticed at the end.
  const renew = () => renewClaim(db, claim).catch(() => undefined);
  const renewal = setInterval(renew, (claimSeconds * 1_000) / 4);
  try {
    const outcome = await derive();
    return await db.transaction().execute(async (transaction) => {
      const isOurs = await endClaim(transaction, claim);
      if (!isOurs || outcome === null) return null;
      await save(transaction, outcome);
      return outcome;
    });
  } catch (error) {
    await endClaim(db, claim).catch(() => undefined);
    throw error;
  } finally {
    clearInterval(renewal);
  }
};
