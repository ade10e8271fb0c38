import type { MailDestination, Mailer } from '../../mail/mailer.ts';
import { passwordResetKind } from '../password-reset.ts';
import type { Invite } from './user-calls.ts';

interface InvitationDependencies {
  /** Public URL. */
  readonly issuer: string;
  readonly mailer: Mailer;
  readonly mailDestination: () => Promise<MailDestination>;
}

/** Queues the invitation of a new user; where there is no mail server, an administrator gives the link ("Invite again"). */
export const directoryInvitations =
  ({ issuer, mailer, mailDestination }: InvitationDependencies): Invite =>
  async ({ email }, language) => {
    if ((await mailDestination()) !== 'mail-server') return;
    const page = new URL('/authorization/newpassword', issuer).href;
    await mailer.enqueue({ kind: passwordResetKind, email, language, page });
    mailer.wake();
  };
