import { randomUUID } from 'node:crypto';
import type { Kysely, Transaction } from 'kysely';
import type { Schema } from '../../db/schema.ts';
import { restoreImage } from '../../db/stores/images.ts';
import { type FileOutcome, settleFiles } from '../../db/stores/import-outcomes.ts';
import type { ImportStudyRow } from '../../db/stores/import-studies.ts';
import type { ImportFileRow } from '../../db/stores/imports.ts';
import type { ParsedFile } from '../read/parsed-file.ts';
import { refusalOf } from '../read/refused-file.ts';
import { FiledMeanwhile, fileObjects, type ObjectToFile, type Owner } from './file-object.ts';
import { areSameBytes, judgeAll, otherBytes } from './judge.ts';
import { holdOwner, MovedMeanwhile } from './study-owner.ts';

export interface Arrival {
  readonly row: ImportFileRow;
  readonly file: ParsedFile;
}

/** How often it is judged again when others file the same at the same moment. */
const attempts = 3;

interface Sorted {
  readonly objects: readonly ObjectToFile[];
  readonly outcomes: readonly FileOutcome[];
  readonly binned: readonly string[];
}

/** What is new, and what becomes of each file. Two files of the same object: the first is it, the other a duplicate or refused. */
const sortOut = async (
  transaction: Transaction<Schema>,
  owner: Owner,
  arrivals: readonly Arrival[],
): Promise<Sorted> => {
  const judge = await judgeAll(
    transaction,
    owner,
    arrivals.map(({ file }) => file),
  );
  const objects = new Map<string, ObjectToFile>();
  const binned = new Set<string>();
  const outcomeOf = ({ row, file }: Arrival): FileOutcome => {
    const { id } = row;
    const verdict = judge(file);
    if (verdict.kind === 'refused') return { ...verdict, id, status: 'refused' };
    if (verdict.kind === 'duplicate') {
      if (verdict.isBinned) binned.add(verdict.imageId);
      return { id, status: 'duplicate', image_id: verdict.imageId };
    }
    const first = objects.get(file.sopInstanceUid);
    if (first && areSameBytes(file, first.file)) return { id, status: 'duplicate', image_id: first.imageId };
    if (first) return { ...otherBytes, id, status: 'refused' } as FileOutcome;
    const imageId = randomUUID();
    objects.set(file.sopInstanceUid, { imageId, fileName: row.file_name, file });
    return { id, status: 'imported', image_id: imageId, modality: file.modality };
  };
  const outcomes = arrivals.map(outcomeOf);
  return { objects: [...objects.values()], outcomes, binned: [...binned] };
};

/** Whose the files are, and the study of the import that they are of. */
export interface Destination extends Owner {
  readonly study: Pick<ImportStudyRow, 'task_id' | 'key'>;
}

/** Rows of all, and what became of each file, in one transaction: after a crash a file is imported and says so, or is imported again. */
const takeInTogether = (
  db: Kysely<Schema>,
  { study, ...owner }: Destination,
  arrivals: readonly Arrival[],
): Promise<void> =>
  db.transaction().execute(async (transaction) => {
    await holdOwner(transaction, study, owner.patientId);
    const { objects, outcomes, binned } = await sortOut(transaction, owner, arrivals);
    await fileObjects(transaction, owner, objects);
    for (const imageId of binned.toSorted()) await restoreImage(transaction, imageId);
    const settled = await settleFiles(transaction, ['parsed', 'duplicate'], outcomes);
    // Somebody else works on this import as well: what they wrote stands, and this is judged anew.
    if (settled.size !== outcomes.length) throw new FiledMeanwhile();
  });

const isMeanwhile = (error: unknown): boolean => error instanceof FiledMeanwhile;

/**
 * Takes files into the archive whose bytes are in the store, in one transaction; one by one when that fails, so that a file whose values the database
 * does not take is refused by itself.
 * @throws MovedMeanwhile; what has nothing to do with the files, such as a database that is away
 */
export const takeIn = async (
  db: Kysely<Schema>,
  destination: Destination,
  arrivals: readonly Arrival[],
  attempt = 1,
): Promise<void> => {
  if (arrivals.length === 0) return;
  try {
    await takeInTogether(db, destination, arrivals);
  } catch (error) {
    if (error instanceof MovedMeanwhile) throw error;
    const [only, ...others] = arrivals;
    if (isMeanwhile(error) && attempt < attempts) return takeIn(db, destination, arrivals, attempt + 1);
    if (isMeanwhile(error) && others.length === 0) throw error;
    if (!isMeanwhile(error) && only && others.length === 0) {
      const { problem, detail } = refusalOf(error);
      await settleFiles(db, ['parsed', 'duplicate'], [{ id: only.row.id, status: 'refused', problem, detail }]);
      return;
    }
    if (!isMeanwhile(error)) refusalOf(error);
    for (const arrival of arrivals) await takeIn(db, destination, [arrival]);
  }
};
