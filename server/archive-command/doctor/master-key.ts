import type { Kysely } from 'kysely';
import type { Schema } from '../../db/schema.ts';
import { readDataKey } from '../../db/stores/data-keys.ts';
import { createVault, type Vault } from '../../db/vault.ts';
import { newKey } from '../../domain/named-key.ts';
import { openMasterKey } from '../../secrets/master-key.ts';
import type { MasterKeySource } from '../../secrets/master-key-settings.ts';
import { StartupError } from '../../startup-error.ts';
import { type Check, failure, guarded, ok, warning } from './check.ts';

const name = 'master key';

/** Checks that the secrets in the database can be read. Creates no key. */
export const checkMasterKey = (db: Kysely<Schema>, source: MasterKeySource): Promise<Check> =>
  guarded(name, 'Start the server, which migrates the database', async () => {
    const dataKey = await readDataKey(db);
    if (!dataKey)
      return warning(name, 'the secrets are not encrypted yet', 'The next start of the server encrypts them');
    try {
      const { id } = await openMasterKey(source, dataKey.master_key_id);
      return ok(name, `${id}, from ${'file' in source ? source.file : 'a setting'}`);
    } catch (error) {
      if (!(error instanceof StartupError)) throw error;
      return failure(name, error.message, 'See "Master key" in docs/operate.md');
    }
  });

/** Returns what reads the secrets; null when they cannot be read. Creates no key. */
export const readingVault = async (db: Kysely<Schema>, source: MasterKeySource): Promise<Vault | null> => {
  try {
    const dataKey = await readDataKey(db);
    // Without a data key nothing is encrypted, so that any key will do.
    return createVault(dataKey ? await openMasterKey(source, dataKey.master_key_id) : newKey());
  } catch {
    return null;
  }
};
