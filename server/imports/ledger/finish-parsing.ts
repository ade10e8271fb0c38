import { randomUUID } from 'node:crypto';
import type { Kysely } from 'kysely';
import { z } from 'zod';
import { fileProblem, importSteps } from '../../../contract/imports.ts';
import type { Schema } from '../../db/schema.ts';
import { countFiles, factsOfFilesOf } from '../../db/stores/import-files.ts';
import { addMissingFiles, settleFiles } from '../../db/stores/import-outcomes.ts';
import { type FoundStudy, putStudies } from '../../db/stores/import-studies.ts';
import { advance, endTask, failTask, lockTask } from '../../db/stores/imports.ts';
import { besideImages, type FoundDirectory, missingFiles } from '../read/disc.ts';
import { Stopped } from './stopped.ts';
import { findStudies } from './studies.ts';

const paths = z.object({ paths: z.array(z.string()) });

const directoriesOf = async (db: Kysely<Schema>, taskId: string): Promise<FoundDirectory[]> => {
  const rows = await db
    .selectFrom('import_file')
    .select(['id', 'path', 'container_id', 'summary'])
    .where('task_id', '=', taskId)
    .where('status', '=', 'ignored')
    .where('problem', '=', 'media-directory')
    .orderBy('id')
    .execute();
  return rows.flatMap((row) => {
    const found = paths.safeParse(row.summary);
    return found.success ? [{ ...row, containerId: row.container_id, paths: found.data.paths }] : [];
  });
};

/** What a DICOMDIR says of its disc: files that it names and that are missing get a row, files beside the images are no fault. False when there is none. */
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
      ...{ ...one, id: randomUUID(), taskId, problem: 'file-missing' },
      detail: 'the DICOMDIR names it, and it was not there',
    })),
  );
  return true;
};

/** Pictures beside the images of a disc are those of its viewer, as a rule: they stay out unless a person wants them. */
const withoutOrnaments = (studies: readonly FoundStudy[], ofDisc: boolean): readonly FoundStudy[] => {
  const hasImages = studies.some(({ kind }) => kind === 'dicom');
  return studies.map((study) => (ofDisc && hasImages && study.kind === 'static' ? { ...study, leftOut: true } : study));
};

/** What follows: a person decides, nothing is there to be decided about, or (after another try) nothing new came of it. */
export type Parsed = 'validation' | 'failed' | 'done';

/**
 * All files are read: says what their discs say, writes the studies that they belong to, and hands the import to a person.
 * @throws Stopped when it was withdrawn
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
