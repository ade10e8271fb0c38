import type { Kysely } from 'kysely';
import type { FileProblem } from '../../../contract/imports.ts';
import type { Schema } from '../../db/schema.ts';
import { findBySopInstances } from '../../db/stores/images.ts';
import { findStudiesByUids, seriesMovedFrom } from '../../db/stores/studies.ts';
import type { ParsedFile } from '../read/parsed-file.ts';

export type Classification =
  | {
      readonly kind: 'new';
      /** UID of the study into which its series was moved; null: its own. */
      readonly studyUid: string | null;
      /** Its deleted study or series is restored with it. */
      readonly restores: boolean;
    }
  /** `isDeleted`: it, its series or its study is in the recycle bin. */
  | { readonly kind: 'duplicate'; readonly imageId: string; readonly isDeleted: boolean }
  | {
      readonly kind: 'refused';
      readonly problem: FileProblem;
      readonly detail: string;
      /** The study, or all of its content, is in another patient's recycle bin, from where a user can move it; with the matching image there. */
      readonly deletedOfAnotherPatient?: { readonly imageId: string | null };
    };
type Rejection = Extract<Classification, { kind: 'refused' }>;

const rejection = (problem: FileProblem, detail: string): Rejection => ({ kind: 'refused', problem, detail });

const studyOfAnother = rejection(
  'study-of-another-patient',
  'another patient of this clinic has the study that this file belongs to',
);
const seriesOfAnother = rejection(
  'series-of-another-patient',
  'the series that this file belongs to was moved to another patient of this clinic',
);
const imageOfAnother = rejection('image-of-another-patient', 'another patient of this clinic has this image');

/** The archive, or the import itself, holds different bytes under this UID. */
export const differentBytes = rejection(
  'same-uid-other-bytes',
  'the archive holds another file with the SOP Instance UID of this one',
);

/** Each import makes a new object of a picture (its study differs), so pictures are compared by their original bytes. */
export const areSameBytes = (
  one: Pick<ParsedFile, 'objectSha256' | 'originalSha256'>,
  other: Pick<ParsedFile, 'objectSha256' | 'originalSha256'>,
): boolean =>
  one.originalSha256 === null ? one.objectSha256 === other.objectSha256 : one.originalSha256 === other.originalSha256;

/**
 * Returns a function that classifies objects against what the clinic already has for a patient (null: not chosen yet). Runs three queries,
 * however many objects there are.
 */
export const createClassifier = async (
  db: Kysely<Schema>,
  target: { readonly customerId: string; readonly patientId: string | null },
  files: readonly ParsedFile[],
): Promise<(file: ParsedFile) => Classification> => {
  const { customerId, patientId } = target;
  const sopUids = [...new Set(files.map((file) => file.sopInstanceUid))];
  const images = new Map((await findBySopInstances(db, customerId, sopUids)).map((row) => [row.sop_instance_uid, row]));
  const studyUids = [...new Set(files.map((file) => file.studyUid))];
  const studies = new Map((await findStudiesByUids(db, customerId, studyUids)).map((row) => [row.uid, row]));
  const moved = new Map(
    (await seriesMovedFrom(db, customerId, studyUids)).map((row) => [`${row.origin_study_uid} ${row.uid}`, row]),
  );
  const isOthers = (row: { readonly patient_id: string }) => patientId !== null && row.patient_id !== patientId;

  const classifyNew = (file: ParsedFile): Classification => {
    const series = moved.get(`${file.studyUid} ${file.seriesUid}`);
    if (series && isOthers(series)) return seriesOfAnother;
    if (series && patientId !== null) {
      const restores = series.deleted_at !== null || series.study_deleted_at !== null;
      return { kind: 'new', studyUid: series.study_uid, restores };
    }
    const study = studies.get(file.studyUid);
    if (study && isOthers(study)) return studyOfAnother;
    const restores =
      study !== undefined && (study.deleted_at !== null || study.deleted_series.includes(file.seriesUid));
    return { kind: 'new', studyUid: null, restores };
  };

  return (file) => {
    const image = images.get(file.sopInstanceUid);
    const study = studies.get(file.studyUid);
    const isDeleted =
      study !== undefined && ((study.deleted_at ?? study.patient_deleted_at) !== null || !study.shows_images);
    const canBeMoved = isDeleted && isOthers(study) && (!image || image.patient_id === study.patient_id);
    if (!image) {
      const classification = classifyNew(file);
      return classification === studyOfAnother && canBeMoved
        ? { ...classification, deletedOfAnotherPatient: { imageId: null } }
        : classification;
    }
    const held = { objectSha256: image.sha256, originalSha256: image.original_sha256 };
    const isSame = areSameBytes(file, held);
    if (isOthers(image) && canBeMoved && isSame)
      return { ...studyOfAnother, deletedOfAnotherPatient: { imageId: image.id } };
    if (isOthers(image)) return study && isOthers(study) ? studyOfAnother : imageOfAnother;
    if (!isSame) return differentBytes;
    return { kind: 'duplicate', imageId: image.id, isDeleted: image.is_binned };
  };
};
