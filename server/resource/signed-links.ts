import { createHmac, timingSafeEqual } from 'node:crypto';

/** A link is good for one to two of these: the end of the next full period. Equal links in between let the browser keep the picture. */
const periodSeconds = 30 * 60;

export interface LinkSeal {
  /** Seconds since 1970. */
  readonly expires: number;
  readonly signature: string;
}

export interface SignedLinks {
  sealOf(id: string): LinkSeal;
  /** Whether this archive sealed the id for this subject and the seal has not expired. */
  isValid(id: string, seal: LinkSeal): boolean;
}

/**
 * Seals that carry their own right (HMAC-SHA-256 over subject, id and expiry), so that an `<img>` can load what is behind them.
 * @param subject what the ids are of: a seal of one subject is worth nothing for another
 */
export const createSignedLinks = (key: string, subject: string, nowMs: () => number = Date.now): SignedLinks => {
  const sign = (id: string, expires: number) =>
    createHmac('sha256', key).update(`${subject} ${id} ${expires}`).digest();

  return {
    sealOf: (id) => {
      const expires = (Math.floor(nowMs() / 1000 / periodSeconds) + 2) * periodSeconds;
      return { expires, signature: sign(id, expires).toString('base64url') };
    },
    isValid: (id, { expires, signature }) => {
      const given = Buffer.from(signature, 'base64url');
      const right = sign(id, expires);
      return given.length === right.length && timingSafeEqual(given, right) && expires * 1000 > nowMs();
    },
  };
};
