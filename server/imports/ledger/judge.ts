import type { Kysely } from 'kysely';
import type { FileProblem } from '../../../contract/imports.ts';
import type { Schema } from '../../db/schema.ts';
import { findBySopInstance } from '../../db/stores/images.ts';
import { findStudyByUid } from '../../db/stores/studies.ts';
import type { ParsedFile } from '../read/parsed-file.ts';

export type Verdict =
  | { readonly kind: 'new' }
  | { readonly kind: 'duplicate'; readonly imageId: string }
  | { readonly kind: 'refused'; readonly problem: FileProblem; readonly detail: string };

const refused = (problem: FileProblem, detail: string): Verdict => ({ kind: 'refused', problem, detail });

const ofAnotherPatient = refused(
  'study-of-another-patient',
  'another patient of this clinic has the study that this file belongs to',
);

/** Whether a clinic may take an object into a patient (null: not chosen yet), seen against what the clinic holds already. */
export const judge = async (
  db: Kysely<Schema>,
  target: { readonly customer_id: string; readonly patient_id: string | null },
  file: ParsedFile,
): Promise<Verdict> => {
  const image = await findBySopInstance(db, target.customer_id, file.sopInstanceUid);
  if (image) {
    if (target.patient_id !== null && image.patient_id !== target.patient_id) return ofAnotherPatient;
    // A picture becomes another object in each import (its study is another one); it is the picture that counts.
    const same = file.originalSha256
      ? image.original_sha256 === file.originalSha256
      : image.sha256 === file.objectSha256;
    if (same) return { kind: 'duplicate', imageId: image.id };
    return refused('same-uid-other-bytes', 'the archive holds another file with the SOP Instance UID of this one');
  }
  const study = await findStudyByUid(db, target.customer_id, file.studyUid);
  const isOfAnother = study && target.patient_id !== null && study.patient_id !== target.patient_id;
  return isOfAnother ? ofAnotherPatient : { kind: 'new' };
};
