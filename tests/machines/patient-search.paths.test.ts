import { expect, it } from 'vitest';
import {
  type PatientSearchActor,
  patientSearchMachine,
  selectHits,
} from '../../src/machines/patient-search/patient-search.machine.ts';
import { mayAsk } from '../../src/machines/patient-search/patient-search.rules.ts';
import { done, failed, type Model, offline } from '../paths.ts';
import { walkAll } from '../replay.ts';

type Snapshot = ReturnType<PatientSearchActor['getSnapshot']>;

const patient = { id: '3c7d2c0c-7f8d-4c37-8e0f-7f3d5b1c9a03' };

const model: Model = {
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
    { type: 'all.wanted' },
    { type: 'clinic.changed', clinicId: null },
    done('searchPatients', { hits: [patient], totalCount: 12, isTotalExact: true }),
    done('searchPatients', { hits: [], totalCount: 0, isTotalExact: true }),
    failed('searchPatients', offline),
  ],
  facts: ({ context }) => ({
    clinicId: context.clinicId,
    text: context.text,
    hits: context.found?.hits.length,
    failure: context.failure?.kind,
  }),
  invariants: (raw, path) => {
    const snapshot = raw as Snapshot;
    const way = path.steps.map(({ event }) => event.type).join(' -> ');
    // Nobody is asked about a text that is too short, or without a clinic.
    if (snapshot.matches('typing') || snapshot.matches('searching')) {
      expect(mayAsk(snapshot.context.text), way).toBe(true);
      expect(snapshot.context.clinicId, way).not.toBeNull();
    }
    expect('searchPatients' in snapshot.children, way).toBe(snapshot.matches('searching'));
    if (snapshot.matches('hits')) expect(selectHits(snapshot).length, way).toBeGreaterThan(0);
    if (snapshot.matches('idle') || snapshot.matches('nothing') || snapshot.matches('failed'))
      expect(selectHits(snapshot), way).toEqual([]);
    expect(snapshot.matches('failed'), way).toBe(snapshot.context.failure !== null);
  },
};

it('walks every transition of the search box', () =>
  walkAll([model], {
    check: ({ told }, path) => {
      const wishes = path.steps.filter(
        ({ event }) => event.type === 'hit.picked' || event.type === 'all.wanted',
      ).length;
      expect(told.filter(({ type }) => type === 'place.wanted')).toHaveLength(wishes);
    },
  }));
