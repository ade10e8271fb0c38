import type { CurrentUser } from '../../../contract/account.ts';
import { noPolicy } from '../../../contract/account-policy.ts';
import { sessionMachine } from '../../../src/machines/session/session.machine.ts';
import type { Account } from '../../../src/machines/session/session.rules.ts';
import type { Failure } from '../../../src/services/failure.ts';
import { done, drift, failed, type Model, offline, refused } from '../../paths.ts';

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
  passkeys: 0,
  pin: 'none',
  bankId: false,
  recoveryCodesLeft: 0,
  viewers: [],
  policy: noPolicy,
  restriction: null,
};
const account: Account = { user, permission: user.permission, clinic: null, knownClaims: [] };
const grant = { renewInMs: 290_000 };
/** The facts that are known before the archive replies. */
const unavailable: Failure = { kind: 'refused', status: 503, code: 'internal', errors: [] };

/** The rights of an account. */
const dataOf: Model['dataOf'] = ({ type, output }) =>
  type === 'xstate.done.actor.resolveAccount'
    ? { email: output.user.email, roles: output.user.roles, permission: output.permission }
    : null;

/** A user signs in, works and signs out. */
export const session: Model = {
  name: 'session',
  machine: sessionMachine,
  events: [
    { type: 'sign-in.submitted', email: 'a@example.test', password: 'Secret-1', code: '123456' },
    { type: 'sign-in.submitted', email: 'a@example.test', password: 'Secret-1', code: null, byPasskey: true },
    { type: 'method.chosen', method: 'bankid' },
    { type: 'code.dismissed' },
    { type: 'restore.retried' },
    { type: 'sign-out.requested' },
    { type: 'session.ended-elsewhere' },
    { type: 'token.rejected', failure: refused('not-signed-in') },
    { type: 'token.rejected', failure: refused('account-inactive') },
    { type: 'page.woke', renewInMs: 0 },
    { type: 'page.woke', renewInMs: 100_000 },
    { type: 'clinic.chosen', clinic },
    { type: 'clinic.closed' },
    { type: 'path.entered', path: '/patient/1' },
    done('restoreSession', grant),
    done('restoreSession', null),
    failed('restoreSession', offline),
    failed('restoreSession', drift),
    failed('restoreSession', unavailable),
    failed('restoreSession', refused('not-signed-in')),
    failed('restoreSession', refused('account-inactive')),
    failed('restoreSession', refused('sign-in-expired')),
    done('startSignIn'),
    failed('startSignIn', offline),
    done('signIn', grant),
    failed('signIn', refused('incorrect-login')),
    failed('signIn', refused('code-needed')),
    failed('signIn', refused('incorrect-code')),
    failed('signIn', refused('incorrect-passkey')),
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
    failed('renewToken', unavailable),
    done('signOut'),
    failed('signOut', offline),
  ],
  dataOf,
  facts: ({ context: { clinic, returnPath, end, problem, needsCode, renewInMs } }) => ({
    clinic: clinic?.id,
    returnPath,
    end,
    problem,
    needsCode,
    over: renewInMs <= 0,
  }),
};
