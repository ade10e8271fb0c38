import { describe, expect, it } from 'vitest';
import {
  selectAreCodesKept,
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
/** The archive's own word on two-factor, by what it answered along a path. */
const isOnAfter = (path: Path, wish: 'turn-on' | 'turn-off') =>
  path.steps.reduce<boolean | 'unknown'>((on, { event, state }, index) => {
    if (event.type === 'xstate.done.actor.verify') return true;
    if (event.type === 'xstate.done.actor.disable') return false;
    if (event.type === 'xstate.done.actor.askIfOn') return event.output === true;
    const before = path.steps[index - 1]?.state as Snapshot | undefined;
    // A call without an answer may have been done.
    const wasChecking = before?.matches({ verifying: 'checking' }) || before?.matches({ disabling: 'checking' });
    return wasChecking && (state as Snapshot).matches({ verifying: 'findingOut' }) ? 'unknown' : on;
  }, wish === 'turn-off');

const invariants =
  (wish: 'turn-on' | 'turn-off'): Invariants =>
  (raw, path) => {
    const snapshot = raw as Snapshot;
    const way = types(path).join(' -> ');
    const end = selectTwoFactorEnd(snapshot);
    const on = isOnAfter(path, wish);
    // Leaving in the middle leaves two-factor as it was; it is said to be on or off when the archive said so.
    if (end === 'left' && !types(path).includes('xstate.done.actor.askIfOn')) expect(on, way).toBe(wish === 'turn-off');
    if (end === 'on') expect(on, way).toBe(true);
    if (end === 'off') expect(on, way).toBe(false);
    // Nobody walks away while it may be on already, nor before the codes that are told once are kept.
    if (selectIsChecking(snapshot)) expect(snapshot.can({ type: 'wizard.left' }), way).toBe(false);
    const seesCodes = selectStep(snapshot) === 'codes';
    expect(selectRecoveryCodes(snapshot).length > 0, way).toBe(seesCodes);
    if (end === 'on') expect(types(path), way).toContain('codes.kept');
    if (selectIsWarned(snapshot)) expect(snapshot.can({ type: 'wizard.left' }), way).toBe(false);
    // No secret outlives the wizard.
    if (end !== null)
      expect([selectSharedKey(snapshot), snapshot.context.code, selectRecoveryCodes(snapshot)], way).toEqual([
        null,
        '',
        [],
      ]);
    // A key is there whenever it is asked for, and its code.
    if (snapshot.matches('scanning') || snapshot.matches('verifying'))
      expect(selectSharedKey(snapshot), way).not.toBeNull();
    if (snapshot.matches('setupFailed')) expect(selectTwoFactorFailure(snapshot), way).not.toBeNull();
    // A wrong code can be tried again.
    if (snapshot.matches({ verifying: 'asking' }) || snapshot.matches({ disabling: 'asking' }))
      expect(snapshot.can({ type: 'code.submitted', code: '1' }), way).toBe(true);
    for (const call of ['setUp', 'verify', 'disable', 'askIfOn'] as const)
      if (call in snapshot.children)
        expect(selectIsChecking(snapshot) || snapshot.matches('settingUp'), way).toBe(true);
  };

describe('two-factor', () => {
  it('walks every transition, turning on and turning off', () =>
    walkAll(
      [
        { ...turningOn, invariants: invariants('turn-on') },
        { ...turningOff, invariants: invariants('turn-off') },
      ],
      {
        check: ({ told }, path) => {
          const atEnd = path.steps.at(-1)?.state as Snapshot;
          const said = path.steps.findLast(({ event }) => event.type === 'codes.kept')?.event;
          if (selectStep(atEnd) === 'codes') expect(selectAreCodesKept(atEnd)).toBe(said?.kept === true);
          const changes = path.steps.filter(({ event }, index) => {
            if (['xstate.done.actor.verify', 'xstate.done.actor.disable'].includes(event.type)) return true;
            const before = path.steps[index - 1]?.state as Snapshot | undefined;
            return (
              event.type === 'xstate.done.actor.askIfOn' &&
              before !== undefined &&
              before.matches('verifying') === (event.output === true)
            );
          });
          expect(told, types(path).join(' -> ')).toHaveLength(changes.length);
        },
      },
    ));
});
