import { createHmac, timingSafeEqual } from 'node:crypto';

/**
 * A link expires at the end of the next full period, so it is valid for one to two periods. Links within a period are equal, so that browsers
 * can cache the picture.
 */
const periodSeconds = 30 * 60;

export interface LinkSeal {
  /** Seconds since 1970. */
  readonly expires: number;
  readonly signature: string;
}

export interface SignedLinks {
  sealOf(id: string): LinkSeal;
  /** Returns whether this archive signed the id for this subject and the signature has not expired. */
  isValid(id: string, seal: LinkSeal): boolean;
}

/**
 * Signs links that carry their own authorization (HMAC-SHA-256 over subject, id and expiry), so that an `<img>` can load them.
 * @param subject kind of the ids: a signature of one subject is invalid for another
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
