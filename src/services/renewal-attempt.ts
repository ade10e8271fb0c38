import { z } from 'zod';
import type { TextStore } from './stored-tokens.ts';

const storedAttempt = z.object({ of: z.string(), attempt: z.string() });

/** 32 random bytes as base64url. `crypto.randomUUID` is missing on addresses that are not secure. */
const secret = (): string =>
  btoa(String.fromCharCode(...crypto.getRandomValues(new Uint8Array(32))))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '');

export interface RenewalAttempts {
  /** Returns the secret for renewing this refresh token: the same for all attempts, tabs and reloads. */
  of(refreshToken: string): string;
  /** Deletes the secret after the reply was stored or the renewal rejected. */
  forget(): void;
}

/**
 * A renewal whose reply was lost has consumed the refresh token. The archive repeats the reply if the token is sent again with the same
 * secret, which is stored from before the first attempt until the reply is stored.
 */
export const renewalAttempts = (store: TextStore, storageKey: string): RenewalAttempts => {
  const key = `${storageKey}:attempt`;
  const read = () => {
    try {
      return storedAttempt.parse(JSON.parse(store.getItem(key) ?? 'null'));
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
