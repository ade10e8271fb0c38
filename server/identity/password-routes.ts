import type { FastifyInstance } from 'fastify';
import type { Kysely } from 'kysely';
import { mayDo } from '../../contract/claims.ts';
import { resetPassword, resetPasswordRequest } from '../../contract/passwords.ts';
import type { Schema } from '../db/schema.ts';
import { accountByEmail } from '../db/stores/account-store.ts';
import { isLoopbackName } from '../loopback.ts';
import type { Post } from '../mail/post.ts';
import { maySeeAccount } from '../policy/may-see-account.ts';
import { Refusal } from '../refusal.ts';
import { type Binding, bindOpen } from '../route-binding.ts';
import { passwordResetKind, resetPasswordBy } from './password-reset.ts';

interface PasswordDependencies {
  readonly db: Kysely<Schema>;
  readonly binding: Binding;
  /** Where browsers reach us. */
  readonly issuer: string;
  readonly post: Post;
}

/** `localhost` and `127.0.0.1` are the same archive to whoever sits at this machine. */
const sameOrigin = (page: URL, own: URL): boolean =>
  page.origin === own.origin ||
  (isLoopbackName(page.hostname) && isLoopbackName(own.hostname) && originOf(page) === originOf(own));
const originOf = ({ protocol, port }: URL): string => `${protocol}//:${port}`;

/** A link in a letter of ours leads to us and nowhere else. @throws Refusal 'invalid-request' */
const ownPage = (redirectUrl: string, issuer: string): string => {
  const [page, own] = [new URL(redirectUrl), new URL(issuer)];
  if (!sameOrigin(page, own) || page.username !== '' || page.password !== '')
    throw new Refusal('invalid-request', [{ fieldKey: 'redirectUrl' }]);
  // Part by part: as one text, a path that begins with // would name another host.
  own.pathname = page.pathname;
  own.search = page.search;
  return own.href;
};

export const passwordRoutes = (server: FastifyInstance, { db, binding, issuer, post }: PasswordDependencies): void => {
  const reset = resetPasswordBy(db);

  /** Whether the caller is an administrator of that account: then they hear what became of the letter. */
  const isAdministratorOf = async (authorization: string | undefined, email: string): Promise<boolean> => {
    if (authorization === undefined) return false;
    const principal = await binding.authenticate(authorization);
    const account = await accountByEmail(db, email);
    if (!account || !mayDo(principal.permissions, 'user.update')) return false;
    if (!maySeeAccount(principal, { id: account.id, customerId: account.customer?.id ?? null })) return false;
    if (!account.isActive) throw new Refusal('account-inactive');
    return true;
  };

  bindOpen(server, binding, resetPasswordRequest, async ({ body, request, reply }) => {
    const page = ownPage(body.redirectUrl, issuer);
    const wish = { kind: passwordResetKind, email: body.email, language: body.language ?? 'sv', page };
    if (await isAdministratorOf(request.headers.authorization, body.email)) await post.sendNow(wish);
    else {
      await post.ask(wish);
      reply.raw.once('close', post.wake);
    }
    return {};
  });

  bindOpen(server, binding, resetPassword, async ({ body }) => {
    await reset({ accountId: body.id, key: body.SecurityStamp, password: body.password });
    return {};
  });
};
