import { randomBytes, randomInt } from 'node:crypto';
import { codeAlphabet, codeLength } from '../../../contract/shared-links.ts';

/** Returns 256 random bits in URL-safe characters. */
export const newSecret = (): string => randomBytes(32).toString('base64url');

export const newCode = (): string =>
  Array.from({ length: codeLength }, () => codeAlphabet.charAt(randomInt(codeAlphabet.length))).join('');
