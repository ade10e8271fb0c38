import { twoFactorMachine } from '../../src/machines/two-factor/two-factor.machine.ts';
import { done, failed, offline, refused } from '../paths.ts';
import { rulesOf } from './rules-of.ts';

const key = { sharedKey: 'JBSWY3DP', authenticatorUri: 'otpauth://totp/Dentarium:a?secret=JBSWY3DP' };
const codes = ['one-1', 'two-2'];
const wrong = refused('incorrect-code');
const busy = refused('too-many-requests');
const changed = { type: 'account.changed' };

const left = { type: 'wizard.left' };
const retried = { type: 'setup.retried' };
const stored = { type: 'key.stored' };
const keyRequested = { type: 'key.requested' };
const finished = { type: 'codes.finished' };
const disablingRequested = { type: 'disabling.requested' };
const code = (text: string) => ({ type: 'code.submitted', code: text });
const confirmation = (yes: boolean) => ({ type: 'confirmation.changed', confirmed: yes });

const scanning = [done('setUp', key)];
const enteringCode = [...scanning, stored];
const checking = [...enteringCode, code(' 123456 ')];
const savingCodes = [...checking, done('verify', codes)];
const checkingStatus = [...checking, failed('verify', offline)];
const codesLost = [...checkingStatus, done('fetchStatus', true)];
const forgotten = { key: null, code: '', recoveryCodes: [] };

rulesOf(
  { machine: twoFactorMachine, input: { goal: 'turn-on' } },
  {
    'fetches a key at once': [
      [
        [],
        'settingUp',
        { calls: [['setUp']], learns: { goal: 'turn-on', key: null, code: '', recoveryCodes: [], failure: null } },
      ],
      [scanning, 'scanning', { learns: { key } }],
      [[left], 'left', { ended: true }],
      [[failed('setUp', offline)], 'setupFailed', { learns: { failure: { kind: 'offline' } } }],
      [[failed('setUp', offline), retried], 'settingUp', { calls: [['setUp']], learns: { failure: null } }],
      [[failed('setUp', offline), left], 'left'],
      [[failed('setUp', offline), retried, done('setUp', key)], 'scanning', { learns: { key } }],
    ],
    'asks for a code when the authenticator has the key': [
      [enteringCode, { verifying: 'enteringCode' }],
      [[...scanning, left], 'left', { learns: { key: null } }],
      [[...enteringCode, keyRequested], 'scanning'],
      [[...enteringCode, left], 'left', { learns: { key: null } }],
      [[...enteringCode, code('  ')], { verifying: 'enteringCode' }],
      [checking, { verifying: 'checking' }, { calls: [['verify', { code: '123456' }]], learns: { code: '123456' } }],
      [
        [...checking, failed('verify', wrong), code('234567')],
        { verifying: 'checking' },
        { calls: [['verify', { code: '234567' }]], learns: { code: '234567', failure: null } },
      ],
      [[...checking, failed('verify', wrong), keyRequested], 'scanning', { learns: { failure: null } }],
    ],
    'cannot be left while two-factor may already be on': [
      [[...checking, left], { verifying: 'checking' }],
      [[...checkingStatus, left], { verifying: 'checkingStatus' }],
    ],
    'shows the recovery codes when it is on': [
      [savingCodes, { savingCodes: 'showing' }, { emitted: [changed], learns: { recoveryCodes: codes } }],
      [[...checking, failed('verify', wrong)], { verifying: 'enteringCode' }, { learns: { failure: wrong } }],
      [[...checking, failed('verify', busy)], { verifying: 'enteringCode' }, { learns: { failure: busy } }],
    ],
    'fetches the status when the reply is lost': [
      [
        checkingStatus,
        { verifying: 'checkingStatus' },
        { calls: [['fetchStatus']], learns: { failure: { kind: 'offline' } } },
      ],
      [[...checkingStatus, done('fetchStatus', false)], { verifying: 'enteringCode' }],
      [[...checkingStatus, failed('fetchStatus', offline)], { verifying: 'enteringCode' }],
      [codesLost, 'codesLost', { emitted: [changed], learns: { key: null, code: '' } }],
      [[...codesLost, left], 'left'],
      [[...codesLost, disablingRequested], { disabling: 'enteringCode' }, { learns: { failure: null } }],
    ],
    'warns a user who leaves without having saved the codes': [
      [[...savingCodes, left], { savingCodes: 'warned' }],
      [[...savingCodes, finished], { savingCodes: 'warned' }],
      [[...savingCodes, left, left], { savingCodes: 'warned' }],
      [[...savingCodes, left, finished], { savingCodes: 'warned' }],
      [[...savingCodes, confirmation(false)], { savingCodes: 'showing' }],
      [[...savingCodes, confirmation(true)], { savingCodes: 'saved' }],
      [[...savingCodes, left, confirmation(false)], { savingCodes: 'warned' }],
      [[...savingCodes, left, confirmation(true)], { savingCodes: 'saved' }],
      [[...savingCodes, confirmation(true), confirmation(true)], { savingCodes: 'saved' }],
      [[...savingCodes, confirmation(true), confirmation(false)], { savingCodes: 'showing' }],
    ],
    'ends when the codes are saved, and clears them': [
      [[...savingCodes, confirmation(true), left], 'done', { learns: forgotten, ended: true }],
      [[...savingCodes, confirmation(true), finished], 'done', { learns: forgotten, ended: true }],
    ],
  },
);

rulesOf(
  { machine: twoFactorMachine, input: { goal: 'turn-off' } },
  {
    'asks for a code before it is turned off': [
      [
        [],
        { disabling: 'enteringCode' },
        { learns: { goal: 'turn-off', key: null, code: '', recoveryCodes: [], failure: null } },
      ],
      [[left], 'left', { ended: true }],
      [[code(' ')], { disabling: 'enteringCode' }],
      [
        [code(' 123456 ')],
        { disabling: 'checking' },
        { calls: [['disable', { code: '123456' }]], learns: { code: '123456' } },
      ],
      [[code('123456'), left], { disabling: 'checking' }],
    ],
    'is off when the archive confirms it': [
      [[code('123456'), done('disable')], 'turnedOff', { emitted: [changed], learns: { code: '' }, ended: true }],
      [[code('123456'), failed('disable', wrong)], { disabling: 'enteringCode' }, { learns: { failure: wrong } }],
      [[code('123456'), failed('disable', busy)], { disabling: 'enteringCode' }, { learns: { failure: busy } }],
      [
        [code('123456'), failed('disable', wrong), code('234567')],
        { disabling: 'checking' },
        { calls: [['disable', { code: '234567' }]], learns: { code: '234567', failure: null } },
      ],
      [[code('123456'), failed('disable', wrong), left], 'left', { learns: { code: '' } }],
    ],
    'fetches the status when the reply to turning off is lost': [
      [
        [code('123456'), failed('disable', offline)],
        { disabling: 'checkingStatus' },
        { calls: [['fetchStatus']], learns: { failure: { kind: 'offline' } } },
      ],
      [[code('123456'), failed('disable', offline), left], { disabling: 'checkingStatus' }],
      [[code('123456'), failed('disable', offline), done('fetchStatus', true)], { disabling: 'enteringCode' }],
      [
        [code('123456'), failed('disable', offline), done('fetchStatus', false)],
        'turnedOff',
        { emitted: [changed], learns: { code: '' } },
      ],
      [[code('123456'), failed('disable', offline), failed('fetchStatus', offline)], { disabling: 'enteringCode' }],
    ],
  },
);
