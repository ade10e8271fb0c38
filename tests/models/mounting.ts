import { setup } from 'xstate';

export type MountingEvent =
  | { type: 'unmounts an image' }
  | { type: 'mounts it again' }
  | { type: 'opens an image' }
  | { type: 'returns to the mount' }
  | { type: 'rotates an image' }
  | { type: 'resets the rotation' }
  | { type: 'reloads the page' };

/** Model of a journey: a mount whose images are unmounted, rotated and opened. Every state survives a reload. */
export const mounting = setup({ types: { events: {} as MountingEvent } }).createMachine({
  id: 'mounting',
  initial: 'all mounted',
  states: {
    'all mounted': {
      tags: 'home',
      on: {
        'unmounts an image': 'one image in the tray',
        'opens an image': 'one image open',
        'rotates an image': 'one image rotated',
        'reloads the page': 'all mounted',
      },
    },
    'one image in the tray': { on: { 'mounts it again': 'all mounted', 'reloads the page': 'one image in the tray' } },
    'one image open': { on: { 'returns to the mount': 'all mounted', 'reloads the page': 'one image open' } },
    'one image rotated': { on: { 'resets the rotation': 'all mounted', 'reloads the page': 'one image rotated' } },
  },
});
