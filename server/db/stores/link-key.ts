import type { Kysely } from 'kysely';
import type { Schema } from '../schema.ts';
import { ensureSecret, randomKey } from './secret-store.ts';

/** The key that signs thumbnail links: made once by the installation, the same on every node. */
export const linkKey = (db: Kysely<Schema>): Promise<string> => ensureSecret(db, 'thumbnail-links', randomKey);
