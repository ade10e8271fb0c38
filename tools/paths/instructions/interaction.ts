import type { InteractionOutcome } from '../../../contract/interactions.ts';
import type { InteractionEvent } from '../../../src/machines/interaction/interaction.machine.ts';
import {
  automatic,
  blocked,
  byHand,
  type EventInstructions,
  follows,
  type Instruction,
  label,
  type MachineInstructions,
  withTestServers,
} from './instruction.ts';

const details = '*/interaction/*/details';
const identify = '*/interaction/*';
const requestSms = '*/interaction/*/sms';
const abort = '*/interaction/*/abort';

const expired = byHand(
  'Before the previous step: leave the page open for more than 15 minutes, until the sign-in has expired.',
);
const viaBankId = `Choose ${label('sign-in:name-bankid')}.`;

const entered = {
  password: `Enter the account in ${label('sign-in:email')} and ${label('sign-in:password')} and press ${label('sign-in:submit')}.`,
  'sms-code': `Enter the code of the text message in ${label('interaction:smsCode')}.`,
  code: `Enter the code of the authenticator in ${label('sign-in:code')}.`,
  passkey: `Choose ${label('sign-in:name-passkey')}, or press ${label('sign-in:usePasskey')} after the password, and follow the browser.`,
  account: `Under ${label('interaction:chooseTitle')}, choose an account.`,
} as const;

const loaded = ({ method }: { readonly method: unknown }): Instruction =>
  withTestServers(
    method === null
      ? 'In another program that uses this archive as its OpenID provider, choose to sign in.'
      : `Sign out, choose ${label('sign-in:name-sms')}, sign in with an account with two-factor authentication, and reload the page where the code of the authenticator is asked for.`,
  );

const identified = ({ outcome }: InteractionOutcome): Instruction =>
  outcome === 'code-needed'
    ? byHand('Before the previous step: use an account with two-factor authentication.')
    : automatic;

export const interaction = {
  events: {
    'details.retried': byHand(`Press ${label('sign-in:retryNow')}.`),
    'identification.requested': ({ identification }) => byHand(entered[identification.kind]),
    'sms.requested': withTestServers(
      `Choose ${label('sign-in:name-sms')}, enter the address in ${label('sign-in:email')} and press ${label('interaction:smsSend')}. If a code was sent already: press ${label('interaction:smsAgain')}.`,
    ),
    'code.dismissed': byHand(`Press ${label('interaction:smsOther')}.`),
    'user.identified': ({ outcome: { outcome } }) =>
      withTestServers(
        `${viaBankId} On the page of the BankID app, choose a person with ${outcome === 'choose-account' ? 'several accounts' : 'one account'}, paste the QR code and confirm.`,
      ),
    'identification.failed': ({ failure }) =>
      failure.kind === 'refused' && failure.code === 'sign-in-expired'
        ? byHand(`Leave the page open for more than 15 minutes, until the sign-in has expired. ${viaBankId}`)
        : withTestServers(`Send POST /away {"away": true} to the BankID test server. ${viaBankId}`),
    'method.changed': byHand(`Press ${label('interaction:otherWays')} or ${label('sign-in:back')}.`),
    'path.entered': byHand('Go to another page of the sign-in with the Back button of the browser.'),
  } satisfies EventInstructions<InteractionEvent>,
  replies: {
    'loadDetails done': loaded,
    'loadDetails offline': blocked(details),
    'loadDetails sign-in-expired': byHand('Open the address of the page in another browser.'),
    'identify done': identified,
    'identify incorrect-login': byHand('Before the previous step: enter a wrong password or code.'),
    'identify sign-in-expired': expired,
    'identify offline': blocked(identify),
    'requestSms done': follows('the archive sends the text message.'),
    'requestSms sign-in-expired': expired,
    'requestSms offline': blocked(requestSms),
    'abort done': automatic,
    'abort offline': blocked(abort),
  },
} satisfies MachineInstructions;
