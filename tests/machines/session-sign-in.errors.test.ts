import { sessionMachine } from '../../src/machines/session/session.machine.ts';
import { done, failed, offline, refused } from '../paths.ts';
import { rulesOf } from './rules-of.ts';
import {
  byPasskey,
  chosen,
  codeRequested,
  dentist,
  dismissed,
  entered,
  expired,
  fresh,
  grant,
  idle,
  inactive,
  navigationTo,
  newSecondFactors,
  noSession,
  notSignedIn,
  opened,
  passkeyRequested,
  reports,
  resolve,
  resolving,
  retried,
  secondFactors,
  settled,
  signedOut,
  signIn,
  signingIn,
  signOut,
  solrosen,
  submitted,
  watchDentist,
  withCode,
  wrongCode,
  wrongLogin,
  wrongPasskey,
} from './session-steps.ts';

rulesOf(
  { machine: sessionMachine },
  {
    'first looks for a stored sign-in': [
      [
        [],
        'restoring',
        {
          calls: [['restoreSession']],
          learns: {
            account: null,
            clinic: null,
            returnPath: null,
            renewInMs: 0,
            isNew: false,
            failure: null,
            end: null,
            problem: null,
            needsCode: false,
            secondFactors: null,
          },
        },
      ],
      [[done('restoreSession', grant)], 'resolving', { calls: [resolve], learns: grant }],
      [
        [done('restoreSession', { ...grant, isNew: true })],
        'resolving',
        { calls: [resolve], learns: { renewInMs: 290_000, isNew: true } },
      ],
      [noSession, idle, { emitted: [settled] }],
    ],
    'waits for an unavailable archive, and reports it after eight seconds': [
      [[failed('restoreSession', offline)], 'unreachable', reports(offline)],
      [[7_999], 'restoring'],
      [[8_000], 'unreachable', { emitted: [settled] }],
      [[8_000, 4_999], 'unreachable'],
      [[8_000, 5_000], 'restoring', { calls: [['restoreSession']] }],
      [[8_000, retried], 'restoring', { calls: [['restoreSession']] }],
      [[8_000, signedOut], 'signingOut', { calls: [signOut(null)] }],
      [[signedOut], 'signingOut', { calls: [signOut(null)] }],
    ],
    'reports why a stored sign-in is invalid': [
      [
        [failed('restoreSession', notSignedIn)],
        idle,
        { emitted: [settled], learns: { end: 'problem', problem: 'expired' } },
      ],
      [
        [failed('restoreSession', inactive)],
        idle,
        { emitted: [settled], learns: { end: 'problem', problem: 'inactive' } },
      ],
      [[failed('restoreSession', expired)], idle, reports(expired)],
    ],
    'signs in by password, and clears the last failure': [
      [signingIn, 'signingIn', { calls: [signIn(null)] }],
      [[...noSession, withCode], 'signingIn', { calls: [signIn('123456')] }],
      [resolving, 'resolving', { calls: [resolve], learns: { renewInMs: 290_000, isNew: true } }],
      [[...signingIn, failed('signIn', wrongLogin)], idle, reports(wrongLogin)],
      [
        [...signingIn, failed('signIn', wrongLogin), submitted],
        'signingIn',
        {
          calls: [signIn(null)],
          learns: { failure: null },
        },
      ],
      [
        [failed('restoreSession', notSignedIn), submitted],
        'signingIn',
        {
          calls: [signIn(null)],
          learns: { end: null, problem: null },
        },
      ],
    ],
    'asks for a code after a correct password': [
      [codeRequested, { signedOut: 'codeNeeded' }, { emitted: [settled], learns: { needsCode: true } }],
      [
        [...signingIn, failed('signIn', wrongCode)],
        { signedOut: 'codeNeeded' },
        { emitted: [settled], learns: { failure: wrongCode, needsCode: true } },
      ],
      [[...codeRequested, withCode], 'signingIn', { calls: [signIn('123456')] }],
      [[...codeRequested, withCode, failed('signIn', wrongCode)], { signedOut: 'codeNeeded' }, reports(wrongCode)],
      [[...codeRequested, withCode, failed('signIn', offline)], { signedOut: 'codeNeeded' }, reports(offline)],
      [
        [...codeRequested, withCode, failed('signIn', wrongLogin)],
        idle,
        { emitted: [settled], learns: { failure: wrongLogin, needsCode: false } },
      ],
      [
        [...codeRequested, withCode, failed('signIn', inactive)],
        idle,
        { emitted: [settled], learns: { failure: inactive, needsCode: false } },
      ],
      [
        [...codeRequested, withCode, failed('signIn', wrongCode), dismissed],
        idle,
        { learns: { failure: null, needsCode: false } },
      ],
      [
        [...codeRequested, withCode, done('signIn', grant)],
        'resolving',
        { calls: [resolve], learns: { renewInMs: 290_000, isNew: true } },
      ],
      [
        [...codeRequested, withCode, done('signIn', grant), done('resolveAccount', dentist)],
        fresh,
        {
          emitted: [opened(solrosen), settled, navigationTo('/')],
          calls: watchDentist,
          learns: { account: dentist, clinic: solrosen, needsCode: false },
        },
      ],
      [[...signingIn, failed('signIn', offline)], idle, reports(offline)],
    ],
    'signs in with a passkey as second factor, by the options of the last reply': [
      [
        passkeyRequested,
        { signedOut: 'codeNeeded' },
        { learns: { needsCode: true, secondFactors }, emitted: [settled] },
      ],
      [[...passkeyRequested, byPasskey], 'signingIn', { calls: [signIn(null, secondFactors.passkey)] }],
      [[...codeRequested, byPasskey], 'signingIn', { calls: [signIn(null)] }],
      [
        [...passkeyRequested, byPasskey, failed('signIn', wrongPasskey)],
        { signedOut: 'codeNeeded' },
        { emitted: [settled], learns: { failure: wrongPasskey, secondFactors: newSecondFactors } },
      ],
      [
        [...passkeyRequested, byPasskey, failed('signIn', refused('sign-in-cancelled'))],
        { signedOut: 'codeNeeded' },
        reports(refused('sign-in-cancelled')),
      ],
      [[...passkeyRequested, withCode], 'signingIn', { calls: [signIn('123456')] }],
      [[...passkeyRequested, dismissed], idle, { learns: { needsCode: false, secondFactors: null } }],
    ],
    'starts an external sign-in with the path to return to': [
      [
        [entered('/patient/1'), ...noSession, chosen],
        'leaving',
        { calls: [['startSignIn', { method: 'bankid', returnPath: '/patient/1' }]] },
      ],
      [[...noSession, chosen, done('startSignIn')], idle, { emitted: [settled] }],
      [[...noSession, chosen, failed('startSignIn', offline)], idle, reports(offline)],
      [
        [...signingIn, failed('signIn', wrongLogin), chosen],
        'leaving',
        { calls: [['startSignIn', { method: 'bankid', returnPath: null }]], learns: { failure: null } },
      ],
    ],
  },
);
