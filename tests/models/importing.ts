import { setup } from 'xstate';

export type ImportingEvent =
  | { type: 'drops images of another patient' }
  | { type: 'drops a broken file' }
  | { type: 'reloads the page' }
  | { type: 'cancels' }
  | { type: 'keeps the import' }
  | { type: 'confirms the cancellation' }
  | { type: 'confirms the patient' }
  | { type: 'imports' }
  | { type: 'removes it from the list' };

/** Model of a journey: files of another patient, which need a decision, and files that are not images. */
export const importing = setup({ types: { events: {} as ImportingEvent } }).createMachine({
  id: 'importing',
  initial: 'patient page',
  states: {
    'patient page': {
      tags: 'home',
      on: {
        'drops images of another patient': 'undecided',
        'drops a broken file': 'failed',
        'reloads the page': 'patient page',
      },
    },
    undecided: {
      on: {
        cancels: 'confirming the cancellation',
        'confirms the patient': 'decided',
        'reloads the page': 'undecided',
      },
    },
    'confirming the cancellation': {
      on: { 'keeps the import': 'undecided', 'confirms the cancellation': 'patient page' },
    },
    decided: { on: { imports: 'imported', 'reloads the page': 'decided' } },
    imported: { on: { 'removes it from the list': 'patient page' } },
    failed: { on: { 'removes it from the list': 'patient page' } },
  },
});
