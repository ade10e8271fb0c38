import { readFile } from 'node:fs/promises';
import path from 'node:path';
import type { Kysely } from 'kysely';
import { z } from 'zod';
import { moment } from '../../contract/bounds.ts';
import { destructionBasis, destructionKind } from '../../contract/destruction.ts';
import type { Schema } from '../db/schema.ts';
import { repeatDestruction, startedDestructions } from '../db/stores/repeated-destructions.ts';
import { isMissing } from '../storage/storage-error.ts';
import { writeDurably } from './write-durably.ts';

/** In a folder of backups: the orders by which records were destroyed, one line each. It names no patient. */
const listName = 'destroyed-records';

/** Any that the database accepts: a restore must not fail because of an id. */
const id = z.guid();

const destroyedRecord = z.object({
  id,
  customerId: id,
  kind: destructionKind,
  subjectId: id,
  patientId: id.nullable(),
  basis: destructionBasis,
  reference: z.string(),
  reason: z.string(),
  proposedBy: id,
  proposedAt: moment,
  decidedBy: id,
  decidedAt: moment,
  dueAt: moment,
});
export type DestroyedRecord = z.infer<typeof destroyedRecord>;

const readList = async (folder: string): Promise<DestroyedRecord[]> => {
  const text = await readFile(path.join(folder, listName), 'utf8').catch((error) => {
    if (isMissing(error)) return '';
    throw error;
  });
  return text
    .split('\n')
    .filter(Boolean)
    .map((line) => destroyedRecord.parse(JSON.parse(line)));
};

/** Adds what the database knows as destroyed to the list of a folder of backups. Nothing leaves the list. */
export const listDestroyedRecords = async (db: Kysely<Schema>, folder: string): Promise<void> => {
  const known = await readList(folder);
  const ids = new Set(known.map(({ id }) => id));
  const added = (await startedDestructions(db)).filter(({ id }) => !ids.has(id));
  if (added.length === 0) return;
  const lines = [...known, ...added].map((record) => `${JSON.stringify(record)}\n`);
  await writeDurably(path.join(folder, listName), lines.join(''));
};

/**
 * Begins again, in a database restored from a backup, what was destroyed after that backup; the server carries it out when it starts. Returns the
 * number of orders.
 */
export const repeatDestructions = async (db: Kysely<Schema>, folder: string): Promise<number> => {
  let repeated = 0;
  for (const record of await readList(folder)) if (await repeatDestruction(db, record)) repeated += 1;
  return repeated;
};
