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
const keyWanted = { type: 'key.wanted' };
const finished = { type: 'codes.finished' };
const offWanted = { type: 'disabling.wanted' };
const code = (text: string) => ({ type: 'code.submitted', code: text });
const kept = (yes: boolean) => ({ type: 'codes.kept', kept: yes });

const scanning = [done('setUp', key)];
const asking = [...scanning, stored];
const checking = [...asking, code(' 123456 ')];
const savingCodes = [...checking, done('verify', codes)];
const findingOut = [...checking, failed('verify', offline)];
const codesLost = [...findingOut, done('askIfOn', true)];
const forgotten = { key: null, code: '', recoveryCodes: [] };

rulesOf(
  { machine: twoFactorMachine, input: { wish: 'turn-on' } },
  {
    'fetches a key at once': [
      [
        [],
        'settingUp',
        { asks: [['setUp']], learns: { wish: 'turn-on', key: null, code: '', recoveryCodes: [], failure: null } },
      ],
      [scanning, 'scanning', { learns: { key } }],
      [[left], 'left', { ended: true }],
      [[failed('setUp', offline)], 'setupFailed', { learns: { failure: { kind: 'offline' } } }],
      [[failed('setUp', offline), retried], 'settingUp', { asks: [['setUp']], learns: { failure: null } }],
      [[failed('setUp', offline), left], 'left'],
      [[failed('setUp', offline), retried, done('setUp', key)], 'scanning', { learns: { key } }],
    ],
    'asks for a code when the authenticator has the key': [
      [asking, { verifying: 'asking' }],
      [[...scanning, left], 'left', { learns: { key: null } }],
      [[...asking, keyWanted], 'scanning'],
      [[...asking, left], 'left', { learns: { key: null } }],
      [[...asking, code('  ')], { verifying: 'asking' }],
      [checking, { verifying: 'checking' }, { asks: [['verify', { code: '123456' }]], learns: { code: '123456' } }],
      [
        [...checking, failed('verify', wrong), code('234567')],
        { verifying: 'checking' },
        { asks: [['verify', { code: '234567' }]], learns: { code: '234567', failure: null } },
      ],
      [[...checking, failed('verify', wrong), keyWanted], 'scanning', { learns: { failure: null } }],
    ],
    'lets nobody leave while the answer may be that it is on': [
      [[...checking, left], { verifying: 'checking' }],
      [[...findingOut, left], { verifying: 'findingOut' }],
    ],
    'shows the recovery codes when it is on': [
      [savingCodes, { savingCodes: 'showing' }, { told: [changed], learns: { recoveryCodes: codes } }],
      [[...checking, failed('verify', wrong)], { verifying: 'asking' }, { learns: { failure: wrong } }],
      [[...checking, failed('verify', busy)], { verifying: 'asking' }, { learns: { failure: busy } }],
    ],
    'asks how things stand when no answer came': [
      [findingOut, { verifying: 'findingOut' }, { asks: [['askIfOn']], learns: { failure: { kind: 'offline' } } }],
      [[...findingOut, done('askIfOn', false)], { verifying: 'asking' }],
      [[...findingOut, failed('askIfOn', offline)], { verifying: 'asking' }],
      [codesLost, 'codesLost', { told: [changed], learns: { key: null, code: '' } }],
      [[...codesLost, left], 'left'],
      [[...codesLost, offWanted], { disabling: 'asking' }, { learns: { failure: null } }],
    ],
    'warns who leaves the codes without having kept them': [
      [[...savingCodes, left], { savingCodes: 'warned' }],
      [[...savingCodes, finished], { savingCodes: 'warned' }],
      [[...savingCodes, left, left], { savingCodes: 'warned' }],
      [[...savingCodes, left, finished], { savingCodes: 'warned' }],
      [[...savingCodes, kept(false)], { savingCodes: 'showing' }],
      [[...savingCodes, kept(true)], { savingCodes: 'kept' }],
      [[...savingCodes, left, kept(false)], { savingCodes: 'warned' }],
      [[...savingCodes, left, kept(true)], { savingCodes: 'kept' }],
      [[...savingCodes, kept(true), kept(true)], { savingCodes: 'kept' }],
      [[...savingCodes, kept(true), kept(false)], { savingCodes: 'showing' }],
    ],
    'ends when they are kept, and forgets them': [
      [[...savingCodes, kept(true), left], 'done', { learns: forgotten, ended: true }],
      [[...savingCodes, kept(true), finished], 'done', { learns: forgotten, ended: true }],
    ],
  },
);

rulesOf(
  { machine: twoFactorMachine, input: { wish: 'turn-off' } },
  {
    'asks for a code before it is turned off': [
      [
        [],
        { disabling: 'asking' },
        { learns: { wish: 'turn-off', key: null, code: '', recoveryCodes: [], failure: null } },
      ],
      [[left], 'left', { ended: true }],
      [[code(' ')], { disabling: 'asking' }],
      [
        [code(' 123456 ')],
        { disabling: 'checking' },
        { asks: [['disable', { code: '123456' }]], learns: { code: '123456' } },
      ],
      [[code('123456'), left], { disabling: 'checking' }],
    ],
    'is off when the archive says so': [
      [[code('123456'), done('disable')], 'turnedOff', { told: [changed], learns: { code: '' }, ended: true }],
      [[code('123456'), failed('disable', wrong)], { disabling: 'asking' }, { learns: { failure: wrong } }],
      [[code('123456'), failed('disable', busy)], { disabling: 'asking' }, { learns: { failure: busy } }],
      [
        [code('123456'), failed('disable', wrong), code('234567')],
        { disabling: 'checking' },
        { asks: [['disable', { code: '234567' }]], learns: { code: '234567', failure: null } },
      ],
      [[code('123456'), failed('disable', wrong), left], 'left', { learns: { code: '' } }],
    ],
    'asks how things stand when no answer to that came': [
      [
        [code('123456'), failed('disable', offline)],
        { disabling: 'findingOut' },
        { asks: [['askIfOn']], learns: { failure: { kind: 'offline' } } },
      ],
      [[code('123456'), failed('disable', offline), left], { disabling: 'findingOut' }],
      [[code('123456'), failed('disable', offline), done('askIfOn', true)], { disabling: 'asking' }],
      [
        [code('123456'), failed('disable', offline), done('askIfOn', false)],
        'turnedOff',
        { told: [changed], learns: { code: '' } },
      ],
      [[code('123456'), failed('disable', offline), failed('askIfOn', offline)], { disabling: 'asking' }],
    ],
  },
);
