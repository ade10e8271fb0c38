import { createHmac, timingSafeEqual } from 'node:crypto';
import type { Kysely } from 'kysely';
import type { Schema } from '../db/schema.ts';
import { isSessionOpen } from '../db/stores/sessions.ts';
import { hashedToken } from '../db/stores/token-hash.ts';

/**
 * A link expires at the end of the next full period, so it is valid for one to two periods, while its session lasts. Links of a session within a period
 * are equal, so that pages do not load pictures again.
 */
const periodSeconds = 30 * 60;

/** The session that a link is made for. */
export interface LinkSession {
  readonly grantId: string;
}

export interface LinkSeal {
  /** Hash of the session's grant id, as stored with the session. */
  readonly session: string;
  /** Seconds since 1970. */
  readonly expires: number;
  readonly signature: string;
}

interface SignedLinksOptions {
  readonly db: Kysely<Schema>;
  /** The installation's key for signing links. */
  readonly key: string;
  /** Kind of the ids: a signature of one subject is invalid for another. */
  readonly subject: string;
  readonly nowMs?: (() => number) | undefined;
}

export interface SignedLinks {
  /** Returns the query of a link to `id`. */
  queryFor(id: string, session: LinkSession): { session: string; expires: string; signature: string };
  /** Returns whether this archive signed the id for this subject, the signature has not expired, and its session has not ended. */
  isValid(id: string, seal: LinkSeal): Promise<boolean>;
}

/** Signs links that carry the authorization of a session (HMAC-SHA-256 over subject, id, session and expiry), so that an `<img>` can load them. */
export const createSignedLinks = ({ db, key, subject, nowMs = Date.now }: SignedLinksOptions): SignedLinks => {
  const sign = (id: string, { session, expires }: Pick<LinkSeal, 'session' | 'expires'>) =>
    createHmac('sha256', key).update(`${subject} ${id} ${session} ${expires}`).digest();

  return {
    queryFor: (id, { grantId }) => {
      const expires = (Math.floor(nowMs() / 1000 / periodSeconds) + 2) * periodSeconds;
      const session = hashedToken(grantId);
      return { session, expires: String(expires), signature: sign(id, { session, expires }).toString('base64url') };
    },
    isValid: async (id, seal) => {
      const given = Buffer.from(seal.signature, 'base64url');
      const right = sign(id, seal);
      if (given.length !== right.length || !timingSafeEqual(given, right)) return false;
      return seal.expires * 1000 > nowMs() && isSessionOpen(db, seal.session);
    },
  };
};
