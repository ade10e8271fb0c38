import { createHash, randomInt } from 'node:crypto';
import { deriveKey } from './password.ts';

/** Without 0, 1, I, L and O, which look like each other on paper. */
const alphabet = '23456789ABCDEFGHJKMNPQRSTUVWXYZ';
const half = 5;

const letters = (count: number): string =>
  Array.from({ length: count }, () => alphabet[randomInt(alphabet.length)]).join('');

/** `XXXXX-XXXXX`, about 49 bits. */
export const newRecoveryCode = (): string => `${letters(half)}-${letters(half)}`;

/** What somebody typed, with or without the dash, in whatever case -> as it was told; null when it cannot be one. */
export const readRecoveryCode = (text: string): string | null => {
  const typed = text.toUpperCase().replace(/[\s-]/g, '');
  const isOne = typed.length === 2 * half && [...typed].every((letter) => alphabet.includes(letter));
  return isOne ? `${typed.slice(0, half)}-${typed.slice(half)}` : null;
};

/** Slow on purpose: 49 bits are too few for a fast hash. One salt an account, so that a code is found by its hash. */
export const hashRecoveryCode = async (accountId: string, code: string): Promise<string> => {
  const salt = createHash('sha256').update(`recovery-code:${accountId}`).digest().subarray(0, 16);
  return (await deriveKey(code, salt)).toString('base64url');
};
