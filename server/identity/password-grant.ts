import type { Kysely } from 'kysely';
import type Provider from 'oidc-provider';
import type { Context } from 'oidc-provider';
import type { ProblemCode } from '../../contract/problem.ts';
import { openid } from '../../contract/sign-in.ts';
import type { Schema } from '../db/schema.ts';
import type { Account } from '../db/stores/account-store.ts';
import { newSession } from '../db/stores/sessions.ts';
import { ProblemError } from '../domain/problem-error.ts';
import type { PasswordCheck } from './check-password.ts';
import type { IdentityLog } from './identity-log.ts';
import { issueTokens } from './issue-tokens.ts';
import type { SecondFactor } from './second-factor.ts';

interface PasswordGrantOptions {
  readonly db: Kysely<Schema>;
  readonly passwords: PasswordCheck;
  readonly secondFactor: SecondFactor;
  readonly log: IdentityLog;
  readonly addressOf: (request: Context['req']) => string;
}

/** Error reply of RFC 6749 section 5.2; the description is a problem code for the browser. */
const replyWithProblem = (ctx: Context, status: 400 | 429, code: ProblemCode): void => {
  ctx.status = status;
  ctx.body = { error: 'invalid_grant', error_description: code };
};

/** Returns the account after both factors are verified. @throws ProblemError */
const signedInBy = async (
  { passwords, secondFactor, log, addressOf }: PasswordGrantOptions,
  ctx: Context,
): Promise<{ account: Account; amr: string[] }> => {
  const { username = '', password = '', code } = ctx.oidc.params;
  const account = await passwords.checkPassword({ email: username, password, address: addressOf(ctx.req) });
  if (!account.twoFactorEnabled) return { account, amr: ['pwd'] };
  if (!code) throw new ProblemError('code-needed');
  if (await secondFactor.accepts(account, code)) return { account, amr: ['pwd', 'otp'] };
  await log.note({
    action: 'sign-in.refused',
    method: 'password',
    account,
    detail: 'incorrect-code',
    address: addressOf(ctx.req),
  });
  throw new ProblemError('incorrect-code');
};

/** Implements grant_type=password (RFC 6749 section 4.3): e-mail, password and, with two-factor, `code`. Only for the browser client. */
export const passwordGrant =
  (provider: Provider, options: PasswordGrantOptions) =>
  async (ctx: Context): Promise<void> => {
    const { scope = openid.scope } = ctx.oidc.params;
    try {
      const { account, amr } = await signedInBy(options, ctx);
      const offered = openid.scope.split(' ');
      const granted = scope.split(' ').filter((name) => offered.includes(name));
      const address = options.addressOf(ctx.req);
      const device = ctx.req.headers['user-agent'];
      const facts = newSession({ method: 'password', isStrong: false, address, device });
      await issueTokens(provider, ctx, { db: options.db, account, scope: granted.join(' '), amr, facts });
      await options.log.note({ action: 'sign-in', account, detail: 'password', address });
    } catch (error) {
      if (!(error instanceof ProblemError)) throw error;
      replyWithProblem(ctx, error.code === 'too-many-requests' ? 429 : 400, error.code);
    }
  };
