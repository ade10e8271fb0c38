import type { FastifyInstance } from 'fastify';
import type { Kysely } from 'kysely';
import { resetPassword, resetPasswordRequest } from '../../contract/passwords.ts';
import type { Schema } from '../db/schema.ts';
import { ProblemError } from '../domain/problem-error.ts';
import type { MailDestination, Mailer } from '../mail/mailer.ts';
import { type Binding, bindOpen } from '../route-binding.ts';
import { noticeLanguage, type TellUser } from './notices.ts';
import { ownPage } from './own-page.ts';
import { passwordResetKind, resetPasswordBy } from './password-reset.ts';

export interface PasswordDependencies {
  readonly db: Kysely<Schema>;
  readonly binding: Binding;
  /** Public URL. */
  readonly issuer: string;
  readonly mailer: Mailer;
  readonly mailDestination: () => Promise<MailDestination>;
  readonly tell: TellUser;
}

/** Registers the routes of users who cannot sign in. */
export const passwordRoutes = (
  server: FastifyInstance,
  { db, binding, issuer, mailer, mailDestination, tell }: PasswordDependencies,
): void => {
  const reset = resetPasswordBy(db);

  bindOpen(server, binding, resetPasswordRequest, async ({ body, reply }) => {
    const page = ownPage(body.redirectUrl, issuer);
    if ((await mailDestination()) === 'none') throw new ProblemError('mail-not-configured');
    await mailer.enqueue({ kind: passwordResetKind, email: body.email, language: body.language ?? 'sv', page });
    reply.raw.once('close', mailer.wake);
    return {};
  });

  bindOpen(server, binding, resetPassword, async ({ body, request }) => {
    const email = await reset({ accountId: body.id, key: body.SecurityStamp, password: body.password });
    await tell('password-changed', email, noticeLanguage(request));
    return {};
  });
};
