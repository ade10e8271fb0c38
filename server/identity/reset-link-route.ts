import type { FastifyInstance } from 'fastify';
import { resetLinkCreate } from '../../contract/passwords.ts';
import type { ReplyOf } from '../../contract/route.ts';
import { ProblemError } from '../domain/problem-error.ts';
import { bind } from '../route-binding.ts';
import { changeEmployeeOf } from './employee-step.ts';
import { ownPage } from './own-page.ts';
import { passwordResetKind, resetLinkToCopy } from './password-reset.ts';
import type { PasswordDependencies } from './password-routes.ts';
import type { PasswordSettings } from './password-settings.ts';

interface ResetLinkDependencies extends Omit<PasswordDependencies, 'tell'> {
  readonly passwords: PasswordSettings;
}

/** Registers the route by which administrators give a user a reset link: sent by the mail server, or without one returned once. */
export const resetLinkRoute = (
  server: FastifyInstance,
  { db, binding, issuer, mailer, mailDestination, passwords }: ResetLinkDependencies,
): void => {
  bind(server, binding, resetLinkCreate, async ({ principal, body: { id, redirectUrl, language = 'sv' } }) => {
    const page = ownPage(redirectUrl, issuer);
    const hasMailServer = (await mailDestination()) === 'mail-server';
    let reply: ReplyOf<typeof resetLinkCreate> = { delivery: 'mail-server' };
    const { email } = await changeEmployeeOf(db, principal, { id }, async ({ transaction, employee, note }) => {
      if (!employee.isActive) throw new ProblemError('account-inactive');
      await note(hasMailServer ? 'user.reset-link-requested' : 'user.reset-link-shown');
      if (hasMailServer) return;
      const goodForMinutes = passwords.resetMinutes;
      const { link, expiresAt } = await resetLinkToCopy(transaction, id, { page, goodForMinutes });
      reply = { delivery: 'copy', link, expiresAt: expiresAt.toISOString() };
    });
    if (hasMailServer) await mailer.sendNow({ kind: passwordResetKind, email, language, page });
    return reply;
  });
};
