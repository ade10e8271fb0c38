import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';
import { Refusal } from '../refusal.ts';

/** What a row is sorted by, its id last; as PostgreSQL compares it again when it comes back. */
export type PlaceKeys = readonly (string | number | boolean)[];

/**
 * Places in long lists, as they travel to a browser and back. A place holds what its row is sorted by (names, e-mail addresses), so it is
 * enciphered and cannot be made up (AES-256-GCM). It opens for the list alone that it was sealed for.
 */
export interface ListPlaces {
  /** @param list names the list: what is listed, how it is filtered, searched and sorted */
  readonly seal: (list: string, keys: PlaceKeys) => string;
  /** @throws Refusal 'invalid-request' of the field `after`: made up, of another list, or of another installation */
  readonly open: (list: string, place: string) => PlaceKeys;
}

const algorithm = 'aes-256-gcm';
const nonceBytes = 12;
const tagBytes = 16;

/** @param secret the installation's own: `ensureSecret(db, 'list-places', randomKey)` */
export const listPlaces = (secret: string): ListPlaces => {
  const key = Buffer.from(hkdfSync('sha256', secret, '', 'list-places', 32));
  const opened = (list: string, place: string): PlaceKeys => {
    const bytes = Buffer.from(place, 'base64url');
    const decipher = createDecipheriv(algorithm, key, bytes.subarray(0, nonceBytes), { authTagLength: tagBytes });
    decipher.setAAD(Buffer.from(list)).setAuthTag(bytes.subarray(nonceBytes, nonceBytes + tagBytes));
    return JSON.parse(
      Buffer.concat([decipher.update(bytes.subarray(nonceBytes + tagBytes)), decipher.final()]).toString(),
    );
  };
  return {
    seal: (list, keys) => {
      const nonce = randomBytes(nonceBytes);
      const cipher = createCipheriv(algorithm, key, nonce, { authTagLength: tagBytes });
      cipher.setAAD(Buffer.from(list));
      const sealed = Buffer.concat([cipher.update(JSON.stringify(keys)), cipher.final()]);
      return Buffer.concat([nonce, cipher.getAuthTag(), sealed]).toString('base64url');
    },
    open: (list, place) => {
      try {
        return opened(list, place);
      } catch {
        throw new Refusal('invalid-request', [{ fieldKey: 'after' }]);
      }
    },
  };
};
