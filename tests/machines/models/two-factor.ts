import { twoFactorMachine } from '../../../src/machines/two-factor/two-factor.machine.ts';
import { done, failed, type Model, offline, refused } from '../../paths.ts';

const key = { sharedKey: 'JBSWY3DPEHPK3PXP', authenticatorUri: 'otpauth://totp/Dentarium:a?secret=JBSWY3DPEHPK3PXP' };
const codes = ['aaaa-bbbb', 'cccc-dddd'];

const model = (goal: 'turn-on' | 'turn-off'): Model => ({
  name: goal === 'turn-on' ? 'turning on' : 'turning off',
  machine: twoFactorMachine,
  input: { goal },
  events: [
    { type: 'key.stored' },
    { type: 'key.requested' },
    { type: 'setup.retried' },
    { type: 'code.submitted', code: '123 456' },
    { type: 'code.submitted', code: ' ' },
    { type: 'confirmation.changed', confirmed: true },
    { type: 'confirmation.changed', confirmed: false },
    { type: 'codes.finished' },
    { type: 'disabling.requested' },
    { type: 'wizard.left' },
    done('setUp', key),
    failed('setUp', refused('conflict')),
    done('verify', codes),
    failed('verify', refused('incorrect-code')),
    failed('verify', offline),
    done('disable'),
    failed('disable', refused('incorrect-code')),
    failed('disable', offline),
    done('fetchStatus', true),
    done('fetchStatus', false),
    failed('fetchStatus', offline),
  ],
  facts: ({ context }) => ({
    goal: context.goal,
    key: context.key !== null,
    codes: context.recoveryCodes.length,
    failure: context.failure?.kind,
  }),
});

export const turningOn = model('turn-on');
export const turningOff = model('turn-off');
