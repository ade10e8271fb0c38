import { createHash } from 'node:crypto';

/** A token's value is its id: stored hashed, so that whoever reads the table cannot use what stands there. */
export const hashedToken = (value: string): string => createHash('sha256').update(value).digest('base64url');
