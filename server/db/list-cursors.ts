import { hkdfSync } from 'node:crypto';
import { decryptText, encryptText, keyBytes } from '../domain/aes-gcm.ts';
import { ProblemError } from '../domain/problem-error.ts';

/** Values of the ORDER BY columns of a row; the id comes last. */
export type CursorKeys = readonly (string | number | boolean)[];

/**
 * Cursors of long lists as sent to the browser. A cursor holds sort values (names, e-mail addresses), so it is encrypted and authenticated.
 * It is valid only for the list it was issued for.
 */
export interface ListCursors {
  /** @param list identifies the list: its content, filter, search and sort order */
  readonly seal: (list: string, keys: CursorKeys) => string;
  /** @throws ProblemError 'invalid-request' of the field `after`: when the cursor is forged or was issued for another list or by another installation */
  readonly open: (list: string, cursor: string) => CursorKeys;
}

/** @param secret secret of the installation: `ensureSecret(db, 'list-places', randomKey)` */
export const createListCursors = (secret: string): ListCursors => {
  const key = new Uint8Array(hkdfSync('sha256', secret, '', 'list-places', keyBytes));
  return {
    seal: (list, keys) => encryptText(key, list, JSON.stringify(keys)),
    open: (list, cursor) => {
      try {
        return JSON.parse(decryptText(key, list, cursor));
      } catch {
        throw new ProblemError('invalid-request', [{ fieldKey: 'after' }]);
      }
    },
  };
};
