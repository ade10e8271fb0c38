import type { Kysely } from 'kysely';
import type { Schema } from '../db/schema.ts';
import { restoreImage } from '../db/stores/images.ts';
import { type ImportFileRow, type ImportTaskRow, settleFile } from '../db/stores/imports.ts';
import { FiledMeanwhile, fileObject } from './file-object.ts';
import { judge } from './judge.ts';
import { parsedFile } from './parsed-file.ts';

const attempts = 3;

/**
 * Takes one parsed file into the archive: its rows and what became of it in one transaction, so that after a crash the file is either
 * imported and says so, or is imported again. Returns whether the archive holds its object now.
 */
export const importFile = async (
  db: Kysely<Schema>,
  task: ImportTaskRow,
  row: ImportFileRow,
  attempt = 1,
): Promise<boolean> => {
  const file = parsedFile.parse(row.summary);
  try {
    return await db.transaction().execute(async (transaction) => {
      const verdict = await judge(transaction, task, file);
      if (verdict.kind === 'refused') {
        const { problem, detail } = verdict;
        await settleFile(transaction, row.id, 'parsed', { status: 'refused', problem, detail });
        return false;
      }
      if (verdict.kind === 'duplicate') {
        await restoreImage(transaction, verdict.imageId);
        await settleFile(transaction, row.id, 'parsed', { status: 'duplicate', image_id: verdict.imageId });
        return true;
      }
      const filing = { customerId: task.customer_id, patientId: task.patient_id, fileName: row.file_name };
      const imageId = await fileObject(transaction, filing, file);
      const settled = await settleFile(transaction, row.id, 'parsed', { status: 'imported', image_id: imageId });
      if (!settled) throw new FiledMeanwhile();
      return true;
    });
  } catch (error) {
    if (error instanceof FiledMeanwhile && attempt < attempts) return importFile(db, task, row, attempt + 1);
    throw error;
  }
};
