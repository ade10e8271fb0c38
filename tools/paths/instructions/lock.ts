import type { EventFromLogic } from 'xstate';
import type { lockMachine } from '../../../src/machines/lock/lock.machine.ts';
import {
  automatic,
  blocked,
  byHand,
  type EventInstructions,
  label,
  type MachineInstructions,
  withTestServers,
} from './instruction.ts';

export const lock = {
  events: {
    'lock.requested': byHand(`Open ${label('shell:account')} and press ${label('account:lock')}.`),
    'input.idle': byHand(
      'Before: set the idle time in the sign-in rules of the clinic to one minute and sign in again. Touch neither mouse nor keyboard for a minute.',
    ),
    'session.locked': byHand(`In another tab: open ${label('shell:account')} and press ${label('account:lock')}.`),
    'session.unlocked': byHand(`In another tab: enter the password or the PIN and press ${label('account:unlock')}.`),
    'unlock.submitted': byHand(
      `Enter the password, or the PIN that was set in ${label('shell:account')}, and press ${label('account:unlock')}; or press ${label('account:usePasskey')} or ${label('account:useBankId')}.`,
    ),
  } satisfies EventInstructions<EventFromLogic<typeof lockMachine>>,
  replies: {
    'lockSession done': automatic,
    'lockSession offline': blocked('*/api/Account/lock'),
    'unlockSession done': automatic,
    'unlockSession incorrect-password': byHand('Before the previous step: enter a wrong password.'),
    'unlockSession incorrect-pin': byHand('Before the previous step: set a PIN, and enter a wrong one.'),
    'unlockSession incorrect-bankid': withTestServers(
      `Before the previous step: press ${label('account:useBankId')}, and choose another person on the page of the BankID app.`,
    ),
    'unlockSession pin-unavailable': byHand(
      'Before the previous step: set a PIN, and enter a wrong one for the fifth time.',
    ),
    'unlockSession sign-in-cancelled': byHand('Cancel the dialog of the browser that asks for the passkey.'),
    'unlockSession offline': blocked('*/api/Account/unlock'),
  },
} satisfies MachineInstructions;
