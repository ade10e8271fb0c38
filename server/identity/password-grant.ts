import type { Kysely } from 'kysely';
import type Provider from 'oidc-provider';
import type { Context } from 'oidc-provider';
import type { ProblemCode } from '../../contract/problem.ts';
import { openid } from '../../contract/sign-in.ts';
import type { Schema } from '../db/schema.ts';
import type { Account } from '../db/stores/account-store.ts';
import { Refusal } from '../refusal.ts';
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

/** RFC 6749 section 5.2; the description is a problem code, so the browser can say which it was. */
const refuse = (ctx: Context, status: 400 | 429, code: ProblemCode): void => {
  ctx.status = status;
  ctx.body = { error: 'invalid_grant', error_description: code };
};

/** The account, when both factors were right. @throws Refusal */
const signedInBy = async (
  { passwords, secondFactor, log, addressOf }: PasswordGrantOptions,
  ctx: Context,
): Promise<{ account: Account; amr: string[] }> => {
  const { username = '', password = '', code } = ctx.oidc.params;
  const account = await passwords.checkPassword({ email: username, password, address: addressOf(ctx.req) });
  if (!account.twoFactorEnabled) return { account, amr: ['pwd'] };
  if (!code) throw new Refusal('code-needed');
  if (await secondFactor.accepts(account, code)) return { account, amr: ['pwd', 'otp'] };
  await log.note({ action: 'sign-in.refused', account, detail: 'incorrect-code' });
  throw new Refusal('incorrect-code');
};

/** grant_type=password: e-mail, password and, where two-factor is on, `code`, for tokens (RFC 6749 section 4.3). For our own client only. */
export const passwordGrant =
  (provider: Provider, options: PasswordGrantOptions) =>
  async (ctx: Context): Promise<void> => {
    const { scope = openid.scope } = ctx.oidc.params;
    try {
      const { account, amr } = await signedInBy(options, ctx);
      const offered = openid.scope.split(' ');
      const asked = scope.split(' ').filter((name) => offered.includes(name));
      await issueTokens(provider, ctx, { db: options.db, account, scope: asked.join(' '), amr });
      await options.log.note({ action: 'sign-in', account, detail: 'password' });
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      refuse(ctx, error.code === 'too-many-requests' ? 429 : 400, error.code);
    }
  };
