import { setup } from 'xstate';

export type VisitEvent =
  | { type: 'gives a wrong password' }
  | { type: 'signs in' }
  | { type: 'finds a patient' }
  | { type: 'opens an image' }
  | { type: 'goes back' }
  | { type: 'signs out' }
  | { type: 'comes again' };

/** A visit in the person's words: at the door, inside, with a patient, reading an image. */
export const visit = setup({ types: { events: {} as VisitEvent } }).createMachine({
  id: 'visit',
  initial: 'at the door',
  states: {
    'at the door': { on: { 'gives a wrong password': 'refused', 'signs in': 'inside' } },
    refused: { on: { 'signs in': 'inside' } },
    inside: { on: { 'finds a patient': 'with a patient', 'signs out': 'outside' } },
    'with a patient': { on: { 'opens an image': 'reading', 'signs out': 'outside' } },
    reading: { on: { 'goes back': 'with a patient', 'signs out': 'outside' } },
    outside: { tags: 'home', on: { 'comes again': 'at the door' } },
  },
});
