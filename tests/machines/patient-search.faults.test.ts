import { patientSearchMachine } from '../../src/machines/patient-search/patient-search.machine.ts';
import { done, failed, offline } from '../paths.ts';
import { rulesOf } from './rules-of.ts';

const typed = (text: string) => ({ type: 'text.changed', text });
const cleared = { type: 'search.cleared' };
const retried = { type: 'search.retried' };
const all = { type: 'all.wanted' };
const picked = { type: 'hit.picked', patientId: 'patient-1' };
const elsewhere = { type: 'clinic.changed', clinicId: 'clinic-2' };
const nowhere = { type: 'clinic.changed', clinicId: null };
const anna = { hits: [{ id: 'patient-1' }], totalCount: 12, isTotalExact: true };
const nobody = { hits: [], totalCount: 0, isTotalExact: true };

const found = [typed('anna'), 500, done('searchPatients', anna)];
const none = [typed('anna'), 500, done('searchPatients', nobody)];
const broken = [typed('anna'), 500, failed('searchPatients', offline)];

const askForAnna = ['searchPatients', { clinicId: 'clinic-1', text: 'anna' }] as const;
const toPatient = { type: 'place.wanted', place: '/patient/patient-1' };
const toHits = { type: 'place.wanted', place: '/?q=anna' };

rulesOf(
  { machine: patientSearchMachine, input: { clinicId: 'clinic-1' } },
  {
    'asks nothing before somebody types enough, in a clinic': [
      [[], 'idle', { learns: { clinicId: 'clinic-1', text: '', found: null, failure: null } }],
      [[typed('a')], 'idle', { learns: { text: 'a' } }],
      [[typed('anna')], 'typing', { learns: { text: 'anna' } }],
      [[nowhere, typed('anna')], 'idle', { learns: { text: 'anna' } }],
      [[typed('anna'), typed('a')], 'idle', { learns: { text: 'a' } }],
      [[...found, typed('a')], 'idle', { learns: { text: 'a', found: null } }],
    ],
    'asks half a second after the last letter': [
      [[typed('anna'), 499], 'typing'],
      [[typed('anna'), 500], 'searching', { asks: [askForAnna] }],
      [[typed('anna'), 400, typed('annab'), 499], 'typing'],
      [
        [typed('anna'), 400, typed('annab'), 500],
        'searching',
        { asks: [['searchPatients', { clinicId: 'clinic-1', text: 'annab' }]] },
      ],
      [[typed('anna'), typed('anna ')], 'typing', { learns: { text: 'anna ' } }],
      [[typed('anna'), 400, typed('anna '), 100], 'searching', { asks: [askForAnna] }],
      [[...found, typed('anna ')], 'hits', { learns: { text: 'anna ' } }],
      [[typed('anna'), 500, typed('annab')], 'typing', { learns: { text: 'annab' } }],
    ],
    'shows who was found, that nobody was, or that there was no answer': [
      [found, 'hits', { learns: { found: anna } }],
      [none, 'nothing'],
      [broken, 'failed', { learns: { failure: { kind: 'offline' } } }],
      [[...broken, retried], 'searching', { asks: [askForAnna], learns: { failure: null } }],
      [[...found, retried], 'hits'],
      [[...broken, retried, done('searchPatients', anna)], 'hits', { learns: { found: anna } }],
    ],
    'keeps the last hits while the next question is on its way, and no longer': [
      [
        [...found, typed('bertil'), 500],
        'searching',
        { asks: [['searchPatients', { clinicId: 'clinic-1', text: 'bertil' }]] },
      ],
      [[...found, typed('bertil'), 500, done('searchPatients', nobody)], 'nothing', { learns: { found: null } }],
      [
        [...found, typed('bertil'), 500, failed('searchPatients', offline)],
        'failed',
        { learns: { found: null, failure: offline } },
      ],
      [
        [...broken, typed('bertil'), 500],
        'searching',
        { asks: [['searchPatients', { clinicId: 'clinic-1', text: 'bertil' }]], learns: { failure: null } },
      ],

      [[...found, typed('bertil')], 'typing', { learns: { text: 'bertil' } }],
      [[...broken, typed('bertil')], 'typing', { learns: { text: 'bertil' } }],
      [[...none, typed('bertil')], 'typing', { learns: { text: 'bertil' } }],
    ],
    'forgets everything when it is cleared': [
      [[...found, cleared], 'idle', { learns: { text: '', found: null } }],
      [[...broken, cleared], 'idle', { learns: { text: '', failure: null } }],
      [[typed('anna'), cleared], 'idle', { learns: { text: '' } }],
      [[typed('anna'), 500, cleared], 'idle', { learns: { text: '' } }],
    ],
    'leads to the patient who was picked, and to all hits of what is typed': [
      [[...found, picked], 'idle', { told: [toPatient], learns: { text: '', found: null } }],
      [[typed('anna'), picked], 'idle', { told: [toPatient], learns: { text: '' } }],
      [[...none, picked], 'idle', { told: [toPatient], learns: { text: '' } }],
      [[typed('anna'), all], 'typing', { told: [toHits] }],
      [[...found, all], 'hits', { told: [toHits] }],
      [[all], 'idle'],
      [[typed(' '), all], 'idle'],
    ],
    'begins anew in another clinic': [
      [[elsewhere], 'idle', { learns: { clinicId: 'clinic-2' } }],
      [[...found, elsewhere], 'idle', { learns: { clinicId: 'clinic-2', text: '', found: null } }],
      [[...broken, nowhere], 'idle', { learns: { clinicId: null, text: '', failure: null } }],
      [[typed('anna'), 500, elsewhere], 'idle', { learns: { clinicId: 'clinic-2', text: '' } }],
    ],
  },
);
