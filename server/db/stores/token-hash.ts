import { createHash } from 'node:crypto';

/** Hashes a token for storage, so that the table does not reveal usable tokens. */
export const hashedToken = (value: string): string => createHash('sha256').update(value).digest('base64url');

/** Hashes a typed name or an address for counting, so that the table holds no names. */
export const hashedName = (kind: string, text: string): string => hashedToken(`${kind}:${text.trim().toLowerCase()}`);
