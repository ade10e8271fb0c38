import type { Kysely } from 'kysely';
import { importSteps } from '../../../contract/imports.ts';
import type { Schema } from '../../db/schema.ts';
import { type ImportTaskRow, lockTask } from '../../db/stores/imports.ts';
import { countFiles, ensureFiles, type ReceivedFile } from '../../db/stores/received-files.ts';
import { ProblemError } from '../../domain/problem-error.ts';

export interface AcknowledgedFile extends ReceivedFile {
  readonly fileId: string;
}

/** @throws ProblemError 'import-wrong-step' when the import no longer accepts files */
export const ensureUploading = (task: Pick<ImportTaskRow, 'step' | 'error'>): void => {
  if (task.step !== importSteps.uploading || task.error) throw new ProblemError('import-wrong-step');
};

/**
 * Inserts the rows of durable files within the caller's transaction. Locks the task, so that its step cannot change meanwhile.
 * @throws ProblemError 'import-not-found', 'import-wrong-step', 'too-many-files'
 */
export const insertFiles = async (
  transaction: Kysely<Schema>,
  taskId: string,
  files: readonly ReceivedFile[],
  maxFiles: number,
): Promise<AcknowledgedFile[]> => {
  const task = await lockTask(transaction, taskId, 'share');
  if (!task) throw new ProblemError('import-not-found');
  ensureUploading(task);
  const ids = await ensureFiles(transaction, taskId, files);
  if ((await countFiles(transaction, taskId)) > maxFiles)
    throw new ProblemError('too-many-files', [{ fieldKey: 'file', vars: { max: maxFiles } }]);
  return files.map((file, index) => ({ ...file, fileId: ids[index] ?? '' }));
};
