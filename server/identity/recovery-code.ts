import { createHash, randomInt } from 'node:crypto';
import { deriveKey } from './password.ts';

/** Without 0, 1, I, L and O, which are easily confused on paper. */
const alphabet = '23456789ABCDEFGHJKMNPQRSTUVWXYZ';
const groupLength = 5;

const randomCharacters = (count: number): string =>
  Array.from({ length: count }, () => alphabet[randomInt(alphabet.length)]).join('');

/** Returns a code `XXXXX-XXXXX`, about 49 bits of entropy. */
const newRecoveryCode = (): string => `${randomCharacters(groupLength)}-${randomCharacters(groupLength)}`;

/** Normalizes an entered code (dash and case are ignored); null when the format is wrong. */
export const readRecoveryCode = (text: string): string | null => {
  const typed = text.toUpperCase().replace(/[\s-]/g, '');
  const isValid = typed.length === 2 * groupLength && [...typed].every((character) => alphabet.includes(character));
  return isValid ? `${typed.slice(0, groupLength)}-${typed.slice(groupLength)}` : null;
};

/** Returns the slow hash of a code: 49 bits are too few for a fast one. The salt depends on the account only, so a code can be looked up by its hash. */
export const hashRecoveryCode = async (accountId: string, code: string): Promise<string> => {
  const salt = createHash('sha256').update(`recovery-code:${accountId}`).digest().subarray(0, 16);
  return (await deriveKey(code, salt)).toString('base64url');
};

const codeCount = 10;

/** Creates the recovery codes of an account: the texts for the user, and their hashes for storage. */
export const newRecoveryCodes = async (accountId: string): Promise<{ texts: string[]; hashes: string[] }> => {
  const texts = Array.from({ length: codeCount }, newRecoveryCode);
  return { texts, hashes: await Promise.all(texts.map((text) => hashRecoveryCode(accountId, text))) };
};
