import { interactionMachine } from '../../src/machines/interaction/interaction.machine.ts';
import { done, drift, failed, offline, refused } from '../paths.ts';
import { rulesOf } from './rules-of.ts';

const uid = 'interaction-1';
const expired = refused('sign-in-expired');
const wrong = refused('incorrect-login');
const finished = { outcome: 'finished', redirectTo: '/interaction/1/resume' };
const codeNeeded = { outcome: 'code-needed' };
const severalAccounts = { outcome: 'choose-account', accounts: [{ id: 'a1', role: 'Doctor', clinic: null }] };

const retried = { type: 'details.retried' };
const requested = (identification: object) => ({ type: 'identification.requested', identification });
const passwordOf = { kind: 'password', email: 'a@example.test', password: 'Secret-1' };
const password = requested(passwordOf);
const smsCode = requested({ kind: 'sms-code', code: '123456' });
const code = requested({ kind: 'code', code: '654321' });
const passkey = requested({ kind: 'passkey' });
const account = requested({ kind: 'account', id: 'a1' });
const smsRequested = { type: 'sms.requested', email: 'a@example.test', language: 'sv' };
const dismissed = { type: 'code.dismissed' };
const identified = (outcome: object) => ({ type: 'user.identified', outcome });
const orderFailed = (failure: object) => ({ type: 'identification.failed', failure });
const otherMethod = { type: 'method.changed' };
const entered = { type: 'path.entered', path: '/authorization/sms' };

const details = (method: string | null, pending: object | null = null) =>
  done('loadDetails', { clientName: 'Viewer', method, pending });
const open = [details(null)];
const openForSms = [details('sms')];
const codeAsked = [...open, password, done('identify', codeNeeded)];
const sms = { email: 'a@example.test', goodForSeconds: 300, againAt: 60_000 };
const sent = [...open, smsRequested, done('requestSms', sms)];
const load = ['loadDetails', { uid }] as const;
const redirect = { type: 'redirect.requested', address: finished.redirectTo };
const toList = { type: 'navigation.requested', path: `/authorization?interaction=${uid}` };

const idle = { ready: 'idle' };
const identifying = { ready: 'identifying' };
const initial = { uid, clientName: null, method: null, outcome: null, sms: null, failure: null };

