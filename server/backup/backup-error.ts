/** Thrown with one sentence when a backup cannot be written or read. */
export class BackupError extends Error {
  override readonly name = 'BackupError';
}
