import { describe, expect, it } from 'vitest';
import {
  type LockActor,
  selectIsLocked,
  selectIsPinBlocked,
  selectUnlockFailure,
} from '../../src/machines/lock/lock.machine.ts';
import type { Path } from '../paths.ts';
import { type Invariants, walkAll } from '../replay.ts';
import { lockedBefore, locking } from './models/lock.ts';

type Snapshot = ReturnType<LockActor['getSnapshot']>;

const types = (path: Path) => path.steps.map(({ event }) => event.type);
const unlocks = ['xstate.done.actor.unlockSession', 'session.unlocked'];

const invariants: Invariants = (raw, path) => {
  const snapshot = raw as Snapshot;
  const label = types(path).join(' -> ');
  const [lastLock, lastUnlock] = [
    types(path).findLastIndex((type) => ['lock.requested', 'input.idle', 'session.locked'].includes(type)),
    types(path).findLastIndex((type) => unlocks.includes(type)),
  ];
  // A lock is only lifted by the archive, or by another tab for which the archive lifted it.
  if (lastLock > lastUnlock) expect(selectIsLocked(snapshot), label).toBe(true);
  if (!selectIsLocked(snapshot)) expect(selectUnlockFailure(snapshot), label).toBeNull();
  if (!selectIsLocked(snapshot)) expect(selectIsPinBlocked(snapshot), label).toBe(false);
  // Neither password nor PIN is kept.
  expect(JSON.stringify(snapshot.context), label).not.toMatch(/Secret-1|730182/);
};

describe('lock', () => {
  it('walks every transition, locked here and before', () =>
    walkAll([
      { ...locking, invariants },
      { ...lockedBefore, invariants },
    ]));
});
