import { createHmac, timingSafeEqual } from 'node:crypto';
import { thumbnail } from '../../contract/images.ts';

/** A link is good for one to two of these: the end of the next full period. Equal links in between let the browser keep the picture. */
const periodSeconds = 30 * 60;

export interface ThumbLinks {
  linkTo(imageUid: string): string;
  /** Whether this archive signed the link and it has not expired. */
  isValid(link: { readonly imageUID: string; readonly expires: number; readonly signature: string }): boolean;
}

/** Links to thumbnails that carry their own right (HMAC-SHA-256 over image and expiry), so that an `<img>` can load them. */
export const createThumbLinks = (key: string, nowMs: () => number = Date.now): ThumbLinks => {
  const sign = (imageUid: string, expires: number) =>
    createHmac('sha256', key).update(`thumbnail ${imageUid} ${expires}`).digest();

  return {
    linkTo: (imageUid) => {
      const expires = (Math.floor(nowMs() / 1000 / periodSeconds) + 2) * periodSeconds;
      const query = new URLSearchParams({
        imageUID: imageUid,
        expires: String(expires),
        signature: sign(imageUid, expires).toString('base64url'),
      });
      return `${thumbnail.path}?${query}`;
    },
    isValid: ({ imageUID, expires, signature }) => {
      const given = Buffer.from(signature, 'base64url');
      const right = sign(imageUID, expires);
      return given.length === right.length && timingSafeEqual(given, right) && expires * 1000 > nowMs();
    },
  };
};
