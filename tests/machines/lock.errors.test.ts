import type { AnyMachineSnapshot } from 'xstate';
import { lockMachine } from '../../src/machines/lock/lock.machine.ts';
import { done, failed, offline, refused } from '../paths.ts';
import { rulesOf } from './rules-of.ts';

const accountId = '0d3c1b1e-93c2-4a79-8a54-6a4f9d4a2c02';
const wrong = refused('incorrect-password');
const requested = { type: 'lock.requested' };
const idle = { type: 'input.idle' };
const lockedElsewhere = { type: 'session.locked' };
const unlockedElsewhere = { type: 'session.unlocked' };
const submitted = { type: 'unlock.submitted', by: { password: 'Secret-1' } };
const byPin = { type: 'unlock.submitted', by: { pin: '730182' } };
const byPasskey = { type: 'unlock.submitted', by: 'passkey' };
const cancelled = refused('sign-in-cancelled');
const wrongPin = refused('incorrect-pin');
const usedUp = refused('pin-unavailable');
const failureOnly = ({ context }: AnyMachineSnapshot) => ({
  failure: context.failure,
  isPinBlocked: context.isPinBlocked,
});
const locked = [requested, done('lockSession')];

rulesOf(
  { machine: lockMachine, input: { accountId, isLocked: false, idleMinutes: 10 }, facts: failureOnly },
  {
    'locks on request and without input': [
      [
        [],
        'unlocked',
        { calls: [['watchLock', { accountId, idleMinutes: 10 }]], learns: { failure: null, isPinBlocked: false } },
      ],
      [[requested], 'locking', { calls: [['lockSession', { accountId }]] }],
      [[idle], 'locking', { calls: [['lockSession', { accountId }]] }],
      [locked, 'locked'],
      [[requested, failed('lockSession', offline)], 'locked'],
      [[requested, requested], 'locking'],
    ],
    'follows other tabs': [
      [[lockedElsewhere], 'locked'],
      [[lockedElsewhere, unlockedElsewhere], 'unlocked'],
      [[unlockedElsewhere], 'unlocked'],
    ],
    'unlocks by a passkey': [
      [[...locked, byPasskey], 'unlocking', { calls: [['unlockSession', { by: 'passkey' }]] }],
      [[...locked, byPasskey, done('unlockSession')], 'unlocked'],
      [[...locked, byPasskey, failed('unlockSession', cancelled)], 'locked', { learns: { failure: cancelled } }],
    ],
    'unlocks by the PIN, until the archive accepts none': [
      [[...locked, byPin], 'unlocking', { calls: [['unlockSession', { by: { pin: '730182' } }]] }],
      [[...locked, byPin, done('unlockSession')], 'unlocked'],
      [[...locked, byPin, failed('unlockSession', wrongPin)], 'locked', { learns: { failure: wrongPin } }],
      [
        [...locked, byPin, failed('unlockSession', usedUp)],
        'locked',
        { learns: { failure: usedUp, isPinBlocked: true } },
      ],
      [
        [...locked, byPin, failed('unlockSession', usedUp), submitted, failed('unlockSession', wrong)],
        'locked',
        { learns: { failure: wrong } },
      ],
      [
        [...locked, byPin, failed('unlockSession', usedUp), submitted, done('unlockSession')],
        'unlocked',
        { learns: { isPinBlocked: false } },
      ],
      [
        [...locked, byPin, failed('unlockSession', usedUp), unlockedElsewhere],
        'unlocked',
        { learns: { failure: null, isPinBlocked: false } },
      ],
    ],
    'unlocks by the password': [
      [[...locked, idle], 'locked'],
      [[...locked, submitted], 'unlocking', { calls: [['unlockSession', { by: { password: 'Secret-1' } }]] }],
      [[...locked, submitted, submitted], 'unlocking'],
      [[...locked, submitted, done('unlockSession')], 'unlocked'],
      [[...locked, submitted, failed('unlockSession', wrong)], 'locked', { learns: { failure: wrong } }],
      [[...locked, submitted, failed('unlockSession', offline)], 'locked', { learns: { failure: offline } }],
      [
        [...locked, submitted, failed('unlockSession', wrong), submitted],
        'unlocking',
        {
          calls: [['unlockSession', { by: { password: 'Secret-1' } }]],
          learns: { failure: null },
        },
      ],
      [[...locked, submitted, failed('unlockSession', wrong), submitted, done('unlockSession')], 'unlocked'],
    ],
  },
);

rulesOf(
  { machine: lockMachine, input: { accountId, isLocked: true, idleMinutes: null }, facts: failureOnly },
  {
    'stays locked after a reload': [
      [
        [],
        'locked',
        { calls: [['watchLock', { accountId, idleMinutes: null }]], learns: { failure: null, isPinBlocked: false } },
      ],
      [[submitted, done('unlockSession')], 'unlocked'],
    ],
  },
);
