import { createVault, type Vault } from '../../server/db/vault.ts';
import { keyOfText, type NamedKey } from '../../server/domain/named-key.ts';

const keyUnderTest = (): NamedKey => {
  const key = keyOfText('tests-share-this-key-of-thirty-two-bytes-00');
  if (!key) throw new Error('not a key');
  return key;
};

/** The master key of all servers under test, in every process: several nodes share a database. */
export const masterKeyUnderTest = keyUnderTest();

export const vaultUnderTest = (): Vault => createVault(masterKeyUnderTest);
