import type { Kysely } from 'kysely';
import { type ImportStudy, importSteps, type NamedPatient } from '../../../contract/imports.ts';
import type { Schema } from '../../db/schema.ts';
import { archivedStudies, countOfStudies, type ImportStudyRow } from '../../db/stores/import-studies.ts';
import type { ImportTaskRow } from '../../db/stores/imports.ts';
import { type PatientIdentityRow, patientsByIds } from '../../db/stores/named-patients.ts';
import { matchOf } from '../../domain/match-patient.ts';
import type { Principal } from '../../domain/policy/principal.ts';
import { seesProtected } from '../../domain/policy/sees-protected.ts';
import type { WrittenPatient } from '../read/read-file.ts';
import { type Candidate, candidatesFor } from './candidates.ts';
import { namedIn } from './studies.ts';

type Match = NamedPatient['match'];

/** Current state of an import study. */
export interface StudyNow {
  readonly row: ImportStudyRow;
  readonly named: readonly WrittenPatient[];
  readonly filesCount: number;
  /** The chosen patient; null also when deleted. */
  readonly patient: PatientIdentityRow | null;
  readonly match: Match;
  readonly inArchive: {
    readonly studyId: string;
    readonly patient: PatientIdentityRow;
    readonly images: number;
    readonly isDeleted: boolean;
  } | null;
  /** Files whose images are in the recycle bin. */
  readonly deletedFiles: number;
  /** Files that the archive holds for another patient. */
  readonly othersFiles: number;
  /** Files whose images, or whose moved series, another patient has. */
  readonly elsewhereFiles: number;
  readonly alreadyHasViewSet: boolean;
  readonly obstacles: ImportStudy['obstacles'];
}

/** The worst match of the study's files: one that names another patient is enough. */
export const matchOfAll = (named: readonly WrittenPatient[], patient: PatientIdentityRow | null): Match => {
  if (!patient || named.length === 0) return 'unknown';
  const matches = named.map((one) => matchOf(one, patient));
  if (matches.includes('differs')) return 'differs';
  return matches.includes('same') ? 'same' : 'unknown';
};

const obstaclesOf = (study: Omit<StudyNow, 'obstacles'>): ImportStudy['obstacles'] => {
  const { row, patient, match, inArchive, filesCount, othersFiles } = study;
  if (row.left_out) return [];
  const obstacles: ImportStudy['obstacles'] = [];
  if (!patient) obstacles.push('patient-missing');
  if (match === 'differs' && !row.mismatch_confirmed) obstacles.push('mismatch-not-confirmed');
  if (patient && inArchive && inArchive.patient.id !== patient.id && othersFiles > 0)
    obstacles.push('study-of-another-patient');
  if (filesCount === 0) obstacles.push('nothing-to-import');
  return obstacles;
};

/** Returns the current state of import studies of one clinic, in a fixed number of queries. */
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
    // Whatever they name: the archive already holds each of them for this patient.
    const isHeldHere = counted?.fresh === 0 && counted.deleted === 0 && patient !== null && owner?.id === patient.id;
    const now: Omit<StudyNow, 'obstacles'> = {
      row,
      named,
      patient,
      filesCount: counted?.files ?? 0,
      match: isHeldHere ? 'same' : matchOfAll(named, patient),
      inArchive:
        study && owner
          ? {
              studyId: study.id,
              patient: owner,
              images: Number(study.images),
              isDeleted:
                (study.deleted_at ?? owner.deleted_at) !== null ||
                (owner.id !== patient?.id && Number(study.images) === 0),
            }
          : null,
      deletedFiles: counted?.deleted ?? 0,
      othersFiles: counted?.others ?? 0,
      elsewhereFiles: counted?.elsewhere ?? 0,
      alreadyHasViewSet: study !== undefined && Boolean(study.has_viewset),
    };
    return { ...now, obstacles: obstaclesOf(now) };
  });
};

const importPatientOf = (row: PatientIdentityRow): NonNullable<ImportStudy['patient']> => ({
  id: row.id,
  firstName: row.first_name,
  lastName: row.last_name,
  personalNumber: row.personal_number,
  birthDate: row.birth_date,
  protectedIdentity: row.has_protected_identity,
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
    inArchive: inArchive && { ...inArchive, patient: importPatientOf(inArchive.patient) },
    deletedFiles: now.deletedFiles,
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

/** Returns the studies of a task as in the contract. Candidates are searched while a user can still choose. */
export const studyViews = async (
  db: Kysely<Schema>,
  task: ImportTaskRow,
  rows: readonly ImportStudyRow[],
  principal: Principal,
): Promise<ImportStudy[]> => {
  // A user's own file that names a patient in full is no search for patients with nearly the same name.
  const isOfferable = ({ match, patient }: Candidate) =>
    (match === 'same' && task.source === null) || !patient.has_protected_identity || seesProtected(principal);
  const isOpen = task.step === importSteps.validation && !task.error;
  const views: ImportStudy[] = [];
  for (const now of await studiesNow(db, task.customer_id, rows)) {
    const [first] = now.named;
    const candidates = isOpen && first ? await candidatesFor(db, task.customer_id, first) : [];
    views.push(viewOf(now, candidates.filter(isOfferable)));
  }
  return views;
};
