import type { FastifyInstance } from 'fastify';
import type { Kysely } from 'kysely';
import { ownPassword, resetPassword, resetPasswordRequest } from '../../contract/passwords.ts';
import type { Schema } from '../db/schema.ts';
import { ProblemError } from '../domain/problem-error.ts';
import type { MailDestination, Mailer } from '../mail/mailer.ts';
import { type Binding, bind, bindOpen } from '../route-binding.ts';
import { clientAddress } from '../web/client-address.ts';
import type { PasswordCheck } from './check-password.ts';
import { ownPage } from './own-page.ts';
import { changeOwnPassword } from './own-password.ts';
import { passwordResetKind, resetPasswordBy } from './password-reset.ts';

export interface PasswordDependencies {
  readonly db: Kysely<Schema>;
  readonly binding: Binding;
  readonly passwordCheck: PasswordCheck;
  /** Public URL. */
  readonly issuer: string;
  readonly mailer: Mailer;
  readonly mailDestination: () => Promise<MailDestination>;
}

/** Registers the routes of users who cannot sign in, and of users who change their own password. */
export const passwordRoutes = (
  server: FastifyInstance,
  { db, binding, passwordCheck, issuer, mailer, mailDestination }: PasswordDependencies,
): void => {
  const reset = resetPasswordBy(db);

  bindOpen(server, binding, resetPasswordRequest, async ({ body, reply }) => {
    const page = ownPage(body.redirectUrl, issuer);
    if ((await mailDestination()) === 'none') throw new ProblemError('mail-not-configured');
    await mailer.enqueue({ kind: passwordResetKind, email: body.email, language: body.language ?? 'sv', page });
    reply.raw.once('close', mailer.wake);
    return {};
  });

  bindOpen(server, binding, resetPassword, async ({ body }) => {
    await reset({ accountId: body.id, key: body.SecurityStamp, password: body.password });
    return {};
  });

  bind(server, binding, ownPassword, async ({ principal, body, request }) => {
    await changeOwnPassword({ db, passwordCheck }, principal, { ...body, address: clientAddress(request) });
    return {};
  });
};
