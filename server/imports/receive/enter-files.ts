import type { Kysely } from 'kysely';
import { importSteps } from '../../../contract/imports.ts';
import type { Schema } from '../../db/schema.ts';
import { type ImportTaskRow, lockTask } from '../../db/stores/imports.ts';
import { countFiles, ensureFiles, type ReceivedFile } from '../../db/stores/received-files.ts';
import { Refusal } from '../../refusal.ts';

export interface AcknowledgedFile extends ReceivedFile {
  readonly fileId: string;
}

/** @throws Refusal 'import-wrong-step' when files do not come in any more */
export const ensureUploading = (task: Pick<ImportTaskRow, 'step' | 'error'>): void => {
  if (task.step !== importSteps.uploading || task.error) throw new Refusal('import-wrong-step');
};

/**
 * Writes the rows of files whose bytes are durable, within the caller's transaction. A file belongs to an import that is still being uploaded; the lock
 * keeps the step from changing under it.
 * @throws Refusal 'import-not-found', 'import-wrong-step', 'too-many-files'
 */
export const enterFiles = async (
  transaction: Kysely<Schema>,
  taskId: string,
  files: readonly ReceivedFile[],
  mostFiles: number,
): Promise<AcknowledgedFile[]> => {
  const task = await lockTask(transaction, taskId, 'share');
  if (!task) throw new Refusal('import-not-found');
  ensureUploading(task);
  const ids = await ensureFiles(transaction, taskId, files);
  if ((await countFiles(transaction, taskId)) > mostFiles)
    throw new Refusal('too-many-files', [{ fieldKey: 'file', vars: { max: mostFiles } }]);
  return files.map((file, index) => ({ ...file, fileId: ids[index] ?? '' }));
};
