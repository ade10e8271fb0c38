import { patientSearchMachine } from '../../src/machines/patient-search/patient-search.machine.ts';
import { done, failed, offline } from '../paths.ts';
import { rulesOf } from './rules-of.ts';

const typed = (text: string) => ({ type: 'text.changed', text });
const cleared = { type: 'search.cleared' };
const retried = { type: 'search.retried' };
const all = { type: 'all-hits.requested' };
const picked = { type: 'hit.picked', patientId: 'patient-1' };
const elsewhere = { type: 'clinic.changed', clinicId: 'clinic-2' };
const nowhere = { type: 'clinic.changed', clinicId: null };
const anna = { hits: [{ id: 'patient-1' }], similar: [], totalCount: 12, isTotalExact: true };
const noHits = { hits: [], similar: [{ id: 'patient-2' }], totalCount: 0, isTotalExact: true };

const found = [typed('anna'), 500, done('searchPatients', anna)];
const none = [typed('anna'), 500, done('searchPatients', noHits)];
const broken = [typed('anna'), 500, failed('searchPatients', offline)];

const searchAnna = ['searchPatients', { clinicId: 'clinic-1', text: 'anna' }] as const;
const toPatient = { type: 'navigation.requested', path: '/patient/patient-1' };
const toHits = { type: 'navigation.requested', path: '/?q=anna' };

rulesOf(
  { machine: patientSearchMachine, input: { clinicId: 'clinic-1' } },
  {
    'requests nothing before enough letters are typed, in a clinic': [
      [[], 'idle', { learns: { clinicId: 'clinic-1', text: '', found: null, failure: null } }],
      [[typed('a')], 'idle', { learns: { text: 'a' } }],
      [[typed('anna')], 'typing', { learns: { text: 'anna' } }],
      [[nowhere, typed('anna')], 'idle', { learns: { text: 'anna' } }],
      [[typed('anna'), typed('a')], 'idle', { learns: { text: 'a' } }],
      [[...found, typed('a')], 'idle', { learns: { text: 'a', found: null } }],
    ],
    'searches half a second after the last letter': [
      [[typed('anna'), 499], 'typing'],
      [[typed('anna'), 500], 'searching', { calls: [searchAnna] }],
      [[typed('anna'), 400, typed('annab'), 499], 'typing'],
      [
        [typed('anna'), 400, typed('annab'), 500],
        'searching',
        { calls: [['searchPatients', { clinicId: 'clinic-1', text: 'annab' }]] },
      ],
      [[typed('anna'), typed('anna ')], 'typing', { learns: { text: 'anna ' } }],
      [[typed('anna'), 400, typed('anna '), 100], 'searching', { calls: [searchAnna] }],
      [[...found, typed('anna ')], 'hits', { learns: { text: 'anna ' } }],
      [[typed('anna'), 500, typed('annab')], 'typing', { learns: { text: 'annab' } }],
    ],
    'shows the hits, an empty result, or a failure': [
      [found, 'hits', { learns: { found: anna } }],
      [none, 'nothing', { learns: { found: noHits } }],
      [broken, 'failed', { learns: { failure: { kind: 'offline' } } }],
      [[...broken, retried], 'searching', { calls: [searchAnna], learns: { failure: null } }],
      [[...found, retried], 'hits'],
      [[...broken, retried, done('searchPatients', anna)], 'hits', { learns: { found: anna } }],
    ],
    'keeps the last hits until the next reply': [
      [
        [...found, typed('bertil'), 500],
        'searching',
        { calls: [['searchPatients', { clinicId: 'clinic-1', text: 'bertil' }]] },
      ],
      [[...found, typed('bertil'), 500, done('searchPatients', noHits)], 'nothing', { learns: { found: noHits } }],
      [
        [...found, typed('bertil'), 500, failed('searchPatients', offline)],
        'failed',
        { learns: { found: null, failure: offline } },
      ],
      [
        [...broken, typed('bertil'), 500],
        'searching',
        { calls: [['searchPatients', { clinicId: 'clinic-1', text: 'bertil' }]], learns: { failure: null } },
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
    'opens the chosen patient, or the page with all hits': [
      [[...found, picked], 'idle', { emitted: [toPatient], learns: { text: '', found: null } }],
      [[typed('anna'), picked], 'idle', { emitted: [toPatient], learns: { text: '' } }],
      [[...none, picked], 'idle', { emitted: [toPatient], learns: { text: '', found: null } }],
      [[typed('anna'), all], 'typing', { emitted: [toHits] }],
      [[...found, all], 'hits', { emitted: [toHits] }],
      [[all], 'idle'],
      [[typed(' '), all], 'idle'],
    ],
    'restarts in another clinic': [
      [[elsewhere], 'idle', { learns: { clinicId: 'clinic-2' } }],
      [[...found, elsewhere], 'idle', { learns: { clinicId: 'clinic-2', text: '', found: null } }],
      [[...broken, nowhere], 'idle', { learns: { clinicId: null, text: '', failure: null } }],
      [[typed('anna'), 500, elsewhere], 'idle', { learns: { clinicId: 'clinic-2', text: '' } }],
    ],
  },
);
