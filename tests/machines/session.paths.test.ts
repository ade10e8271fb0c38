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
import { failureOf, isArchiveUnavailable } from '../../src/services/failure.ts';
import { type Invariants, walkAll } from '../replay.ts';
import { session } from './models/session.ts';

type Snapshot = ReturnType<SessionActor['getSnapshot']>;

const invariants: Invariants = (raw, path) => {
  const snapshot = raw as Snapshot;
  const label = path.steps.map(({ event }) => event.type).join(' -> ');
  // An account is known exactly while a user is signed in or signing out.
  if (selectIsSignedIn(snapshot)) expect(snapshot.context.account, label).not.toBeNull();
  if (snapshot.matches('signedOut') || snapshot.matches('signingIn') || selectIsLeaving(snapshot)) {
    expect(snapshot.context.account, label).toBeNull();
    expect(snapshot.context.clinic, label).toBeNull();
  }
  // The password and the code are in the call only.
  expect(JSON.stringify(snapshot.context), label).not.toMatch(/Secret-1|123456/);
  const signIn = { type: 'sign-in.submitted', email: '', password: '', code: null } as const;
  expect(snapshot.can(signIn), label).toBe(snapshot.matches('signedOut'));
  expect(snapshot.can({ type: 'method.chosen', method: 'aad' }), label).toBe(snapshot.matches('signedOut'));
  // A code is requested only after a correct password, and never from a signed-in user.
  if (selectNeedsCode(snapshot)) expect(label).toMatch(/sign-in.submitted -> xstate.error.actor.signIn/);
  if (selectIsSignedIn(snapshot)) expect(selectNeedsCode(snapshot), label).toBe(false);
  expect(snapshot.can({ type: 'code.dismissed' }), label).toBe(snapshot.matches({ signedOut: 'codeNeeded' }));
  // A requested code is not shown as a failure.
  expect(selectSignInFailure(snapshot), label).not.toMatchObject({ code: 'code-needed' });
  // A user who must sign in again sees why.
  expect(selectSessionProblem(snapshot) !== null, label).toBe(selectSessionEnd(snapshot) === 'problem');
  expect('watchSession' in snapshot.children, label).toBe(snapshot.matches('signedIn'));
  // After a chosen sign-out, the next user does not land on the last user's page.
  if (snapshot.matches('signingOut') && snapshot.context.end === 'requested')
    expect(snapshot.context.returnPath).toBeNull();
};

it('walks every transition of the session', () =>
  walkAll([{ ...session, invariants }], {
    check: ({ emitted }, path) => {
      const label = path.steps.map(({ event }) => event.type).join(' -> ');
      const opened = emitted.filter(({ type }) => type === 'session.opened').length;
      const closed = emitted.filter(({ type }) => type === 'session.closed').length;
      // Everything that is opened is closed once.
      expect(opened - closed, label).toBe(selectIsSignedIn(path.state as Snapshot) ? 1 : 0);
      // An unavailable archive never signs a user out.
      for (const [index, { event, state }] of path.steps.entries()) {
        const failure = 'error' in event ? failureOf(event.error) : null;
        if (!isArchiveUnavailable(failure) || index === 0 || event.type.endsWith('.signOut')) continue;
        const before = path.steps[index - 1]?.state as Snapshot;
        expect((state as Snapshot).matches('signingOut'), label).toBe(false);
        if (!before.matches('signingIn') && !before.matches('leaving'))
          expect((state as Snapshot).matches('signedOut'), label).toBe(false);
      }
      // Rights that differ in either direction end the session; the same rights in another order do not.
      for (const [index, { event, state }] of path.steps.entries()) {
        if (event.type !== 'xstate.done.actor.recheckPermissions' || index === 0) continue;
        const same = (event as unknown as { output: string[] }).output.length === 2;
        expect(selectIsSignedIn(state as Snapshot), label).toBe(same);
      }
    },
  }));
