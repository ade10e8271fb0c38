import { expect, it } from 'vitest';
import { type PatientSearchActor, selectHits } from '../../src/machines/patient-search/patient-search.machine.ts';
import { mayAsk } from '../../src/machines/patient-search/patient-search.rules.ts';
import { type Invariants, walkAll } from '../replay.ts';
import { patientSearch } from './models/patient-search.ts';

type Snapshot = ReturnType<PatientSearchActor['getSnapshot']>;

const invariants: Invariants = (raw, path) => {
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
};

it('walks every transition of the search box', () =>
  walkAll([{ ...patientSearch, invariants }], {
    check: ({ told }, path) => {
      const wishes = path.steps.filter(
        ({ event }) => event.type === 'hit.picked' || event.type === 'all.wanted',
      ).length;
      expect(told.filter(({ type }) => type === 'place.wanted')).toHaveLength(wishes);
    },
  }));
