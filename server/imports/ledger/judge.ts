import type { Kysely } from 'kysely';
import type { FileProblem } from '../../../contract/imports.ts';
import type { Schema } from '../../db/schema.ts';
import { findBySopInstances } from '../../db/stores/images.ts';
import { findStudiesByUids } from '../../db/stores/studies.ts';
import type { ParsedFile } from '../read/parsed-file.ts';

export type Verdict =
  | { readonly kind: 'new' }
  /** `isBinned`: it, its series or its study lies in the recycle bin. */
  | { readonly kind: 'duplicate'; readonly imageId: string; readonly isBinned: boolean }
  | { readonly kind: 'refused'; readonly problem: FileProblem; readonly detail: string };

const refused = (problem: FileProblem, detail: string): Verdict => ({ kind: 'refused', problem, detail });

const ofAnotherPatient = refused(
  'study-of-another-patient',
  'another patient of this clinic has the study that this file belongs to',
);

/** The archive, or the import itself, has other bytes of this UID. */
export const otherBytes = refused(
  'same-uid-other-bytes',
  'the archive holds another file with the SOP Instance UID of this one',
);

/** A picture becomes another object in each import (its study is another one); it is the picture that counts. */
export const areSameBytes = (
  one: Pick<ParsedFile, 'objectSha256' | 'originalSha256'>,
  other: Pick<ParsedFile, 'objectSha256' | 'originalSha256'>,
): boolean =>
  one.originalSha256 === null ? one.objectSha256 === other.objectSha256 : one.originalSha256 === other.originalSha256;

/**
 * Whether a clinic may take objects into a patient (null: not chosen yet), seen against what the clinic holds already: two queries, however
 * many objects there are.
 */
export const judgeAll = async (
  db: Kysely<Schema>,
  target: { readonly customerId: string; readonly patientId: string | null },
  files: readonly ParsedFile[],
): Promise<(file: ParsedFile) => Verdict> => {
  const { customerId, patientId } = target;
  const sopUids = [...new Set(files.map((file) => file.sopInstanceUid))];
  const images = new Map((await findBySopInstances(db, customerId, sopUids)).map((row) => [row.sop_instance_uid, row]));
  const studyUids = [...new Set(files.map((file) => file.studyUid))];
  const studies = new Map((await findStudiesByUids(db, customerId, studyUids)).map((row) => [row.uid, row]));
  return (file) => {
    const image = images.get(file.sopInstanceUid);
    if (image) {
      if (patientId !== null && image.patient_id !== patientId) return ofAnotherPatient;
      const held = { objectSha256: image.sha256, originalSha256: image.original_sha256 };
      if (!areSameBytes(file, held)) return otherBytes;
      return { kind: 'duplicate', imageId: image.id, isBinned: image.is_binned };
    }
    const study = studies.get(file.studyUid);
    return study && patientId !== null && study.patient_id !== patientId ? ofAnotherPatient : { kind: 'new' };
  };
};
