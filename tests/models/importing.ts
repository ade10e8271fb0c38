import { setup } from 'xstate';

export type ImportingEvent =
  | { type: 'drops images of somebody else' }
  | { type: 'drops a broken file' }
  | { type: 'begins anew' }
  | { type: 'calls it off' }
  | { type: 'keeps it' }
  | { type: 'is sure to call it off' }
  | { type: 'says whose it is' }
  | { type: 'imports it' }
  | { type: 'takes it off the list' };

/** Files that name another patient than the one they are dropped on, and files that are none. */
export const importing = setup({ types: { events: {} as ImportingEvent } }).createMachine({
  id: 'importing',
  initial: 'with a patient',
  states: {
    'with a patient': {
      tags: 'home',
      on: {
        'drops images of somebody else': 'asked',
        'drops a broken file': 'refused',
        'begins anew': 'with a patient',
      },
    },
    asked: { on: { 'calls it off': 'calling off', 'says whose it is': 'decided', 'begins anew': 'asked' } },
    'calling off': { on: { 'keeps it': 'asked', 'is sure to call it off': 'with a patient' } },
    decided: { on: { 'imports it': 'imported', 'begins anew': 'decided' } },
    imported: { on: { 'takes it off the list': 'with a patient' } },
    refused: { on: { 'takes it off the list': 'with a patient' } },
  },
});
