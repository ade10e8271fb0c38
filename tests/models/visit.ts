import { setup } from 'xstate';

export type VisitEvent =
  | { type: 'enters a wrong password' }
  | { type: 'signs in' }
  | { type: 'finds a patient' }
  | { type: 'opens an image' }
  | { type: 'goes back' }
  | { type: 'signs out' }
  | { type: 'returns' };

/** Model of a journey: sign-in, search, patient, image, sign-out. */
export const visit = setup({ types: { events: {} as VisitEvent } }).createMachine({
  id: 'visit',
  initial: 'sign-in page',
  states: {
    'sign-in page': { on: { 'enters a wrong password': 'rejected', 'signs in': 'search page' } },
    rejected: { on: { 'signs in': 'search page' } },
    'search page': { on: { 'finds a patient': 'patient page', 'signs out': 'signed out' } },
    'patient page': { on: { 'opens an image': 'viewer', 'signs out': 'signed out' } },
    viewer: { on: { 'goes back': 'patient page', 'signs out': 'signed out' } },
    'signed out': { tags: 'home', on: { returns: 'sign-in page' } },
  },
});
