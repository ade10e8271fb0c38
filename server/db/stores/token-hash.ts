import { createHash } from 'node:crypto';

/** A token's value is its id: stored hashed, so that whoever reads the table cannot use what stands there. */
export const hashedToken = (value: string): string => createHash('sha256').update(value).digest('base64url');

/** What somebody typed to say who they are, or where they call from: counted under its hash, so that nobody's name lies in the table. */
export const hashedName = (kind: string, text: string): string => hashedToken(`${kind}:${text.trim().toLowerCase()}`);
