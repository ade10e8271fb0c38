import type { SessionEndReason } from '../../contract/sign-in.ts';
import type { Failure, SecondFactors } from '../../src/services/failure.ts';
import { done, failed, offline, refused } from '../paths.ts';

export const solrosen = { id: 'clinic-1', name: 'Solrosen' };
export const grant = { renewInMs: 290_000 };
export const inactive = refused('account-inactive');
export const notSignedIn = refused('not-signed-in');
/** The archive ended the session and says why. */
export const endedFor = (sessionEnd: SessionEndReason): Failure => ({
  kind: 'refused',
  status: 400,
  code: 'not-signed-in',
  errors: [],
  sessionEnd,
});
export const expired = refused('sign-in-expired');
/** The facts that are known before the archive replies. */
export const proxy: Failure = { kind: 'refused', status: 503, code: 'internal', errors: [] };
export const diskFull: Failure = { kind: 'refused', status: 503, code: 'storage-full', errors: [] };
export const internal = refused('internal');
export const codeNeeded = refused('code-needed');
const codeOrPasskeyNeeded = (secondFactors: SecondFactors): Failure => ({
  kind: 'refused',
  status: 400,
  code: 'code-needed',
  errors: [],
  secondFactors,
});
export const wrongCode = refused('incorrect-code');
const passkeyOptions = (challenge: string): SecondFactors => ({
  factors: ['authenticator', 'passkey'],
  passkey: { challenge, timeout: 300_000, rpId: 'localhost', allowCredentials: [], userVerification: 'required' },
});
export const secondFactors = passkeyOptions('AAAA');
export const newSecondFactors = passkeyOptions('BBBB');
export const wrongPasskey: Failure = {
  kind: 'refused',
  status: 400,
  code: 'incorrect-passkey',
  errors: [],
  secondFactors: newSecondFactors,
};
export const wrongLogin = refused('incorrect-login');

export const chief = {
  user: { id: 'user-1', customerRights: { super_admin: true } },
  permission: ['customer.get', 'user.get_sa'],
  clinic: null,
  knownClaims: [],
};
export const dentist = {
  user: { id: 'user-2', customerRights: { super_admin: false } },
  permission: ['patient.get'],
  clinic: solrosen,
  knownClaims: [],
};

export const submitted = { type: 'sign-in.submitted', email: 'a@example.test', password: 'Secret-1', code: null };
export const withCode = { ...submitted, code: '123456' };
export const byPasskey = { ...submitted, byPasskey: true };
export const chosen = { type: 'method.chosen', method: 'bankid' };
export const dismissed = { type: 'code.dismissed' };
export const retried = { type: 'restore.retried' };
export const signedOut = { type: 'sign-out.requested' };
export const elsewhere = { type: 'session.ended-elsewhere' };
export const tokenRejected = (failure: typeof internal) => ({ type: 'token.rejected', failure });
export const woke = (renewInMs: number) => ({ type: 'page.woke', renewInMs });
export const clinicChosen = { type: 'clinic.chosen', clinic: solrosen };
export const clinicClosed = { type: 'clinic.closed' };
export const entered = (returnPath: string) => ({ type: 'path.entered', path: returnPath });

export const noSession = [done('restoreSession', null)];
export const signingIn = [...noSession, submitted];
export const resolving = [...signingIn, done('signIn', grant)];
export const chiefIn = [...resolving, done('resolveAccount', chief)];
export const dentistIn = [...resolving, done('resolveAccount', dentist)];
export const back = [done('restoreSession', grant), done('resolveAccount', dentist)];
export const codeRequested = [...signingIn, failed('signIn', codeNeeded)];
export const passkeyRequested = [...signingIn, failed('signIn', codeOrPasskeyNeeded(secondFactors))];
export const rechecking = [...dentistIn, 30_000];
export const renewing = [...back, woke(0)];
export const stale = [...renewing, failed('renewToken', offline)];

export const settled = { type: 'session.settled' };
export const closed = { type: 'session.closed' };
export const opened = (clinic: typeof solrosen | null) => ({ type: 'session.opened', clinic });
export const navigationTo = (returnPath: string) => ({ type: 'navigation.requested', path: returnPath });
export const clinicChanged = (clinic: typeof solrosen | null) => ({ type: 'clinic.changed', clinic });
export const at = (rights: string, token: string) => ({ signedIn: { rights, token } });
export const signIn = (code: string | null, passkey: SecondFactors['passkey'] = null) =>
  ['signIn', { email: 'a@example.test', password: 'Secret-1', code, passkey }] as const;
export const signOut = (returnPath: string | null) => ['signOut', { returnPath }] as const;
export const resolve = ['resolveAccount'] as const;
export const recheck = ['recheckPermissions'] as const;
export const watchDentist = [['watchSession', { permission: dentist.permission }]] as const;
export const watchChief = [['watchSession', { permission: chief.permission }]] as const;
export const endsFor = (problem: string) => ({
  emitted: [closed],
  calls: [signOut(null)],
  learns: { end: 'problem', problem },
});
export const reports = (failure: Failure) => ({ emitted: [settled], learns: { failure } });
export const fresh = { signedIn: { rights: 'trusted', token: 'fresh' } };
export const idle = { signedOut: 'idle' };
