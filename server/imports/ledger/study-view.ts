import type { Kysely } from 'kysely';
import { type ImportStudy, importSteps, type NamedPatient } from '../../../contract/imports.ts';
import type { Schema } from '../../db/schema.ts';
import { archivedStudies, countOfStudies, type ImportStudyRow } from '../../db/stores/import-studies.ts';
import type { ImportTaskRow } from '../../db/stores/imports.ts';
import { type NamedRow, patientsByIds } from '../../db/stores/named-patients.ts';
import type { WrittenPatient } from '../read/read-file.ts';
import { type Candidate, candidatesFor } from './candidates.ts';
import { matchOf } from './match-patient.ts';
import { namedIn } from './studies.ts';

type Match = NamedPatient['match'];

/** What is known of a study of an import at this moment. */
export interface StudyNow {
  readonly row: ImportStudyRow;
  readonly named: readonly WrittenPatient[];
  readonly filesCount: number;
  /** The chosen patient; null also when they lie in the recycle bin by now. */
  readonly patient: NamedRow | null;
  readonly match: Match;
  readonly inArchive: { readonly patient: NamedRow; readonly images: number } | null;
  readonly alreadyHasViewSet: boolean;
  readonly obstacles: ImportStudy['obstacles'];
}

/** The worst that any file of the study says: one that names somebody else is enough. */
export const matchOfAll = (named: readonly WrittenPatient[], patient: NamedRow | null): Match => {
  if (!patient || named.length === 0) return 'unknown';
  const matches = named.map((one) => matchOf(one, patient));
  if (matches.includes('differs')) return 'differs';
  return matches.includes('same') ? 'same' : 'unknown';
};

const obstaclesOf = (study: Omit<StudyNow, 'obstacles'>): ImportStudy['obstacles'] => {
  const { row, patient, match, inArchive, filesCount } = study;
  if (row.left_out) return [];
  const obstacles: ImportStudy['obstacles'] = [];
  if (!patient) obstacles.push('patient-missing');
  if (match === 'differs' && !row.mismatch_confirmed) obstacles.push('mismatch-not-confirmed');
  if (patient && inArchive && inArchive.patient.id !== patient.id) obstacles.push('study-of-another-patient');
  if (filesCount === 0) obstacles.push('nothing-to-import');
  return obstacles;
};

/** The studies of one clinic's imports as they are at this moment: a few queries, however many there are. */
export const studiesNow = async (
  db: Kysely<Schema>,
  customerId: string,
  rows: readonly ImportStudyRow[],
): Promise<StudyNow[]> => {
  if (rows.length === 0) return [];
  const counts = await countOfStudies(db, [...new Set(rows.map((row) => row.task_id))]);
  const uidOf = (row: ImportStudyRow) => (row.kind === 'dicom' ? row.key : row.study_uid);
  const archived = await archivedStudies(
    db,
    customerId,
    rows.flatMap((row) => uidOf(row) ?? []),
  );
  const ids = [...rows.flatMap((row) => row.patient_id ?? []), ...archived.map((study) => study.patient_id)];
  const patients = new Map((await patientsByIds(db, [...new Set(ids)])).map((row) => [row.id, row]));
  return rows.map((row) => {
    const chosen = patients.get(row.patient_id ?? '');
    const patient = chosen && chosen.deleted_at === null ? chosen : null;
    const study = archived.find((one) => one.uid === uidOf(row));
    const owner = study && patients.get(study.patient_id);
    const named = namedIn(row);
    const counted = counts.find((one) => one.task_id === row.task_id && one.study_key === row.key);
    // Whatever they name: the archive holds each of them already, under this very patient.
    const isHeldHere = counted?.fresh === 0 && patient !== null && owner?.id === patient.id;
    const now: Omit<StudyNow, 'obstacles'> = {
      row,
      named,
      patient,
      filesCount: counted?.files ?? 0,
      match: isHeldHere ? 'same' : matchOfAll(named, patient),
      inArchive: study && owner ? { patient: owner, images: Number(study.images) } : null,
      alreadyHasViewSet: study !== undefined && Boolean(study.has_viewset),
    };
    return { ...now, obstacles: obstaclesOf(now) };
  });
};

const importPatientOf = (row: NamedRow): NonNullable<ImportStudy['patient']> => ({
  id: row.id,
  firstName: row.first_name,
  lastName: row.last_name,
  personalNumber: row.personal_number,
  birthDate: row.birth_date,
});

const viewOf = (now: StudyNow, candidates: readonly Candidate[]): ImportStudy => {
  const { row, named, inArchive, patient } = now;
  return {
    key: row.key,
    kind: row.kind,
    description: row.description,
    studyDate: row.study_date,
    modalities: row.modalities,
    filesCount: now.filesCount,
    named: named[0] ?? null,
    namesSeveral: row.names_several,
    candidates: candidates.map((one) => ({ patient: importPatientOf(one.patient), match: one.match })),
    inArchive: inArchive && { patient: importPatientOf(inArchive.patient), images: inArchive.images },
    alreadyHasViewSet: now.alreadyHasViewSet,
    decision: {
      leftOut: row.left_out,
      patientId: row.patient_id,
      studyUid: row.study_uid,
      viewSetTemplateUuid: row.template_id,
      imagesHashMap: row.links,
      mismatchConfirmed: row.mismatch_confirmed,
    },
    patient: patient && importPatientOf(patient),
    match: now.match,
    obstacles: now.obstacles,
    viewsetId: row.viewset_id,
  };
};

/** The studies of a task as the contract shows them. Candidates are sought while somebody can still choose. */
export const studyViews = async (
  db: Kysely<Schema>,
  task: ImportTaskRow,
  rows: readonly ImportStudyRow[],
): Promise<ImportStudy[]> => {
  const isOpen = task.step === importSteps.validation && !task.error;
  const views: ImportStudy[] = [];
  for (const now of await studiesNow(db, task.customer_id, rows)) {
    const [first] = now.named;
    views.push(viewOf(now, isOpen && first ? await candidatesFor(db, task.customer_id, first) : []));
  }
  return views;
};
