import type { Kysely } from 'kysely';
import type { Schema } from '../db/schema.ts';
import { readDataKey } from '../db/stores/data-keys.ts';
import { createVault, type Vault } from '../db/vault.ts';
import { openMasterKey } from './master-key.ts';
import type { MasterKeySource } from './master-key-settings.ts';

/** Opens the encryption of secrets with the master key of this installation. @throws StartupError when that key is not there */
export const openVault = async (db: Kysely<Schema>, source: MasterKeySource): Promise<Vault> => {
  const dataKey = await readDataKey(db);
  return createVault(await openMasterKey(source, dataKey?.master_key_id ?? null));
};
