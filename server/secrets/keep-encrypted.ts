import type { Kysely } from 'kysely';
import type { Schema } from '../db/schema.ts';
import { encryptSecrets } from '../db/stores/encrypted-secrets.ts';
import type { Vault } from '../db/vault.ts';
import { type IntervalJob, startIntervalJob } from '../jobs/interval-job.ts';

const everyMs = 300_000;

/** Encrypts secrets that are not yet: now, and some minutes after the last node of an older version has ended. */
export const keepSecretsEncrypted = async (
  db: Kysely<Schema>,
  vault: Vault,
  onFailure: (error: unknown) => void,
): Promise<IntervalJob> => {
  const encrypt = () => encryptSecrets(db, vault);
  await encrypt();
  return startIntervalJob(everyMs, encrypt, onFailure);
};
