import { expect, it } from 'vitest';
import {
  type SessionActor,
  selectIsLeaving,
  selectIsSignedIn,
  selectNeedsCode,
  selectSessionEnd,
  selectSessionProblem,
  selectSignInFailure,
} from '../../src/machines/session/session.machine.ts';
import { failureOf, isAway } from '../../src/services/failure.ts';
import { type Invariants, walkAll } from '../replay.ts';
import { session } from './models/session.ts';

type Snapshot = ReturnType<SessionActor['getSnapshot']>;

const invariants: Invariants = (raw, path) => {
  const snapshot = raw as Snapshot;
  const way = path.steps.map(({ event }) => event.type).join(' -> ');
  // An account is known exactly while somebody is signed in, or on the way out.
  if (selectIsSignedIn(snapshot)) expect(snapshot.context.account, way).not.toBeNull();
  if (snapshot.matches('signedOut') || snapshot.matches('signingIn') || selectIsLeaving(snapshot)) {
    expect(snapshot.context.account, way).toBeNull();
    expect(snapshot.context.clinic, way).toBeNull();
  }
  // The password is nowhere but in the call, nor is the code.
  expect(JSON.stringify(snapshot.context), way).not.toMatch(/Secret-1|123456/);
  const signIn = { type: 'sign-in.submitted', email: '', password: '', code: null } as const;
  expect(snapshot.can(signIn), way).toBe(snapshot.matches('signedOut'));
  expect(snapshot.can({ type: 'method.chosen', method: 'aad' }), way).toBe(snapshot.matches('signedOut'));
  // A code is asked for after a right password only, and who is signed in is asked for none.
  if (selectNeedsCode(snapshot)) expect(way).toMatch(/sign-in.submitted -> xstate.error.actor.signIn/);
  if (selectIsSignedIn(snapshot)) expect(selectNeedsCode(snapshot), way).toBe(false);
  expect(snapshot.can({ type: 'code.dismissed' }), way).toBe(snapshot.matches({ signedOut: 'codeNeeded' }));
  // That a code is needed is no failure to be told.
  expect(selectSignInFailure(snapshot), way).not.toMatchObject({ code: 'code-needed' });
  // Who must sign in anew is told why.
  expect(selectSessionProblem(snapshot) !== null, way).toBe(selectSessionEnd(snapshot) === 'problem');
  expect('watchSession' in snapshot.children, way).toBe(snapshot.matches('signedIn'));
  // After a chosen way out, the next person does not land where the last one was.
  if (snapshot.matches('signingOut') && snapshot.context.end === 'wanted') expect(snapshot.context.place).toBeNull();
};

it('walks every transition of the session', () =>
  walkAll([{ ...session, invariants }], {
    check: ({ told }, path) => {
      const way = path.steps.map(({ event }) => event.type).join(' -> ');
      const opened = told.filter(({ type }) => type === 'session.opened').length;
      const closed = told.filter(({ type }) => type === 'session.closed').length;
      // What is opened is closed, and only once.
      expect(opened - closed, way).toBe(selectIsSignedIn(path.state as Snapshot) ? 1 : 0);
      // An archive that is away signs nobody out, at no step.
      for (const [index, { event, state }] of path.steps.entries()) {
        const failure = 'error' in event ? failureOf(event.error) : null;
        if (!isAway(failure) || index === 0 || event.type.endsWith('.signOut')) continue;
        const before = path.steps[index - 1]?.state as Snapshot;
        expect((state as Snapshot).matches('signingOut'), way).toBe(false);
        if (!before.matches('signingIn') && !before.matches('leaving'))
          expect((state as Snapshot).matches('signedOut'), way).toBe(false);
      }
      // Rights that differ in either direction end the session; the same rights in another order do not.
      for (const [index, { event, state }] of path.steps.entries()) {
        if (event.type !== 'xstate.done.actor.recheckPermissions' || index === 0) continue;
        const same = (event as unknown as { output: string[] }).output.length === 2;
        expect(selectIsSignedIn(state as Snapshot), way).toBe(same);
      }
    },
  }));
