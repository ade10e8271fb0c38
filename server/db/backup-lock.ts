import type { Address } from './client.ts';
import { asUnavailable, DatabaseUnavailable } from './database-unavailable.ts';
import { lockClient, nodeLocks } from './node-locks.ts';

/** Thrown when another process backs up the same database. */
export class BackupInProgress extends Error {
  override readonly name = 'BackupInProgress';
}

/**
 * Runs a backup while no other one of the same database runs. The signal of `work` is aborted when `signal` is, or when the lock is lost.
 * @throws BackupInProgress, DatabaseUnavailable
 */
export const withBackupLock = async <Result>(
  address: Address,
  signal: AbortSignal,
  work: (signal: AbortSignal) => Promise<Result>,
): Promise<Result> => {
  const client = await lockClient(address).catch((error: unknown) => {
    throw asUnavailable(error);
  });
  const lost = new AbortController();
  client.once('end', () => lost.abort(new DatabaseUnavailable(new Error('the lock of the backup was lost'))));
  try {
    const { rows } = await client.query('select pg_try_advisory_lock($1, $2) as locked', [
      nodeLocks.space,
      nodeLocks.backingUp,
    ]);
    if (!rows[0].locked) throw new BackupInProgress('Another backup of this archive is running');
    return await work(AbortSignal.any([signal, lost.signal]));
  } finally {
    await client.end();
  }
};
