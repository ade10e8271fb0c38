import { setup } from 'xstate';

export type RecycleBinEvent =
  | { type: 'requests deletion' }
  | { type: 'cancels' }
  | { type: 'confirms' }
  | { type: 'undoes the deletion' }
  | { type: 'reloads the page' }
  | { type: 'opens the recycle bin' }
  | { type: 'opens the list' }
  | { type: 'restores' };

/**
 * Model of an end-to-end test: a patient is deleted, and the deletion is undone or the patient restored from the recycle bin. Walks begin and end in
 * the state tagged `home`.
 */
export const recycleBin = setup({ types: { events: {} as RecycleBinEvent } }).createMachine({
  id: 'recycle-bin',
  initial: 'list with the patient',
  states: {
    'list with the patient': {
      tags: 'home',
      on: {
        'requests deletion': 'confirming',
        'reloads the page': 'list with the patient',
        'opens the recycle bin': 'recycle bin without the patient',
      },
    },
    confirming: { on: { cancels: 'list with the patient', confirms: 'just deleted' } },
    'just deleted': {
      on: {
        'undoes the deletion': 'list with the patient',
        'reloads the page': 'list without the patient',
        'opens the recycle bin': 'recycle bin with the patient',
      },
    },
    'list without the patient': { on: { 'opens the recycle bin': 'recycle bin with the patient' } },
    'recycle bin with the patient': {
      on: {
        restores: 'recycle bin without the patient',
        'reloads the page': 'recycle bin with the patient',
        'opens the list': 'list without the patient',
      },
    },
    'recycle bin without the patient': { on: { 'opens the list': 'list with the patient' } },
  },
});
