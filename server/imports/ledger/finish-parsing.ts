import { randomUUID } from 'node:crypto';
import type { Kysely } from 'kysely';
import { z } from 'zod';
import { fileProblem, importSteps } from '../../../contract/imports.ts';
import type { Schema } from '../../db/schema.ts';
import { countFiles, directoriesOfTask, factsOfFilesOf } from '../../db/stores/import-files.ts';
import { addMissingFiles, settleFiles } from '../../db/stores/import-outcomes.ts';
import { type FoundStudy, putStudies } from '../../db/stores/import-studies.ts';
import { advance, endTask, failTask, lockTask } from '../../db/stores/imports.ts';
import { Stopped } from '../../jobs/stopped.ts';
import { besideImages, type FoundDirectory, missingFiles } from '../read/disc.ts';
import { findStudies } from './studies.ts';

const paths = z.object({ paths: z.array(z.string()) });

const directoriesOf = async (db: Kysely<Schema>, taskId: string): Promise<FoundDirectory[]> => {
  const rows = await directoriesOfTask(db, taskId);
  return rows.flatMap((row) => {
    const found = paths.safeParse(row.summary);
    return found.success ? [{ ...row, containerId: row.container_id, paths: found.data.paths }] : [];
  });
};

/** Applies the DICOMDIRs: missing files that they list get a row, and files beside the images are ignored. False when there is none. */
const readDiscs = async (db: Kysely<Schema>, taskId: string): Promise<boolean> => {
  const directories = await directoriesOf(db, taskId);
  if (directories.length === 0) return false;
  const files = (await factsOfFilesOf(db, taskId)).map((row) => ({ ...row, containerId: row.container_id }));
  const refused = files.flatMap((row) => {
    const problem = row.status === 'refused' ? fileProblem.safeParse(row.problem).data : undefined;
    return problem ? [{ id: row.id, path: row.path, containerId: row.containerId, problem }] : [];
  });
  const detail = 'a file of the disc that is no image';
  const beside = [...besideImages(refused, directories, files)];
  await settleFiles(
    db,
    ['refused'],
    beside.map((id) => ({ id, status: 'ignored', problem: 'no-image', detail })),
  );
  const named = directories.flatMap((directory) =>
    missingFiles(directory, files).map((path) => ({ path, containerId: directory.containerId })),
  );
  const missing = new Map(named.map((one) => [`${one.containerId} ${one.path}`, one]));
  await addMissingFiles(
    db,
    [...missing.values()].map((one) => ({
      ...one,
      id: randomUUID(),
      taskId,
      problem: 'file-missing',
      detail: 'the DICOMDIR names it, and it was not there',
    })),
  );
  return true;
};

/** Pictures beside the images of a disc usually belong to its viewer: they are left out unless a user includes them. */
const withoutOrnaments = (studies: readonly FoundStudy[], ofDisc: boolean): readonly FoundStudy[] => {
  const hasImages = studies.some(({ kind }) => kind === 'dicom');
  return studies.map((study) => (ofDisc && hasImages && study.kind === 'static' ? { ...study, leftOut: true } : study));
};

/** Next step: a user decides, there is nothing to decide, or a retry brought nothing new. */
export type Parsed = 'validation' | 'failed' | 'done';

/**
 * Finishes parsing: applies the disc directories, writes the studies of the files, and moves the import to validation.
 * @throws Stopped when it was cancelled
 */
export const finishParsing = (db: Kysely<Schema>, taskId: string): Promise<Parsed> =>
  db.transaction().execute(async (transaction) => {
    const task = await lockTask(transaction, taskId, 'update');
    if (!task || task.error || task.step !== importSteps.parsing) throw new Stopped();
    const ofDisc = await readDiscs(transaction, taskId);
    const studies = await findStudies(transaction, task);
    await putStudies(transaction, taskId, withoutOrnaments(studies, ofDisc));
    const counts = await countFiles(transaction, taskId);
    const has = (...statuses: Parameters<typeof counts.get>[0][]) =>
      statuses.some((status) => (counts.get(status) ?? 0) > 0);
    if (has('imported') && !has('parsed')) {
      await endTask(transaction, taskId);
      return 'done';
    }
    await advance(transaction, taskId, 'parsing');
    if (has('parsed', 'duplicate')) return 'validation';
    await failTask(transaction, taskId);
    return 'failed';
  });
