import { z } from 'zod';
import type { TextStore } from './stored-tokens.ts';

const kept = z.object({ of: z.string(), attempt: z.string() });

/** 32 random bytes as base64url. `crypto.randomUUID` is missing on addresses that are not secure. */
const secret = (): string =>
  btoa(String.fromCharCode(...crypto.getRandomValues(new Uint8Array(32))))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '');

export interface RenewalAttempts {
  /** The secret of the renewal of this refresh token: the same at every try, by whichever tab, also after a reload. */
  of(refreshToken: string): string;
  /** The renewal is over: its reply is stored, or it was refused. */
  forget(): void;
}

/**
 * A renewal whose reply was lost has used up its refresh token all the same. The archive gives the same reply again to who repeats the token
 * together with this secret, which is chosen before the first try and lies beside the tokens until the reply is stored.
 */
export const renewalAttempts = (store: TextStore, storageKey: string): RenewalAttempts => {
  const key = `${storageKey}:attempt`;
  const read = () => {
    try {
      return kept.parse(JSON.parse(store.getItem(key) ?? 'null'));
    } catch {
      return null;
    }
  };
  return {
    of: (refreshToken) => {
      const earlier = read();
      if (earlier?.of === refreshToken) return earlier.attempt;
      const attempt = secret();
      store.setItem(key, JSON.stringify({ of: refreshToken, attempt }));
      return attempt;
    },
    forget: () => store.removeItem(key),
  };
};
