import type { Kysely } from 'kysely';
import { decryptText, encryptText } from '../domain/aes-gcm.ts';
import { keyOfText, type NamedKey, newKey, textOfKey } from '../domain/named-key.ts';
import { StartupError } from '../startup-error.ts';
import type { Schema } from './schema.ts';
import { type EncryptedDataKey, insertFirstDataKey, readDataKey } from './stores/data-keys.ts';

/** Thrown when secrets are encrypted with a key that this process does not have. */
export class SecretsLocked extends StartupError {
  constructor(keyName: string) {
    super(`The secrets in the database are encrypted with ${keyName}, which this process does not have`);
    this.name = 'SecretsLocked';
  }
}

/** Encrypts secrets before they are stored: with a data key in the database, which is encrypted with the master key outside of it. */
export interface Vault {
  /**
   * Returns what to store: the secret itself while the database has no data key.
   * @param context the only place where it can be read, for example a table and a row
   */
  seal(db: Kysely<Schema>, context: string, secret: string): Promise<string>;
  /** Returns a stored secret, encrypted or not. @throws SecretsLocked */
  open(db: Kysely<Schema>, context: string, stored: string): Promise<string>;
  /** Creates the data key if needed. False while an older node runs, which could not read what is encrypted. @throws SecretsLocked */
  enable(db: Kysely<Schema>): Promise<boolean>;
}

const form = /^encrypted:([0-9a-f]{16}):/;
/** Beginning of what is encrypted with a data key; of any when omitted. */
export const encryptedBeginning = (keyId = ''): string => `encrypted:${keyId}${keyId && ':'}`;

const contextOf = (id: string): string => `data-key:${id}`;

/** Encrypts a data key for the database. */
export const encryptDataKey = (masterKey: NamedKey, key: NamedKey): EncryptedDataKey => ({
  id: key.id,
  master_key_id: masterKey.id,
  encrypted: encryptText(masterKey.bytes, contextOf(key.id), textOfKey(key)),
});

/** @throws SecretsLocked for another master key */
export const decryptDataKey = (masterKey: NamedKey, stored: EncryptedDataKey): NamedKey => {
  if (stored.master_key_id !== masterKey.id) throw new SecretsLocked(`the master key ${stored.master_key_id}`);
  const key = keyOfText(decryptText(masterKey.bytes, contextOf(stored.id), stored.encrypted));
  if (!key) throw new Error(`the data key ${stored.id} is damaged`);
  return key;
};

/** @param known the data key; read from the database when first needed if omitted */
export const createVault = (masterKey: NamedKey, known: NamedKey | null = null): Vault => {
  let dataKey = known;
  const load = async (db: Kysely<Schema>): Promise<NamedKey | null> => {
    if (dataKey) return dataKey;
    const stored = await readDataKey(db);
    dataKey = stored ? decryptDataKey(masterKey, stored) : null;
    return dataKey;
  };
  return {
    seal: async (db, context, secret) => {
      const key = await load(db);
      return key ? `${encryptedBeginning(key.id)}${encryptText(key.bytes, context, secret)}` : secret;
    },
    open: async (db, context, stored) => {
      const [beginning, id] = form.exec(stored) ?? [];
      if (beginning === undefined) return stored;
      const key = await load(db);
      if (!key || key.id !== id) throw new SecretsLocked(`the data key ${id}`);
      return decryptText(key.bytes, context, stored.slice(beginning.length));
    },
    enable: async (db) => {
      if (await load(db)) return true;
      return insertFirstDataKey(db, encryptDataKey(masterKey, newKey()));
    },
  };
};
