import { setup } from 'xstate';

export type MountingEvent =
  | { type: 'takes an image down' }
  | { type: 'hangs it up' }
  | { type: 'looks closer' }
  | { type: 'steps back' }
  | { type: 'turns an image' }
  | { type: 'turns it back' }
  | { type: 'begins anew' };

/** A mount: as it hung, with one image in the tray, one turned, one in full size. Nothing is lost by a reload. */
export const mounting = setup({ types: { events: {} as MountingEvent } }).createMachine({
  id: 'mounting',
  initial: 'as it hung',
  states: {
    'as it hung': {
      tags: 'home',
      on: {
        'takes an image down': 'one in the tray',
        'looks closer': 'one image',
        'turns an image': 'one turned',
        'begins anew': 'as it hung',
      },
    },
    'one in the tray': { on: { 'hangs it up': 'as it hung', 'begins anew': 'one in the tray' } },
    'one image': { on: { 'steps back': 'as it hung', 'begins anew': 'one image' } },
    'one turned': { on: { 'turns it back': 'as it hung', 'begins anew': 'one turned' } },
  },
});
