import type { EventFromLogic } from 'xstate';
import type { twoFactorMachine } from '../../../src/machines/two-factor/two-factor.machine.ts';
import {
  automatic,
  blocked,
  byHand,
  type EventInstructions,
  label,
  type MachineInstructions,
  withProxy,
} from './instruction.ts';

const verify = '*/auth/api/tfa/verify';
const disable = '*/auth/api/tfa/disable';
const status = '*/api/Account/info*';
const wrongCode = byHand('Before the previous step: enter a wrong code.');

export const twoFactor = {
  events: {
    'key.stored': byHand(`Scan the QR code with an authenticator app and press ${label('two-factor:next')}.`),
    'key.requested': byHand(`Press ${label('two-factor:back')}.`),
    'setup.retried': byHand(`Press ${label('shell:retry')}.`),
    'code.submitted': ({ code }) =>
      byHand(
        code.trim() === ''
          ? `Leave the field for the code empty and press ${label('two-factor:turnOn')} or ${label('two-factor:turnOff')}.`
          : `Enter the code of the authenticator app and press ${label('two-factor:turnOn')} or ${label('two-factor:turnOff')}.`,
      ),
    'confirmation.changed': ({ confirmed }) =>
      byHand(`${confirmed ? 'Tick' : 'Clear'} the box ${label('two-factor:haveSaved')}.`),
    'codes.finished': byHand(`Press ${label('two-factor:finish')}.`),
    'disabling.requested': byHand(`Press ${label('two-factor:turnOff')}.`),
    'wizard.left': byHand(`Close the window with ${label('shell:close')} or the Escape key.`),
  } satisfies EventInstructions<EventFromLogic<typeof twoFactorMachine>>,
  replies: {
    'setUp done': byHand(`Open ${label('shell:account')} and press ${label('account:setUp')}. The key is shown.`),
    'setUp conflict': byHand(
      'Before the previous step: turn on two-factor authentication for the same user in another browser.',
    ),
    'verify done': automatic,
    'verify incorrect-code': wrongCode,
    'verify offline': blocked(verify),
    'disable done': automatic,
    'disable incorrect-code': wrongCode,
    'disable offline': blocked(disable),
    'fetchStatus done': withProxy(
      `Before the code is submitted: if the change has been made according to the reply (on when turning on, off when turning off), let the proxy pass ${verify} or ${disable} to the archive and drop the reply. Otherwise let it drop the request.`,
    ),
    'fetchStatus offline': blocked(`${status} as well`),
  },
} satisfies MachineInstructions;
