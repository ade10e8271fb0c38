import type { PatientSearchEvent } from '../../../src/machines/patient-search/patient-search.machine.ts';
import { blocked, byHand, type EventInstructions, label, type MachineInstructions } from './instruction.ts';

export const patientSearch = {
  events: {
    'text.changed': byHand(`Type the text into ${label('search:box')}.`),
    'search.cleared': byHand(`Press ${label('search:clear')}.`),
    'search.retried': byHand(`Press ${label('search:retry')} in the list below the search box.`),
    'hit.picked': byHand('Click a patient in the list below the search box.'),
    'all-hits.requested': byHand('Press Enter in the search box.'),
    'clinic.changed': byHand(
      `As a super administrator: press the cross ${label('shell:leaveClinic')} in the page header.`,
    ),
  } satisfies EventInstructions<PatientSearchEvent>,
  replies: {
    'searchPatients done': ({ hits }: { readonly hits: readonly unknown[] }) =>
      byHand(
        hits.length > 0
          ? 'Before the previous steps: type the first letters of the last name of a patient of the clinic.'
          : 'Before the previous steps: type a name that no patient of the clinic has, such as qqqq.',
      ),
    'searchPatients offline': blocked('*/resource/patient/search*'),
  },
} satisfies MachineInstructions;
