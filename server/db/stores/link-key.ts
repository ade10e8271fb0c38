import type { Kysely } from 'kysely';
import type { Schema } from '../schema.ts';
import type { Vault } from '../vault.ts';
import { ensureSecret, randomKey } from './secret-store.ts';

/** Returns the key that signs thumbnail links: generated once, the same on every node. */
export const linkKey = (db: Kysely<Schema>, vault: Vault): Promise<string> =>
  ensureSecret(db, vault, 'thumbnail-links', randomKey);
