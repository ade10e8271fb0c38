import type { FastifyInstance } from 'fastify';
import type { Kysely } from 'kysely';
import { hasClaim } from '../../contract/claims.ts';
import { resetPassword, resetPasswordRequest } from '../../contract/passwords.ts';
import type { Schema } from '../db/schema.ts';
import { accountByEmail } from '../db/stores/account-store.ts';
import { canSeeAccount } from '../domain/policy/can-see-account.ts';
import { ProblemError } from '../domain/problem-error.ts';
import { isLoopbackName } from '../loopback.ts';
import type { Mailer } from '../mail/mailer.ts';
import { type Binding, bindOpen } from '../route-binding.ts';
import { passwordResetKind, resetPasswordBy } from './password-reset.ts';

interface PasswordDependencies {
  readonly db: Kysely<Schema>;
  readonly binding: Binding;
  /** Public URL. */
  readonly issuer: string;
  readonly mailer: Mailer;
}

/** `localhost` and `127.0.0.1` are the same archive on this machine. */
const sameOrigin = (page: URL, own: URL): boolean =>
  page.origin === own.origin ||
  (isLoopbackName(page.hostname) && isLoopbackName(own.hostname) && originOf(page) === originOf(own));
const originOf = ({ protocol, port }: URL): string => `${protocol}//:${port}`;

/** Ensures that links in e-mails lead to this archive only. @throws ProblemError 'invalid-request' */
const ownPage = (redirectUrl: string, issuer: string): string => {
  const [page, own] = [new URL(redirectUrl), new URL(issuer)];
  if (!sameOrigin(page, own) || page.username !== '' || page.password !== '')
    throw new ProblemError('invalid-request', [{ fieldKey: 'redirectUrl' }]);
  // Compared component by component: as one string, a path starting with // would name another host.
  own.pathname = page.pathname;
  own.search = page.search;
  return own.href;
};

export const passwordRoutes = (
  server: FastifyInstance,
  { db, binding, issuer, mailer: post }: PasswordDependencies,
): void => {
  const reset = resetPasswordBy(db);

  /** Returns whether the caller administers that account; only then the delivery result is reported. */
  const isAdministratorOf = async (authorization: string | undefined, email: string): Promise<boolean> => {
    if (authorization === undefined) return false;
    const principal = await binding.authenticate(authorization);
    const account = await accountByEmail(db, email);
    if (!account || !hasClaim(principal.permissions, 'user.update')) return false;
    if (!canSeeAccount(principal, { id: account.id, customerId: account.customer?.id ?? null })) return false;
    if (!account.isActive) throw new ProblemError('account-inactive');
    return true;
  };

  bindOpen(server, binding, resetPasswordRequest, async ({ body, request, reply }) => {
    const page = ownPage(body.redirectUrl, issuer);
    const mailRequest = { kind: passwordResetKind, email: body.email, language: body.language ?? 'sv', page };
    if (await isAdministratorOf(request.headers.authorization, body.email)) await post.sendNow(mailRequest);
    else {
      await post.enqueue(mailRequest);
      reply.raw.once('close', post.wake);
    }
    return {};
  });

  bindOpen(server, binding, resetPassword, async ({ body }) => {
    await reset({ accountId: body.id, key: body.SecurityStamp, password: body.password });
    return {};
  });
};
