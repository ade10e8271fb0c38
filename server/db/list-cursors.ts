import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';
import { ProblemError } from '../domain/problem-error.ts';

/** Sort values of a row, its id last, as PostgreSQL compares them. */
export type CursorKeys = readonly (string | number | boolean)[];

/**
 * Cursors of long lists as sent to the browser. A cursor holds sort values (names, e-mail addresses), so it is encrypted and authenticated
 * (AES-256-GCM). It is valid only for the list it was issued for.
 */
export interface ListCursors {
  /** @param list identifies the list: its content, filter, search and sort order */
  readonly seal: (list: string, keys: CursorKeys) => string;
  /** @throws ProblemError 'invalid-request' of the field `after`: forged, of another list, or of another installation */
  readonly open: (list: string, cursor: string) => CursorKeys;
}

const algorithm = 'aes-256-gcm';
const nonceBytes = 12;
const tagBytes = 16;

/** @param secret secret of the installation: `ensureSecret(db, 'list-places', randomKey)` */
export const createListCursors = (secret: string): ListCursors => {
  const key = Buffer.from(hkdfSync('sha256', secret, '', 'list-places', 32));
  const opened = (list: string, cursor: string): CursorKeys => {
    const bytes = Buffer.from(cursor, 'base64url');
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
    open: (list, cursor) => {
      try {
        return opened(list, cursor);
      } catch {
        throw new ProblemError('invalid-request', [{ fieldKey: 'after' }]);
      }
    },
  };
};
