import { describe, expect, it } from 'vitest';
import {
  selectAreCodesSaved,
  selectIsChecking,
  selectIsWarned,
  selectRecoveryCodes,
  selectSharedKey,
  selectStep,
  selectTwoFactorEnd,
  selectTwoFactorFailure,
  type TwoFactorActor,
} from '../../src/machines/two-factor/two-factor.machine.ts';
import type { Path } from '../paths.ts';
import { type Invariants, walkAll } from '../replay.ts';
import { turningOff, turningOn } from './models/two-factor.ts';

type Snapshot = ReturnType<TwoFactorActor['getSnapshot']>;

const types = (path: Path) => path.steps.map(({ event }) => event.type);
/** Whether two-factor is on for the archive, by its replies along a path. */
const isOnAfter = (path: Path, goal: 'turn-on' | 'turn-off') =>
  path.steps.reduce<boolean | 'unknown'>((on, { event, state }, index) => {
    if (event.type === 'xstate.done.actor.verify') return true;
    if (event.type === 'xstate.done.actor.disable') return false;
    if (event.type === 'xstate.done.actor.fetchStatus') return event.output === true;
    const before = path.steps[index - 1]?.state as Snapshot | undefined;
    // A call whose reply was lost may have been done.
    const wasChecking = before?.matches({ verifying: 'checking' }) || before?.matches({ disabling: 'checking' });
    return wasChecking && (state as Snapshot).matches({ verifying: 'checkingStatus' }) ? 'unknown' : on;
  }, goal === 'turn-off');

const invariants =
  (goal: 'turn-on' | 'turn-off'): Invariants =>
  (raw, path) => {
    const snapshot = raw as Snapshot;
    const label = types(path).join(' -> ');
    const end = selectTwoFactorEnd(snapshot);
    const on = isOnAfter(path, goal);
    // Leaving early changes nothing; on or off is shown only when the archive confirmed it.
    if (end === 'left' && !types(path).includes('xstate.done.actor.fetchStatus'))
      expect(on, label).toBe(goal === 'turn-off');
    if (end === 'on') expect(on, label).toBe(true);
    if (end === 'off') expect(on, label).toBe(false);
    // It cannot be left while two-factor may be on already, nor before the codes are saved, which are shown only once.
    if (selectIsChecking(snapshot)) expect(snapshot.can({ type: 'wizard.left' }), label).toBe(false);
    const seesCodes = selectStep(snapshot) === 'codes';
    expect(selectRecoveryCodes(snapshot).length > 0, label).toBe(seesCodes);
    if (end === 'on') expect(types(path), label).toContain('confirmation.changed');
    if (selectIsWarned(snapshot)) expect(snapshot.can({ type: 'wizard.left' }), label).toBe(false);
    // No secret outlives the wizard.
    if (end !== null)
      expect([selectSharedKey(snapshot), snapshot.context.code, selectRecoveryCodes(snapshot)], label).toEqual([
        null,
        '',
        [],
      ]);
    // The key is present whenever its code is requested.
    if (snapshot.matches('scanning') || snapshot.matches('verifying'))
      expect(selectSharedKey(snapshot), label).not.toBeNull();
    if (snapshot.matches('setupFailed')) expect(selectTwoFactorFailure(snapshot), label).not.toBeNull();
    // A wrong code can be corrected.
    if (snapshot.matches({ verifying: 'enteringCode' }) || snapshot.matches({ disabling: 'enteringCode' }))
      expect(snapshot.can({ type: 'code.submitted', code: '1' }), label).toBe(true);
    for (const call of ['setUp', 'verify', 'disable', 'fetchStatus'] as const)
      if (call in snapshot.children)
        expect(selectIsChecking(snapshot) || snapshot.matches('settingUp'), label).toBe(true);
  };

describe('two-factor', () => {
  it('walks every transition, turning on and turning off', () =>
    walkAll(
      [
        { ...turningOn, invariants: invariants('turn-on') },
        { ...turningOff, invariants: invariants('turn-off') },
      ],
      {
        check: ({ emitted }, path) => {
          const atEnd = path.steps.at(-1)?.state as Snapshot;
          const confirmation = path.steps.findLast(({ event }) => event.type === 'confirmation.changed')?.event;
          if (selectStep(atEnd) === 'codes') expect(selectAreCodesSaved(atEnd)).toBe(confirmation?.confirmed === true);
          const changes = path.steps.filter(({ event }, index) => {
            if (['xstate.done.actor.verify', 'xstate.done.actor.disable'].includes(event.type)) return true;
            const before = path.steps[index - 1]?.state as Snapshot | undefined;
            return (
              event.type === 'xstate.done.actor.fetchStatus' &&
              before !== undefined &&
              before.matches('verifying') === (event.output === true)
            );
          });
          expect(emitted, types(path).join(' -> ')).toHaveLength(changes.length);
        },
      },
    ));
});
