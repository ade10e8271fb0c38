import type { ConnectionEvent } from '../../../src/machines/connection/connection.machine.ts';
import {
  byHand,
  type EventInstructions,
  follows,
  type MachineInstructions,
  onlyAutomated,
  withTerminal,
} from './instruction.ts';

export const connection = {
  events: {
    'connection.opened': byHand(
      'Start the archive if it is stopped. Otherwise do nothing: the connection opens after sign-in.',
    ),
    'connection.lost': withTerminal('Stop the archive (Ctrl + C).'),
    'connection.closed': withTerminal(
      'Stop the archive (Ctrl + C) if it runs, and wait ten seconds, until all attempts have failed.',
    ),
    'hub-event.received': byHand('In another browser, sign in to the same clinic and start an import.'),
    'retry.requested': onlyAutomated('The program retries by itself; no control requests an attempt.'),
  } satisfies EventInstructions<ConnectionEvent>,
  replies: {
    'listenToHub unexpected': onlyAutomated('The program reports a lost connection by other events.'),
  },
} satisfies MachineInstructions;

/** For machines that are notified when the connection is back. */
export const restored = withTerminal(
  'Stop the archive (Ctrl + C), wait until the page reports it, and start it again.',
);

/** For hub events about something that happens in the archive. */
export const reported = follows('the archive reports it while it works on the import.');
