import { interactionMachine } from '../../../src/machines/interaction/interaction.machine.ts';
import { done, failed, type Model, offline, refused } from '../../paths.ts';

export const uid = 'interaction-1';
const clientName = 'Viewer';
export const finished = { outcome: 'finished', redirectTo: '/interaction/1/resume' } as const;
const codeNeeded = { outcome: 'code-needed', factors: ['authenticator', 'passkey'] } as const;
const account = { id: '7b1f6a2e-0f0e-4a94-9d5f-0c8b6d1c2a11', role: 'Doctor', clinic: 'Eken' };
const severalAccounts = { outcome: 'choose-account', accounts: [account] } as const;
const email = 'a@example.test';

/** A sign-in for another program, from the page load to the redirect. */
export const interaction: Model = {
  name: 'interaction',
  machine: interactionMachine,
  input: { uid },
  events: [
    { type: 'details.retried' },
    { type: 'identification.requested', identification: { kind: 'password', email, password: 'Secret-1' } },
    { type: 'identification.requested', identification: { kind: 'sms-code', code: '123456' } },
    { type: 'identification.requested', identification: { kind: 'code', code: '123456' } },
    { type: 'identification.requested', identification: { kind: 'passkey' } },
    { type: 'identification.requested', identification: { kind: 'account', id: account.id } },
    { type: 'sms.requested', email, language: 'en' },
    { type: 'code.dismissed' },
    { type: 'user.identified', outcome: finished },
    { type: 'user.identified', outcome: severalAccounts },
    { type: 'identification.failed', failure: refused('method-away') },
    { type: 'identification.failed', failure: refused('sign-in-expired') },
    { type: 'method.changed' },
    { type: 'path.entered', path: '/authorization/sms' },
    done('loadDetails', { clientName, method: null, pending: null }),
    done('loadDetails', { clientName, method: 'sms', pending: codeNeeded }),
    failed('loadDetails', offline),
    failed('loadDetails', refused('sign-in-expired')),
    done('identify', finished),
    done('identify', codeNeeded),
    failed('identify', refused('incorrect-login')),
    failed('identify', refused('sign-in-expired')),
    failed('identify', offline),
    done('requestSms', { email, goodForSeconds: 300, againAt: 60_000 }),
    failed('requestSms', refused('sign-in-expired')),
    failed('requestSms', offline),
    done('abort', { redirectTo: '/auth/callback?error=access_denied' }),
    failed('abort', offline),
  ],
  facts: ({ context: { method, outcome, sms, failure } }) => ({
    method,
    outcome: outcome?.outcome,
    sentAgain: sms?.isAgain ?? null,
    failure: failure && (failure.kind === 'refused' ? failure.code : failure.kind),
  }),
};
