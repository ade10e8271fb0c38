import type { Kysely } from 'kysely';
import type Provider from 'oidc-provider';
import type { Context } from 'oidc-provider';
import type { ProblemCode } from '../../contract/problem.ts';
import { openid } from '../../contract/sign-in.ts';
import type { Schema } from '../db/schema.ts';
import { accountByEmail } from '../db/stores/account-store.ts';
import type { Attempts } from './attempts.ts';
import { issueTokens } from './issue-tokens.ts';
import { verifyPassword } from './password.ts';

interface PasswordGrantOptions {
  readonly db: Kysely<Schema>;
  readonly attempts: Attempts;
  readonly addressOf: (request: Context['req']) => string;
}

/** RFC 6749 section 5.2; the description is a problem code, so the browser can say which it was. */
const refuse = (ctx: Context, status: 400 | 429, code: ProblemCode): void => {
  ctx.status = status;
  ctx.body = { error: 'invalid_grant', error_description: code };
};

/** grant_type=password: e-mail and password for tokens (RFC 6749 section 4.3), for this archive's own client. */
export const passwordGrant =
  (provider: Provider, { db, attempts, addressOf }: PasswordGrantOptions) =>
  async (ctx: Context): Promise<void> => {
    const { username = '', password = '', scope = openid.scope } = ctx.oidc.params;
    const address = addressOf(ctx.req);
    if (!(await attempts.begin(username, address))) return refuse(ctx, 429, 'too-many-requests');
    const account = await accountByEmail(db, username);
    if (!(await verifyPassword(password, account?.passwordHash)) || !account)
      return refuse(ctx, 400, 'incorrect-login');
    await attempts.succeeded(username, address);
    if (!account.isActive) return refuse(ctx, 400, 'account-inactive');
    const offered = openid.scope.split(' ');
    const asked = scope.split(' ').filter((name) => offered.includes(name));
    await issueTokens(provider, ctx, { db, account, scope: asked.join(' '), amr: ['pwd'] });
  };
