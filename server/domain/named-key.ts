import { createHash, randomBytes } from 'node:crypto';
import { keyBytes } from './aes-gcm.ts';

/** A key of 32 bytes with a name, which tells keys apart and reveals nothing of them. */
export interface NamedKey {
  /** 16 hexadecimal digits. */
  readonly id: string;
  readonly bytes: Uint8Array;
}

const named = (bytes: Uint8Array): NamedKey => ({
  id: createHash('sha256').update('dentarium key name').update(bytes).digest('hex').slice(0, 16),
  bytes,
});

export const newKey = (): NamedKey => named(randomBytes(keyBytes));

/** Returns the key in base64url. */
export const textOfKey = ({ bytes }: NamedKey): string => Buffer.from(bytes).toString('base64url');

/** Reads a key in base64url or base64; null for anything else. */
export const keyOfText = (text: string): NamedKey | null => {
  const bytes = Buffer.from(text.trim(), 'base64url');
  return /^[\w+/-]{43}=?$/.test(text.trim()) && bytes.length === keyBytes ? named(bytes) : null;
};
