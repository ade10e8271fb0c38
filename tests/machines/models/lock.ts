import { lockMachine } from '../../../src/machines/lock/lock.machine.ts';
import { done, failed, type Model, offline, refused } from '../../paths.ts';

const accountId = '0d3c1b1e-93c2-4a79-8a54-6a4f9d4a2c02';

const model = (isLocked: boolean): Model => ({
  name: isLocked ? 'locked before' : 'locking',
  machine: lockMachine,
  input: { accountId, isLocked, idleMinutes: 10 },
  events: [
    { type: 'lock.requested' },
    { type: 'input.idle' },
    { type: 'session.locked' },
    { type: 'session.unlocked' },
    { type: 'unlock.submitted', by: { password: 'Secret-1' } },
    { type: 'unlock.submitted', by: { pin: '730182' } },
    { type: 'unlock.submitted', by: 'passkey' },
    { type: 'unlock.submitted', by: { bankId: true } },
    done('lockSession'),
    failed('lockSession', offline),
    done('unlockSession'),
    failed('unlockSession', refused('incorrect-password')),
    failed('unlockSession', refused('incorrect-pin')),
    failed('unlockSession', refused('incorrect-bankid')),
    failed('unlockSession', refused('pin-unavailable')),
    failed('unlockSession', refused('sign-in-cancelled')),
    failed('unlockSession', offline),
  ],
  facts: ({ context }) => ({ failure: context.failure?.kind, isPinBlocked: context.isPinBlocked }),
});

/** The page is locked and unlocked. */
export const locking = model(false);
/** The page is loaded while its session is locked. */
export const lockedBefore = model(true);