rulesOf(
  { machine: interactionMachine, input: { uid } },
  {
    'loads the request at once, with the step that is pending': [
      [[], 'loading', { calls: [load], learns: initial }],
      [open, idle, { learns: { clientName: 'Viewer' } }],
      [[details('aad', codeNeeded)], idle, { learns: { clientName: 'Viewer', method: 'aad', outcome: codeNeeded } }],
      [[entered], 'loading'],
      [[failed('loadDetails', expired)], 'expired', { learns: { failure: expired } }],
    ],
    'loads it again every five seconds, or at once on request': [
      [[failed('loadDetails', offline)], 'unreachable', { learns: { failure: offline } }],
      [[failed('loadDetails', drift), 4_999], 'unreachable'],
      [[failed('loadDetails', drift), 5_000], 'loading', { calls: [load] }],
      [[failed('loadDetails', offline), retried], 'loading', { calls: [load] }],
      [[failed('loadDetails', offline), retried, retried], 'loading', { ignored: true }],
      [[failed('loadDetails', offline), retried, ...open], idle, { learns: { clientName: 'Viewer', failure: null } }],
      [
        [failed('loadDetails', offline), retried, failed('loadDetails', expired)],
        'expired',
        { learns: { failure: expired } },
      ],
    ],
    'redirects the browser when the user is identified': [
      [[...open, password], identifying, { calls: [['identify', { uid, identification: passwordOf }]] }],
      [
        [...open, password, done('identify', finished)],
        'finished',
        { emitted: [redirect], learns: { outcome: finished } },
      ],
      [[...open, identified(finished)], 'finished', { emitted: [redirect], learns: { outcome: finished } }],
      [[...open, identified(finished), entered], 'finished', { ignored: true, ended: true }],
    ],
    'asks for a code or an account, and accepts only that': [
      [codeAsked, idle, { learns: { outcome: codeNeeded } }],
      [[...codeAsked, password], idle, { ignored: true }],
      [[...codeAsked, smsRequested], idle, { ignored: true }],
      [[...codeAsked, account], idle, { ignored: true }],
      [[...codeAsked, identified(finished)], idle, { ignored: true }],
      [[...codeAsked, orderFailed(expired)], idle, { ignored: true }],
      [
        [...codeAsked, code],
        identifying,
        { calls: [['identify', { uid, identification: { kind: 'code', code: '654321' } }]] },
      ],
      [[...open, identified(severalAccounts)], idle, { learns: { outcome: severalAccounts } }],
      [[...open, identified(severalAccounts), code], idle, { ignored: true }],
      [
        [...open, identified(severalAccounts), account],
        identifying,
        { calls: [['identify', { uid, identification: { kind: 'account', id: 'a1' } }]] },
      ],
      [[...open, identified(severalAccounts), passkey], idle, { ignored: true }],
      [[...open, code], idle, { ignored: true }],
      [[...open, account], idle, { ignored: true }],
      [[...open, smsCode], idle, { ignored: true }],
    ],
    'accepts a passkey instead of a password, and as second factor': [
      [[...open, passkey], identifying, { calls: [['identify', { uid, identification: { kind: 'passkey' } }]] }],
      [
        [...open, passkey, done('identify', finished)],
        'finished',
        { emitted: [redirect], learns: { outcome: finished } },
      ],
      [[...codeAsked, passkey], identifying, { calls: [['identify', { uid, identification: { kind: 'passkey' } }]] }],
      [
        [...codeAsked, passkey, failed('identify', refused('sign-in-cancelled'))],
        idle,
        { learns: { failure: refused('sign-in-cancelled') } },
      ],
    ],
    'keeps the step after an error, until the next attempt': [
      [[...open, password, failed('identify', wrong)], idle, { learns: { failure: wrong } }],
      [
        [...open, password, failed('identify', wrong), password],
        identifying,
        { calls: [['identify', { uid, identification: passwordOf }]], learns: { failure: null } },
      ],
      [[...codeAsked, code, failed('identify', offline)], idle, { learns: { failure: offline } }],
      [[...open, password, password], identifying, { ignored: true }],
      [[...open, smsRequested, failed('requestSms', offline)], idle, { learns: { failure: offline } }],
      [
        [...open, smsRequested, failed('requestSms', offline), smsRequested],
        { ready: 'requestingSms' },
        { calls: [['requestSms', { uid, email: 'a@example.test', language: 'sv' }]], learns: { failure: null } },
      ],
      [[...open, orderFailed(refused('method-away'))], idle, { learns: { failure: refused('method-away') } }],
      [
        [...open, orderFailed(refused('method-away')), identified(codeNeeded)],
        idle,
        { learns: { failure: null, outcome: codeNeeded } },
      ],
    ],
    'stops when the request has expired': [
      [[...open, password, failed('identify', expired)], 'expired', { learns: { failure: expired } }],
      [[...open, smsRequested, failed('requestSms', expired)], 'expired', { learns: { failure: expired } }],
      [[...open, orderFailed(expired)], 'expired', { learns: { failure: expired } }],
      [[...open, orderFailed(expired), password], 'expired', { ignored: true, ended: true }],
    ],
    'sends a code by text message, again on request': [
      [
        [...open, smsRequested],
        { ready: 'requestingSms' },
        { calls: [['requestSms', { uid, email: 'a@example.test', language: 'sv' }]] },
      ],
      [sent, idle, { learns: { sms: { ...sms, isAgain: false } } }],
      [[...sent, smsRequested, done('requestSms', sms)], idle, { learns: { sms: { ...sms, isAgain: true } } }],
      [
        [...sent, smsCode],
        identifying,
        { calls: [['identify', { uid, identification: { kind: 'sms-code', code: '123456' } }]] },
      ],
      [[...sent, password], identifying, { calls: [['identify', { uid, identification: passwordOf }]] }],
      [[...sent, dismissed], idle, { learns: { sms: null } }],
      [[...sent, smsCode, failed('identify', wrong), dismissed], idle, { learns: { sms: null, failure: null } }],
      [[...sent, smsCode, dismissed], idle, { learns: { sms: null } }],
      [[...open, dismissed], idle, { ignored: true }],
      [[...sent, smsCode, done('identify', codeNeeded), dismissed], idle, { ignored: true }],
    ],
    'returns to the methods where the user chooses, and discards the attempt': [
      [[...open, otherMethod], idle, { emitted: [toList] }],
      [[...codeAsked, otherMethod], idle, { emitted: [toList], learns: { outcome: null } }],
      [[...codeAsked, code, otherMethod], idle, { emitted: [toList], learns: { outcome: null } }],
      [[...sent, otherMethod], idle, { emitted: [toList], learns: { sms: null } }],
      [[...open, password, failed('identify', wrong), entered], idle, { learns: { failure: null } }],
      [[...open, password, entered], idle],
      [[...codeAsked, entered], idle, { learns: { outcome: null } }],
      [[...sent, entered], idle, { learns: { sms: null } }],
    ],
    'aborts the request where the client chose the method': [
      [[...openForSms, otherMethod], 'aborting', { calls: [['abort', { uid }]] }],
      [[...openForSms, otherMethod, otherMethod], 'aborting', { ignored: true }],
      [
        [...openForSms, otherMethod, done('abort', { redirectTo: '/auth/callback' })],
        idle,
        { emitted: [{ type: 'redirect.requested', address: '/auth/callback' }] },
      ],
      [
        [...openForSms, otherMethod, failed('abort', expired)],
        idle,
        { emitted: [{ type: 'navigation.requested', path: '/authorization' }] },
      ],
    ],
  },
);
