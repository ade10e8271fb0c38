import type { Kysely } from 'kysely';
import type Provider from 'oidc-provider';
import type { Context } from 'oidc-provider';
import { type PasskeyAssertion, passkeyAssertion } from '../../contract/passkey-messages.ts';
import type { ProblemCode } from '../../contract/problem.ts';
import { openid } from '../../contract/sign-in.ts';
import type { Schema } from '../db/schema.ts';
import type { Account } from '../db/stores/account-store.ts';
import { newSession } from '../db/stores/sessions.ts';
import { ProblemError } from '../domain/problem-error.ts';
import type { PasswordCheck } from './check-password.ts';
import type { IdentityLog } from './identity-log.ts';
import { issueTokens } from './issue-tokens.ts';
import type { PasskeyRefusal } from './passkeys/passkey-ceremonies.ts';
import { type PasskeyParty, passkeyPartyAt } from './passkeys/passkey-party.ts';
import { factorsOf, type SecondFactor } from './second-factor.ts';

interface PasswordGrantOptions {
  readonly db: Kysely<Schema>;
  readonly passwords: PasswordCheck;
  readonly secondFactor: SecondFactor;
  readonly log: IdentityLog;
  readonly addressOf: (request: Context['req']) => string;
}

/** Error reply of RFC 6749 section 5.2; the description is a problem code for the browser. */
const replyWithProblem = (ctx: Context, status: 400 | 429, code: ProblemCode, more: object = {}): void => {
  ctx.status = status;
  ctx.body = { error: 'invalid_grant', error_description: code, ...more };
};

/** Returns the relying party of passkeys at the origin that `own-origin-headers.ts` wrote. */
const partyOf = ({ req: { headers } }: Context): PasskeyParty | null =>
  passkeyPartyAt(`${headers['x-forwarded-proto']}://${headers['x-forwarded-host']}`);

const assertionOf = (text: string): PasskeyAssertion | undefined => {
  try {
    return passkeyAssertion.safeParse(JSON.parse(text)).data;
  } catch {
    return undefined;
  }
};

/** Verifies the second factor. Returns how, or why it is refused. @throws ProblemError 'too-many-requests' */
const checkSecondFactor = async (
  { secondFactor }: PasswordGrantOptions,
  ctx: Context,
  account: Account,
): Promise<{ readonly amr: string[] } | { readonly refusal: 'code-needed' | 'incorrect-code' | PasskeyRefusal }> => {
  const { code, passkey } = ctx.oidc.params;
  if (!account.twoFactorEnabled) return { amr: ['pwd'] };
  if (passkey) {
    const party = partyOf(ctx);
    const response = assertionOf(passkey);
    const refusal =
      party && response ? await secondFactor.refusalOfPasskey(account, party, response) : 'incorrect-passkey';
    return refusal ? { refusal } : { amr: ['pwd', 'pop'] };
  }
  if (!code) return { refusal: 'code-needed' };
  return (await secondFactor.accepts(account, code)) ? { amr: ['pwd', 'otp'] } : { refusal: 'incorrect-code' };
};

/** Replies that the second factor is missing or wrong, with what the browser needs to ask for it. */
const replyWithFactors = async (
  { secondFactor, log, addressOf }: PasswordGrantOptions,
  ctx: Context,
  {
    account,
    refusal,
  }: { readonly account: Account; readonly refusal: 'code-needed' | 'incorrect-code' | PasskeyRefusal },
): Promise<void> => {
  if (refusal !== 'code-needed')
    await log.note({
      action: 'sign-in.refused',
      method: 'password',
      account,
      detail: refusal,
      address: addressOf(ctx.req),
    });
  const party = account.hasPasskey ? partyOf(ctx) : null;
  const more = {
    second_factors: factorsOf(account),
    ...(party && { passkey: await secondFactor.passkeyRequest(account, party) }),
  };
  replyWithProblem(ctx, 400, refusal === 'passkey-counter' ? 'incorrect-passkey' : refusal, more);
};

/**
 * Implements grant_type=password (RFC 6749 section 4.3): e-mail, password and, with two-factor, `code` or `passkey`, its reply as JSON. Only for the
 * browser client.
 */
export const passwordGrant =
  (provider: Provider, options: PasswordGrantOptions) =>
  async (ctx: Context): Promise<void> => {
    const { scope = openid.scope } = ctx.oidc.params;
    try {
      const { username = '', password = '' } = ctx.oidc.params;
      const claim = { email: username, password, address: options.addressOf(ctx.req) };
      const account = await options.passwords.checkPassword(claim);
      const checked = await checkSecondFactor(options, ctx, account);
      if ('refusal' in checked) return await replyWithFactors(options, ctx, { account, ...checked });
      const { amr } = checked;
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
