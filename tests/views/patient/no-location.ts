import type { PatientLocation } from '../../../src/views/workspace/patient/patient-location.ts';

/** The patient page opened without a study, mount or image. */
export const noLocation: PatientLocation = {
  series: null,
  viewsetId: null,
  imageUid: null,
  compare: [],
  prior: null,
  priorMount: null,
  history: null,
};
