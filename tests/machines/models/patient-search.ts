import { patientSearchMachine } from '../../../src/machines/patient-search/patient-search.machine.ts';
import { done, failed, type Model, offline } from '../../paths.ts';

const patient = { id: '3c7d2c0c-7f8d-4c37-8e0f-7f3d5b1c9a03' };

/** The search box of a clinic. */
export const patientSearch: Model = {
  name: 'search box',
  machine: patientSearchMachine,
  input: { clinicId: 'clinic-1' },
  events: [
    { type: 'text.changed', text: 'an' },
    { type: 'text.changed', text: 'anna' },
    { type: 'text.changed', text: 'anna ' },
    { type: 'text.changed', text: 'a b c' },
    { type: 'search.cleared' },
    { type: 'search.retried' },
    { type: 'hit.picked', patientId: patient.id },
    { type: 'all-hits.requested' },
    { type: 'clinic.changed', clinicId: null },
    done('searchPatients', { hits: [patient], similar: [], totalCount: 12, isTotalExact: true }),
    done('searchPatients', { hits: [], similar: [patient], totalCount: 0, isTotalExact: true }),
    failed('searchPatients', offline),
  ],
  facts: ({ context }) => ({
    clinicId: context.clinicId,
    text: context.text,
    hits: context.found?.hits.length,
    similar: context.found?.similar.length,
    failure: context.failure?.kind,
  }),
};
