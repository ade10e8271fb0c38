import type { Kysely } from 'kysely';
import type { Schema } from '../schema.ts';
import { ensureSecret, randomKey } from './secret-store.ts';

/** Returns the key that signs thumbnail links: generated once, the same on every node. */
export const linkKey = (db: Kysely<Schema>): Promise<string> => ensureSecret(db, 'thumbnail-links', randomKey);
