import type { FoundStudy, searchFailures } from '../../contract/dicom-fetches.ts';

/** A study as a device answers. */
export type AnsweredStudy = Pick<
  FoundStudy,
  'studyUid' | 'description' | 'studyDate' | 'modalities' | 'images' | 'patient'
>;

/** Keys of a search; a study that matches one of them is found. */
export type PatientSearch =
  | { readonly numbers: readonly string[] }
  | { readonly name: string; readonly birthDate: string | null };

export interface StudiesAtDevice {
  readonly failure: (typeof searchFailures)[number] | null;
  readonly isComplete: boolean;
  readonly studies: readonly AnsweredStudy[];
}

/** Searches the studies of a patient at another node. */
export type FindStudies = (
  node: { readonly host: string; readonly port: number; readonly aeTitle: string; readonly tls: boolean },
  search: PatientSearch,
  atMost: number,
) => Promise<StudiesAtDevice>;
