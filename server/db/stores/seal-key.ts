import type { Kysely } from 'kysely';
import { keyOfText, type NamedKey } from '../../domain/named-key.ts';
import type { Schema } from '../schema.ts';
import type { Vault } from '../vault.ts';
import { ensureSecret, randomKey, readStoredSecret } from './secret-store.ts';

const secretName = 'access-log-seals';

/** Returns the key that seals the access log: generated once, the same on every node. @throws SecretsLocked */
export const sealKey = async (db: Kysely<Schema>, vault: Vault): Promise<NamedKey> => {
  const key = keyOfText(await ensureSecret(db, vault, secretName, randomKey));
  if (!key) throw new Error('the key of the access log is damaged');
  return key;
};

/** As `sealKey`, but creates none: null before the first start of the server. */
export const existingSealKey = async (db: Kysely<Schema>, vault: Vault): Promise<NamedKey | null> =>
  (await readStoredSecret(db, secretName)) === undefined ? null : sealKey(db, vault);
