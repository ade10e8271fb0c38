import { type ActorRefFrom, assign, emit, type SnapshotFrom, setup } from 'xstate';
import { searchDebounceMs } from '../../../contract/bounds.ts';
import type { Patient } from '../../../contract/patients.ts';
import { type Failure, failureOf } from '../../services/failure.ts';
import type { AppEvent } from '../app/app.events.ts';
import { port } from '../port.ts';
import { canSearch, countOf, type Found, patientPath, queryOf, searchPath } from './patient-search.rules.ts';

export type PatientSearchEvent =
  | { type: 'text.changed'; text: string }
  | { type: 'search.cleared' }
  | { type: 'search.retried' }
  | { type: 'hit.picked'; patientId: string }
  /** Enter, or the row "show all". */
  | { type: 'all-hits.requested' }
  | { type: 'clinic.changed'; clinicId: string | null };

interface PatientSearchContext {
  clinicId: string | null;
  text: string;
  found: Found | null;
  failure: Failure | null;
}

const noHits: readonly Patient[] = [];

/** The search box of the header. Leaving `searching` cancels the request, so a late reply never replaces a newer one. */
export const patientSearchMachine = setup({
  types: {
    context: {} as PatientSearchContext,
    events: {} as PatientSearchEvent,
    emitted: {} as AppEvent,
    input: {} as { clinicId: string | null },
  },
  actors: { searchPatients: port<Found, { clinicId: string; text: string }>('searchPatients') },
  guards: {
    searchable: ({ context }, text: string) => context.clinicId !== null && canSearch(text),
    sameQuery: ({ context }, text: string) => queryOf(text) === queryOf(context.text),
    anyText: ({ context }) => queryOf(context.text) !== '',
    anyHits: (_, found: Found) => found.hits.length > 0,
  },
  actions: {
    setText: assign({ text: (_, text: string) => text }),
    clearAll: assign({ text: '', found: null, failure: null }),
    requestNavigation: emit((_, path: string): AppEvent => ({ type: 'navigation.requested', path })),
  },
  delays: { debounce: searchDebounceMs },
}).createMachine({
  id: 'patient-search',
  context: ({ input }) => ({ clinicId: input.clinicId, text: '', found: null, failure: null }),
  initial: 'idle',
  on: {
    'text.changed': [
      {
        guard: { type: 'sameQuery', params: ({ event }) => event.text },
        actions: { type: 'setText', params: ({ event }) => event.text },
      },
      {
        guard: { type: 'searchable', params: ({ event }) => event.text },
        target: '.typing',
        reenter: true,
        actions: { type: 'setText', params: ({ event }) => event.text },
      },
      { target: '.idle', actions: { type: 'setText', params: ({ event }) => event.text } },
    ],
    'search.cleared': { target: '.idle', actions: 'clearAll' },
    'clinic.changed': { target: '.idle', actions: ['clearAll', assign({ clinicId: ({ event }) => event.clinicId })] },
    'hit.picked': {
      target: '.idle',
      actions: [{ type: 'requestNavigation', params: ({ event }) => patientPath(event.patientId) }, 'clearAll'],
    },
    'all-hits.requested': {
      guard: 'anyText',
      actions: { type: 'requestNavigation', params: ({ context }) => searchPath(context.text) },
    },
  },
  states: {
    idle: { entry: assign({ found: null, failure: null }) },
    typing: { after: { debounce: 'searching' } },
    searching: {
      entry: assign({ failure: null }),
      invoke: {
        id: 'searchPatients',
        src: 'searchPatients',
        input: ({ context }) => ({ clinicId: context.clinicId ?? '', text: queryOf(context.text) }),
        onDone: [
          {
            guard: { type: 'anyHits', params: ({ event }) => event.output },
            target: 'hits',
            actions: assign({ found: ({ event }) => event.output }),
          },
          { target: 'nothing', actions: assign({ found: ({ event }) => event.output }) },
        ],
        onError: { target: 'failed', actions: assign({ failure: ({ event }) => failureOf(event.error), found: null }) },
      },
    },
    hits: {},
    nothing: {},
    failed: { on: { 'search.retried': 'searching' } },
  },
});

export type PatientSearchActor = ActorRefFrom<typeof patientSearchMachine>;
type PatientSearchSnapshot = SnapshotFrom<typeof patientSearchMachine>;

export const selectSearchState = (
  snapshot: PatientSearchSnapshot,
): 'idle' | 'typing' | 'searching' | 'hits' | 'nothing' | 'failed' => snapshot.value;
export const selectText = (snapshot: PatientSearchSnapshot): string => snapshot.context.text;
/** Returns the hits of the last reply; they stay while the next request runs. */
export const selectHits = (snapshot: PatientSearchSnapshot): readonly Patient[] =>
  snapshot.context.found?.hits ?? noHits;
/** Returns patients with similar names; empty where enough match. */
export const selectSimilar = (snapshot: PatientSearchSnapshot): readonly Patient[] =>
  snapshot.context.found?.similar ?? noHits;
export const selectTotalCount = (snapshot: PatientSearchSnapshot): number => snapshot.context.found?.totalCount ?? 0;
export const selectIsTotalExact = (snapshot: PatientSearchSnapshot): boolean =>
  snapshot.context.found?.isTotalExact ?? true;
/** Returns whether the text is long enough but has only single letters, which are not searched. */
export const selectNeedsLongerWord = (snapshot: PatientSearchSnapshot): boolean => {
  const { typed, needed } = countOf(snapshot.context.text);
  return typed >= needed && !canSearch(snapshot.context.text);
};
export const selectTypedCount = (snapshot: PatientSearchSnapshot): number => countOf(snapshot.context.text).typed;
export const selectNeededCount = (snapshot: PatientSearchSnapshot): number => countOf(snapshot.context.text).needed;
export const selectSearchFailure = (snapshot: PatientSearchSnapshot): Failure | null => snapshot.context.failure;
