import { setup } from 'xstate';

export type RecycleBinEvent =
  | { type: 'wants to delete' }
  | { type: 'thinks better of it' }
  | { type: 'deletes' }
  | { type: 'takes it back' }
  | { type: 'begins anew' }
  | { type: 'opens the bin' }
  | { type: 'opens the list' }
  | { type: 'restores' };

/** A patient who is deleted by mistake, and found again: in the list, asked about, gone, in the bin, brought back. */
export const recycleBin = setup({ types: { events: {} as RecycleBinEvent } }).createMachine({
  id: 'recycle-bin',
  initial: 'in the list',
  states: {
    'in the list': {
      tags: 'home',
      on: { 'wants to delete': 'asked', 'begins anew': 'in the list', 'opens the bin': 'not in the bin' },
    },
    asked: { on: { 'thinks better of it': 'in the list', deletes: 'just deleted' } },
    'just deleted': {
      on: { 'takes it back': 'in the list', 'begins anew': 'gone from the list', 'opens the bin': 'in the bin' },
    },
    'gone from the list': { on: { 'opens the bin': 'in the bin' } },
    'in the bin': {
      on: { restores: 'not in the bin', 'begins anew': 'in the bin', 'opens the list': 'gone from the list' },
    },
    'not in the bin': { on: { 'opens the list': 'in the list' } },
  },
});
