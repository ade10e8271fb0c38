import type { SessionEvent } from '../../../src/machines/session/session.machine.ts';
import {
  automatic,
  blocked,
  byHand,
  type EventInstructions,
  follows,
  label,
  type MachineInstructions,
  offline,
  rejected,
  unavailable,
  withDeveloperTools,
  withProxy,
  withTestServers,
} from './instruction.ts';

const tokenCall = '*/connect/token*';
const accountCalls = '*/api/Account/info*';
const permissionCall = '*/connect/userinfo*';

const setPassword = `In another browser, sign in as an administrator and choose ${label('users:setPassword')} for this user.`;
const deactivate = `In another browser, sign in as an administrator and choose ${label('users:deactivate')} for this user.`;
/** A stored sign-in is renewed when the page is opened after the access token has expired. */
const reopen =
  'Sign in, close the page and wait five minutes, until the access token has expired. Then open the page again.';

export const session = {
  events: {
    'sign-in.submitted': ({ byPasskey }) =>
      byHand(
        byPasskey
          ? `Press ${label('sign-in:usePasskey')} and follow the browser.`
          : `Enter the account in ${label('sign-in:email')} and ${label('sign-in:password')} and press ${label('sign-in:submit')}. If a code is asked for, enter it in ${label('sign-in:code')} and press ${label('sign-in:verify')}.`,
      ),
    'method.chosen': withTestServers(`Under ${label('sign-in:methods')}, choose ${label('sign-in:name-bankid')}.`),
    'code.dismissed': byHand(`Press ${label('sign-in:back')}.`),
    'restore.retried': byHand(`Press ${label('sign-in:retryNow')}.`),
    'sign-out.requested': byHand(
      `Press ${label('header:signOut')} and confirm with ${label('account:signOut')}. Without a page header: press ${label('sign-in:otherUser')}.`,
    ),
    'session.ended-elsewhere': byHand('Open the program in a second tab of the same browser and sign out there.'),
    'token.rejected': ({ failure }) =>
      byHand(
        `${failure.kind === 'refused' && failure.code === 'account-inactive' ? deactivate : setPassword} Then open another page here.`,
      ),
    'page.woke': ({ renewInMs }) =>
      byHand(
        renewInMs > 0
          ? 'Switch to another tab and back.'
          : 'Let the computer sleep for more than five minutes and wake it.',
      ),
    'clinic.chosen': byHand(
      `As a super administrator: open ${label('header:clinics')}, choose a clinic and press ${label('clinics:work')}.`,
    ),
    'clinic.closed': byHand(`In the page header, press the cross ${label('shell:leaveClinic')}.`),
    'path.entered': byHand(
      'Enter the path in the address bar, after the address of the program, or follow a link to it.',
    ),
  } satisfies EventInstructions<SessionEvent>,
  replies: {
    'restoreSession done': (grant: unknown) =>
      byHand(
        grant === null
          ? 'Open the page in a private window, where no sign-in is stored.'
          : 'Sign in and reload the page: the stored sign-in is found.',
      ),
    'restoreSession offline': withDeveloperTools(
      `${reopen} Before opening it, block ${tokenCall} under "Network request blocking".`,
    ),
    'restoreSession drift': withDeveloperTools(
      `${reopen} Before opening it, choose "Override content" for ${tokenCall} and enter {}.`,
    ),
    'restoreSession internal': unavailable(`${tokenCall}, sent when the page is opened with an expired access token,`),
    'restoreSession not-signed-in': byHand(
      `Sign in and close the page. ${setPassword} After five minutes, open the page again.`,
    ),
    'restoreSession account-inactive': rejected(
      `${tokenCall}, sent when the page is opened with an expired access token,`,
      'account-inactive',
    ),
    'restoreSession sign-in-expired': byHand('Open the address /auth/callback?code=expired&state=expired.'),
    'startSignIn done': byHand('Press the Back button of the browser on the page of the other way to sign in.'),
    'startSignIn offline': withDeveloperTools(
      'Open the sign-in page, then block */assets/oidc* under "Network request blocking" before the previous step.',
    ),
    'signIn done': automatic,
    'signIn incorrect-login': byHand('Before the previous step: enter a wrong password.'),
    'signIn code-needed': byHand('Before the previous step: use an account with two-factor authentication.'),
    'signIn incorrect-code': byHand('Before the previous step: enter a wrong code.'),
    'signIn incorrect-passkey': byHand(
      'Before the previous step: in another browser, remove the passkey that you choose.',
    ),
    'signIn offline': offline,
    'resolveAccount done': automatic,
    'resolveAccount offline': blocked(accountCalls),
    'resolveAccount internal': rejected(accountCalls, 'internal'),
    'recheckPermissions done': byHand(
      'If the rights in the data differ from those at sign-in: before the previous step, in another browser, let a super administrator change the rights of the role of this user. Otherwise do nothing.',
    ),
    'recheckPermissions offline': blocked(permissionCall),
    'recheckPermissions account-inactive': rejected(permissionCall, 'account-inactive'),
    'renewToken done': follows('the token is renewed by itself.'),
    'renewToken not-signed-in': byHand(`Before the previous step: ${setPassword}`),
    'renewToken offline': blocked(tokenCall),
    'renewToken internal': unavailable(tokenCall),
    'signOut done': automatic,
    'signOut offline': offline,
  },
  delays: {
    loginWait: withProxy(`${reopen} Before opening it, let the proxy hold the reply to ${tokenCall} for ten seconds.`),
  },
} satisfies MachineInstructions;
