import { randomUUID } from 'node:crypto';
import type { Kysely, Transaction } from 'kysely';
import type { Schema } from '../../db/schema.ts';
import { restoreImage } from '../../db/stores/images.ts';
import { type FileOutcome, settleFiles } from '../../db/stores/import-outcomes.ts';
import type { ImportStudyRow } from '../../db/stores/import-studies.ts';
import type { ImportFileRow } from '../../db/stores/imports.ts';
import { noteOrdersBegun } from '../../db/stores/orders.ts';
import { fileErrorOf } from '../read/file-error.ts';
import type { ParsedFile } from '../read/parsed-file.ts';
import { areSameBytes, createClassifier, differentBytes } from './classify-objects.ts';
import { ConcurrentChangeError, insertObjects, type NewObject, type Owner } from './insert-objects.ts';
import { lockOwner, PatientChangedError } from './study-owner.ts';

export interface IncomingObject {
  readonly row: ImportFileRow;
  readonly file: ParsedFile;
}

/** Attempts when concurrent imports write the same objects. */
const attempts = 3;

interface Sorted {
  readonly objects: readonly NewObject[];
  readonly outcomes: readonly FileOutcome[];
  readonly toRestore: readonly string[];
}

/** A later attempt of the same import finds nothing in the recycle bin, so the flag of the first attempt stays. */
const restored = (was: boolean): Pick<FileOutcome, 'was_restored'> => (was ? { was_restored: true } : {});

/**
 * Returns the new objects and the outcome of each file. Of two files of the same object, the first is imported and the other is a duplicate or
 * refused.
 */
const classify = async (
  transaction: Transaction<Schema>,
  owner: Owner,
  incoming: readonly IncomingObject[],
): Promise<Sorted> => {
  const classifyFile = await createClassifier(
    transaction,
    owner,
    incoming.map(({ file }) => file),
  );
  const objects = new Map<string, NewObject>();
  const toRestore = new Set<string>();
  const outcomeOf = ({ row, file }: IncomingObject): FileOutcome => {
    const { id } = row;
    const classification = classifyFile(file);
    if (classification.kind === 'refused') {
      const { problem, detail } = classification;
      return { id, status: 'refused', problem, detail };
    }
    if (classification.kind === 'duplicate') {
      if (classification.isDeleted) toRestore.add(classification.imageId);
      return { id, status: 'duplicate', image_id: classification.imageId, ...restored(classification.isDeleted) };
    }
    const first = objects.get(file.sopInstanceUid);
    if (first && areSameBytes(file, first.file)) return { id, status: 'duplicate', image_id: first.imageId };
    if (first) return { ...differentBytes, id, status: 'refused' } as FileOutcome;
    const imageId = randomUUID();
    const studyUid = classification.studyUid ?? file.studyUid;
    objects.set(file.sopInstanceUid, { imageId, fileName: row.file_name, file: { ...file, studyUid } });
    return { id, status: 'imported', image_id: imageId, modality: file.modality, ...restored(classification.restores) };
  };
  const outcomes = incoming.map(outcomeOf);
  return { objects: [...objects.values()], outcomes, toRestore: [...toRestore] };
};

/** Owner of the files and their study of the import. */
export interface Destination extends Owner {
  readonly study: Pick<ImportStudyRow, 'task_id' | 'key'>;
}

/** Writes all rows and outcomes in one transaction, so that after a crash a file is either imported and recorded, or imported again. */
const storeInOneTransaction = (
  db: Kysely<Schema>,
  { study, ...owner }: Destination,
  incoming: readonly IncomingObject[],
): Promise<readonly FileOutcome[]> =>
  db.transaction().execute(async (transaction) => {
    await lockOwner(transaction, study, owner.patientId);
    const { objects, outcomes, toRestore } = await classify(transaction, owner, incoming);
    await insertObjects(transaction, owner, objects);
    await noteOrdersBegun(transaction, owner, [...new Set(objects.map(({ file }) => file.studyUid))]);
    for (const imageId of toRestore.toSorted()) await restoreImage(transaction, imageId);
    const settled = await settleFiles(transaction, ['parsed', 'duplicate'], outcomes);
    // A concurrent run of this import wrote other outcomes: they stand, and these files are classified again.
    if (settled.size !== outcomes.length) throw new ConcurrentChangeError();
    return outcomes;
  });

const isConcurrentChange = (error: unknown): boolean => error instanceof ConcurrentChangeError;

/**
 * Stores files in the archive whose bytes are durable, in one transaction; one by one when that fails, so that only a file whose values the
 * database rejects is refused. Returns the outcome of each file.
 * @throws PatientChangedError; errors that do not concern the files, such as an unavailable database
 */
export const storeObjects = async (
  db: Kysely<Schema>,
  destination: Destination,
  incoming: readonly IncomingObject[],
  attempt = 1,
): Promise<readonly FileOutcome[]> => {
  if (incoming.length === 0) return [];
  try {
    return await storeInOneTransaction(db, destination, incoming);
  } catch (error) {
    if (error instanceof PatientChangedError) throw error;
    const [only, ...others] = incoming;
    if (isConcurrentChange(error) && attempt < attempts) return storeObjects(db, destination, incoming, attempt + 1);
    if (isConcurrentChange(error) && others.length === 0) throw error;
    if (!isConcurrentChange(error) && only && others.length === 0) {
      const { problem, detail } = fileErrorOf(error);
      const refused = [{ id: only.row.id, status: 'refused', problem, detail }] as const;
      await settleFiles(db, ['parsed', 'duplicate'], refused);
      return refused;
    }
    if (!isConcurrentChange(error)) fileErrorOf(error);
    const outcomes: FileOutcome[] = [];
    for (const object of incoming) outcomes.push(...(await storeObjects(db, destination, [object])));
    return outcomes;
  }
};
