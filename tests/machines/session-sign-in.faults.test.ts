import { sessionMachine } from '../../src/machines/session/session.machine.ts';
import { done, failed, offline } from '../paths.ts';
import { rulesOf } from './rules-of.ts';
import {
  chosen,
  codeAsked,
  dentist,
  dismissed,
  entered,
  expired,
  fresh,
  grant,
  idle,
  inactive,
  nobody,
  notSignedIn,
  opened,
  resolve,
  resolving,
  retried,
  settled,
  signedOut,
  signIn,
  signingIn,
  signOut,
  solrosen,
  submitted,
  tells,
  wanted,
  watchDentist,
  withCode,
  wrongCode,
  wrongLogin,
} from './session-steps.ts';

rulesOf(
  { machine: sessionMachine },
  {
    'looks first for a sign-in that is there': [
      [
        [],
        'restoring',
        {
          asks: [['restoreSession']],
          learns: {
            account: null,
            clinic: null,
            place: null,
            renewInMs: 0,
            isNew: false,
            failure: null,
            end: null,
            problem: null,
            asksCode: false,
          },
        },
      ],
      [[done('restoreSession', grant)], 'resolving', { asks: [resolve], learns: grant }],
      [
        [done('restoreSession', { ...grant, isNew: true })],
        'resolving',
        { asks: [resolve], learns: { renewInMs: 290_000, isNew: true } },
      ],
      [nobody, idle, { told: [settled] }],
    ],
    'waits for an archive that is away, and says so after eight seconds': [
      [[failed('restoreSession', offline)], 'unreachable', tells(offline)],
      [[7_999], 'restoring'],
      [[8_000], 'unreachable', { told: [settled] }],
      [[8_000, 4_999], 'unreachable'],
      [[8_000, 5_000], 'restoring', { asks: [['restoreSession']] }],
      [[8_000, retried], 'restoring', { asks: [['restoreSession']] }],
      [[8_000, signedOut], 'signingOut', { asks: [signOut(null)] }],
      [[signedOut], 'signingOut', { asks: [signOut(null)] }],
    ],
    'says why a stored sign-in is no good': [
      [
        [failed('restoreSession', notSignedIn)],
        idle,
        { told: [settled], learns: { end: 'problem', problem: 'expired' } },
      ],
      [
        [failed('restoreSession', inactive)],
        idle,
        { told: [settled], learns: { end: 'problem', problem: 'inactive' } },
      ],
      [[failed('restoreSession', expired)], idle, tells(expired)],
    ],
    'signs in by password, and forgets the last failure': [
      [signingIn, 'signingIn', { asks: [signIn(null)] }],
      [[...nobody, withCode], 'signingIn', { asks: [signIn('123456')] }],
      [resolving, 'resolving', { asks: [resolve], learns: { renewInMs: 290_000, isNew: true } }],
      [[...signingIn, failed('signIn', wrongLogin)], idle, tells(wrongLogin)],
      [
        [...signingIn, failed('signIn', wrongLogin), submitted],
        'signingIn',
        {
          asks: [signIn(null)],
          learns: { failure: null },
        },
      ],
      [
        [failed('restoreSession', notSignedIn), submitted],
        'signingIn',
        {
          asks: [signIn(null)],
          learns: { end: null, problem: null },
        },
      ],
    ],
    'asks for a code when the password was right': [
      [codeAsked, { signedOut: 'codeNeeded' }, { told: [settled], learns: { asksCode: true } }],
      [
        [...signingIn, failed('signIn', wrongCode)],
        { signedOut: 'codeNeeded' },
        { told: [settled], learns: { failure: wrongCode, asksCode: true } },
      ],
      [[...codeAsked, withCode], 'signingIn', { asks: [signIn('123456')] }],
      [[...codeAsked, withCode, failed('signIn', wrongCode)], { signedOut: 'codeNeeded' }, tells(wrongCode)],
      [[...codeAsked, withCode, failed('signIn', offline)], { signedOut: 'codeNeeded' }, tells(offline)],
      [
        [...codeAsked, withCode, failed('signIn', wrongLogin)],
        idle,
        { told: [settled], learns: { failure: wrongLogin, asksCode: false } },
      ],
      [
        [...codeAsked, withCode, failed('signIn', inactive)],
        idle,
        { told: [settled], learns: { failure: inactive, asksCode: false } },
      ],
      [
        [...codeAsked, withCode, failed('signIn', wrongCode), dismissed],
        idle,
        { learns: { failure: null, asksCode: false } },
      ],
      [
        [...codeAsked, withCode, done('signIn', grant)],
        'resolving',
        { asks: [resolve], learns: { renewInMs: 290_000, isNew: true } },
      ],
      [
        [...codeAsked, withCode, done('signIn', grant), done('resolveAccount', dentist)],
        fresh,
        {
          told: [opened(solrosen), settled, wanted('/')],
          asks: watchDentist,
          learns: { account: dentist, clinic: solrosen, asksCode: false },
        },
      ],
      [[...signingIn, failed('signIn', offline)], idle, tells(offline)],
    ],
    'leaves for another way to sign in, with the place where it goes on': [
      [
        [entered('/patient/1'), ...nobody, chosen],
        'leaving',
        { asks: [['startSignIn', { method: 'bankid', place: '/patient/1' }]] },
      ],
      [[...nobody, chosen, done('startSignIn')], idle, { told: [settled] }],
      [[...nobody, chosen, failed('startSignIn', offline)], idle, tells(offline)],
      [
        [...signingIn, failed('signIn', wrongLogin), chosen],
        'leaving',
        { asks: [['startSignIn', { method: 'bankid', place: null }]], learns: { failure: null } },
      ],
    ],
  },
);
