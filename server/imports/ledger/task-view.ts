import type { Kysely } from 'kysely';
import { z } from 'zod';
import {
  fileProblem,
  type ImportFile,
  type ImportTask,
  importStep,
  type NamedPatient,
  writtenPatient,
} from '../../../contract/imports.ts';
import type { Schema } from '../../db/schema.ts';
import { type FileFacts, factsOfFiles } from '../../db/stores/import-files.ts';
import { type ImportStudyRow, studiesOfTasks } from '../../db/stores/import-studies.ts';
import type { ImportTaskRow } from '../../db/stores/imports.ts';
import { type PatientIdentityRow, patientsByIds } from '../../db/stores/named-patients.ts';
import { matchOf } from '../../domain/match-patient.ts';
import type { Principal } from '../../domain/policy/principal.ts';
import type { FileThumbnails } from './file-thumbnails.ts';
import { studyViews } from './study-view.ts';

const teethOf = z.array(z.number().int()).catch([]);
const acquiredOf = z.string().nullable().catch(null);
const known = new Set<string>(fileProblem.options);
const isProblem = (code: string): code is z.infer<typeof fileProblem> => known.has(code);

/** The patients named in files, compared with the current patient of their study. Files of one series share a result. */
const createComparison = (studies: readonly ImportStudyRow[], patients: readonly PatientIdentityRow[]) => {
  const rows = new Map(patients.map((row) => [row.id, row]));
  const chosen = new Map(studies.map((row) => [`${row.task_id} ${row.key}`, rows.get(row.patient_id ?? '')]));
  const seen = new Map<string, NamedPatient | null>();
  return (task: ImportTaskRow, file: FileFacts): NamedPatient | null => {
    if (file.named_patient === null) return null;
    const study = `${file.task_id} ${file.study_key}`;
    const words = `${study} ${JSON.stringify(file.named_patient)}`;
    const held = seen.get(words);
    if (held !== undefined) return held;
    const named = writtenPatient.safeParse(file.named_patient).data ?? null;
    const patient = chosen.has(study) ? chosen.get(study) : rows.get(task.patient_id ?? '');
    const isAnybody = named !== null && Boolean(named.name || named.patientId || named.birthDate);
    const match = patient && isAnybody ? matchOf(named, patient) : 'unknown';
    const compared = named && { ...named, match };
    seen.set(words, compared);
    return compared;
  };
};

const importFileOf = (row: FileFacts, patient: NamedPatient | null, thumbLink: string | null): ImportFile => ({
  id: row.id,
  fileName: row.file_name,
  sizeBytes: row.size_bytes,
  path: row.path,
  containerId: row.container_id,
  status: row.status,
  problem: row.problem !== null && isProblem(row.problem) ? row.problem : null,
  detail: row.detail,
  patient,
  modality: row.modality,
  studyKey: row.study_key,
  thumbLink,
  teeth: row.summary?.teeth ? teethOf.parse(row.summary.teeth) : [],
  acquiredAt: row.summary?.acquiredAt ? acquiredOf.parse(row.summary.acquiredAt) : null,
  imageUid: row.image_id,
  wasRestored: row.was_restored,
});

/** Returns tasks with files and studies as in the contract. */
export const importTaskViews = async (
  { db, fileThumbnails }: { readonly db: Kysely<Schema>; readonly fileThumbnails: Pick<FileThumbnails, 'linkOf'> },
  principal: Principal,
  tasks: readonly ImportTaskRow[],
): Promise<ImportTask[]> => {
  const ids = tasks.map((task) => task.id);
  const files = Map.groupBy(await factsOfFiles(db, ids), (row) => row.task_id);
  const studies = await studiesOfTasks(db, ids);
  const chosen = [...tasks, ...studies].flatMap((row) => row.patient_id ?? []);
  const compare = createComparison(studies, await patientsByIds(db, [...new Set(chosen)]));
  const views: ImportTask[] = [];
  for (const task of tasks)
    views.push({
      id: task.id,
      kind: task.kind,
      name: task.name,
      patientId: task.patient_id,
      customerId: task.customer_id,
      source: task.source && { kind: task.source, name: task.source_name ?? '' },
      step: importStep.parse(task.step),
      percent: task.percent,
      error: task.error,
      totalFilesCount: task.total_files,
      files: (files.get(task.id) ?? []).map((row) =>
        importFileOf(row, compare(task, row), fileThumbnails.linkOf(row, principal)),
      ),
      studies: await studyViews(
        db,
        task,
        studies.filter((row) => row.task_id === task.id),
        principal,
      ),
      dicomSystemName: task.id,
      createdAt: task.created_at.toISOString(),
    });
  return views;
};
