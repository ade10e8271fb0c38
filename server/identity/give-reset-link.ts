import type { Kysely } from 'kysely';
import type { resetLinkCreate } from '../../contract/passwords.ts';
import type { ReplyOf } from '../../contract/route.ts';
import type { MailLanguage } from '../../contract/sign-in.ts';
import type { Schema } from '../db/schema.ts';
import type { MailRequest } from '../db/stores/mail-queue.ts';
import type { Principal } from '../domain/policy/principal.ts';
import { ProblemError } from '../domain/problem-error.ts';
import type { MailDestination } from '../mail/mailer.ts';
import { changeEmployeeOf } from './employee-step.ts';
import { passwordResetKind, resetLinkToCopy } from './password-reset.ts';

interface GiveLinkDependencies {
  readonly db: Kysely<Schema>;
  readonly mailDestination: () => Promise<MailDestination>;
  readonly resetMinutes: number;
}

interface LinkRequest {
  readonly id: string;
  /** A page of this archive, as `ownPage` returns it. */
  readonly page: string;
  readonly language: MailLanguage;
}

/**
 * Gives a user a link to choose a password: hands it to `send` where there is a mail server, else returns it.
 * @throws ProblemError as `changeEmployeeOf`; 'account-inactive'; as `send`
 */
export const giveResetLink = async (
  { db, mailDestination, resetMinutes }: GiveLinkDependencies,
  principal: Principal,
  { id, page, language }: LinkRequest,
  send: (request: MailRequest) => Promise<void>,
): Promise<ReplyOf<typeof resetLinkCreate>> => {
  const hasMailServer = (await mailDestination()) === 'mail-server';
  let reply: ReplyOf<typeof resetLinkCreate> = { delivery: 'mail-server' };
  const { email } = await changeEmployeeOf(db, principal, { id }, async ({ transaction, employee, note }) => {
    if (!employee.isActive) throw new ProblemError('account-inactive');
    await note(hasMailServer ? 'user.reset-link-requested' : 'user.reset-link-shown');
    if (hasMailServer) return;
    const { link, expiresAt } = await resetLinkToCopy(transaction, id, { page, goodForMinutes: resetMinutes });
    reply = { delivery: 'copy', link, expiresAt: expiresAt.toISOString() };
  });
  if (hasMailServer) await send({ kind: passwordResetKind, email, language, page });
  return reply;
};
