import { expect, it } from 'vitest';
import { type PatientSearchActor, selectHits } from '../../src/machines/patient-search/patient-search.machine.ts';
import { canSearch } from '../../src/machines/patient-search/patient-search.rules.ts';
import { type Invariants, walkAll } from '../replay.ts';
import { patientSearch } from './models/patient-search.ts';

type Snapshot = ReturnType<PatientSearchActor['getSnapshot']>;

const invariants: Invariants = (raw, path) => {
  const snapshot = raw as Snapshot;
  const label = path.steps.map(({ event }) => event.type).join(' -> ');
  // No search for a text that is too short, or without a clinic.
  if (snapshot.matches('typing') || snapshot.matches('searching')) {
    expect(canSearch(snapshot.context.text), label).toBe(true);
    expect(snapshot.context.clinicId, label).not.toBeNull();
  }
  expect('searchPatients' in snapshot.children, label).toBe(snapshot.matches('searching'));
  if (snapshot.matches('hits')) expect(selectHits(snapshot).length, label).toBeGreaterThan(0);
  if (snapshot.matches('idle') || snapshot.matches('nothing') || snapshot.matches('failed'))
    expect(selectHits(snapshot), label).toEqual([]);
  expect(snapshot.matches('failed'), label).toBe(snapshot.context.failure !== null);
};

it('walks every transition of the search box', () =>
  walkAll([{ ...patientSearch, invariants }], {
    check: ({ emitted }, path) => {
      const requests = path.steps.filter(
        ({ event }) => event.type === 'hit.picked' || event.type === 'all-hits.requested',
      ).length;
      expect(emitted.filter(({ type }) => type === 'navigation.requested')).toHaveLength(requests);
    },
  }));
