import type { AppEvent } from '../../../src/machines/app/app.events.ts';
import { restored } from './connection.ts';
import { byHand, type EventInstructions, follows, label, type MachineInstructions, slowly } from './instruction.ts';

export const app = {
  events: {
    'path.entered': byHand(
      'Enter the path in the address bar, after the address of the program, or follow a link to it.',
    ),
    'navigation.requested': byHand(`Choose a hit in ${label('search:box')}, or choose another clinic.`),
    'session.settled': follows('the program finds out whether a user is signed in.'),
    'session.opened': byHand(`Sign in: enter e-mail and password and press ${label('sign-in:submit')}.`),
    'session.closed': byHand(`Press ${label('header:signOut')} and confirm with ${label('account:signOut')}.`),
    'clinic.changed': byHand(
      `As a super administrator: open ${label('header:clinics')}, choose a clinic and press ${label('clinics:work')}.`,
    ),
    'hub-event.received': byHand('In another browser, sign in to the same clinic and start an import.'),
    'connection.restored': restored,
  } satisfies EventInstructions<AppEvent>,
  replies: {},
  delays: { spinnerDelay: slowly },
} satisfies MachineInstructions;
