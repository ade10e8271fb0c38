import { expect, it } from 'vitest';
import type { CurrentUser } from '../../contract/account.ts';
import {
  type SessionActor,
  selectIsLeaving,
  selectIsSignedIn,
  selectNeedsCode,
  selectSessionEnd,
  selectSessionProblem,
  selectSignInFailure,
  sessionMachine,
} from '../../src/machines/session/session.machine.ts';
import type { Account } from '../../src/machines/session/session.rules.ts';
import { type Failure, failureOf, isAway } from '../../src/services/failure.ts';
import { done, drift, failed, type Model, offline, refused } from '../paths.ts';
import { walkAll } from '../replay.ts';

type Snapshot = ReturnType<SessionActor['getSnapshot']>;

const clinic = { id: 'b1f7a1de-5a58-4a58-9b3b-0c8e6d3b3f01', name: 'Solrosen' };
const user: CurrentUser = {
  id: '0d3c1b1e-93c2-4a79-8a54-6a4f9d4a2c02',
  email: 'super@example.test',
  firstName: 'Sigrid',
  lastName: 'Ek',
  avatarLink: null,
  roles: ['SuperAdmin'],
  permission: ['customer.get', 'user.get_sa'],
  customerId: null,
  customer: null,
  customerRights: { super_admin: true, customer_admin: false, customer_id: null },
  twoFactorEnabled: false,
  recoveryCodesLeft: 0,
};
const account: Account = { user, permission: user.permission, clinic: null, knownClaims: [] };
const grant = { renewInMs: 290_000 };
/** Nothing but what stands before the archive answers. */
const away: Failure = { kind: 'refused', status: 503, code: 'internal', errors: [] };

const model: Model = {
  machine: sessionMachine,
  events: [
    { type: 'sign-in.submitted', email: 'a@example.test', password: 'Secret-1', code: '123456' },
    { type: 'method.chosen', method: 'bankid' },
    { type: 'code.dismissed' },
    { type: 'restore.retried' },
    { type: 'sign-out.wanted' },
    { type: 'session.ended-elsewhere' },
    { type: 'token.refused', failure: refused('not-signed-in') },
    { type: 'token.refused', failure: refused('account-inactive') },
    { type: 'page.woke', renewInMs: 0 },
    { type: 'page.woke', renewInMs: 100_000 },
    { type: 'clinic.chosen', clinic },
    { type: 'clinic.closed' },
    { type: 'place.entered', place: '/patient/1' },
    done('restoreSession', grant),
    done('restoreSession', null),
    failed('restoreSession', offline),
    failed('restoreSession', drift),
    failed('restoreSession', away),
    failed('restoreSession', refused('not-signed-in')),
    failed('restoreSession', refused('account-inactive')),
    failed('restoreSession', refused('sign-in-expired')),
    done('startSignIn'),
    failed('startSignIn', offline),
    done('signIn', grant),
    failed('signIn', refused('incorrect-login')),
    failed('signIn', refused('code-needed')),
    failed('signIn', refused('incorrect-code')),
    failed('signIn', offline),
    done('resolveAccount', account),
    failed('resolveAccount', offline),
    failed('resolveAccount', refused('internal')),
    done('recheckPermissions', [...user.permission].reverse()),
    done('recheckPermissions', ['customer.get']),
    done('recheckPermissions', [...user.permission, 'role.get']),
    failed('recheckPermissions', offline),
    failed('recheckPermissions', refused('account-inactive')),
    done('renewToken', grant),
    failed('renewToken', refused('not-signed-in')),
    failed('renewToken', offline),
    failed('renewToken', away),
    done('signOut'),
    failed('signOut', offline),
  ],
  facts: ({ context: { clinic, place, end, problem, asksCode, renewInMs } }) => ({
    ...{ clinic: clinic?.id, place, end, problem, asksCode },
    over: renewInMs <= 0,
  }),
  invariants: (raw, path) => {
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
  },
};

it('walks every transition of the session', () =>
  walkAll([model], {
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
