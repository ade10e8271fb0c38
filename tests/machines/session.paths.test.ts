import { expect, it } from 'vitest';
import type { CurrentUser } from '../../contract/account.ts';
import { type SessionActor, selectIsSignedIn, sessionMachine } from '../../src/machines/session/session.machine.ts';
import type { Account } from '../../src/machines/session/session.rules.ts';
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

const model: Model = {
  machine: sessionMachine,
  events: [
    { type: 'sign-in.submitted', email: 'a@example.test', password: 'Secret-1' },
    { type: 'restore.retried' },
    { type: 'sign-out.wanted' },
    { type: 'session.ended-elsewhere' },
    { type: 'token.refused' },
    { type: 'clinic.chosen', clinic },
    { type: 'clinic.closed' },
    { type: 'place.entered', place: '/patient/1' },
    done('restoreSession', grant),
    done('restoreSession', null),
    failed('restoreSession', offline),
    failed('restoreSession', drift),
    done('signIn', grant),
    failed('signIn', refused('incorrect-login')),
    done('resolveAccount', account),
    failed('resolveAccount', offline),
    done('recheckPermissions', [...user.permission].reverse()),
    done('recheckPermissions', ['customer.get']),
    done('recheckPermissions', [...user.permission, 'role.get']),
    failed('recheckPermissions', offline),
    done('renewToken', grant),
    failed('renewToken', refused('not-signed-in')),
    failed('renewToken', offline),
    done('signOut'),
    failed('signOut', offline),
  ],
  facts: ({ context }) => ({ clinic: context.clinic?.id, place: context.place, end: context.end }),
  invariants: (raw, path) => {
    const snapshot = raw as Snapshot;
    const way = path.steps.map(({ event }) => event.type).join(' -> ');
    // An account is known exactly while somebody is signed in, or on the way out.
    if (selectIsSignedIn(snapshot)) expect(snapshot.context.account, way).not.toBeNull();
    if (snapshot.matches('signedOut') || snapshot.matches('signingIn')) {
      expect(snapshot.context.account, way).toBeNull();
      expect(snapshot.context.clinic, way).toBeNull();
    }
    // The password is nowhere but in the call.
    expect(JSON.stringify(snapshot.context), way).not.toContain('Secret-1');
    expect(snapshot.can({ type: 'sign-in.submitted', email: '', password: '' }), way).toBe(
      snapshot.matches('signedOut'),
    );
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
      // Rights that differ in either direction end the session; the same rights in another order do not.
      for (const [index, { event, state }] of path.steps.entries()) {
        if (event.type !== 'xstate.done.actor.recheckPermissions' || index === 0) continue;
        const same = (event as unknown as { output: string[] }).output.length === 2;
        expect(selectIsSignedIn(state as Snapshot), way).toBe(same);
      }
    },
  }));
