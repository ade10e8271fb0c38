import type { FastifyInstance } from 'fastify';
import type { Kysely } from 'kysely';
import { twoFactorDisable, twoFactorSetup, twoFactorVerify } from '../../contract/two-factor.ts';
import type { Schema } from '../db/schema.ts';
import type { Vault } from '../db/vault.ts';
import { type Binding, bind } from '../route-binding.ts';
import type { PasswordCheck } from './check-password.ts';
import { noticeLanguage, type TellUser } from './notices.ts';
import { ownAccount } from './own-account.ts';
import { recentProofs } from './passkeys/recent-proof.ts';
import type { SecondFactor } from './second-factor.ts';
import { twoFactorOf } from './two-factor.ts';

const status = 'success' as const;

interface TwoFactorDependencies {
  readonly db: Kysely<Schema>;
  readonly vault: Vault;
  readonly binding: Binding;
  readonly passwords: PasswordCheck;
  readonly secondFactor: SecondFactor;
  readonly tell: TellUser;
}

/** Registers `/auth/api/tfa`: replies contain secrets, so they must not be cached. */
export const twoFactorRoutes = (
  server: FastifyInstance,
  { db, vault, binding, passwords, secondFactor, tell }: TwoFactorDependencies,
): void => {
  const twoFactor = twoFactorOf(db, vault);
  const proofs = recentProofs({ db, passwords, secondFactor });

  bind(server, binding, twoFactorSetup, async ({ principal, reply }) => {
    if ((await ownAccount(db, principal)).hasPasskey) await proofs.require(principal);
    reply.header('cache-control', 'no-store');
    return { status, data: await twoFactor.setUp(principal) };
  });

  bind(server, binding, twoFactorVerify, async ({ principal, body, request, reply }) => {
    reply.header('cache-control', 'no-store');
    const { email, recoveryCodes } = await twoFactor.enable(principal, body.verificationCode);
    await tell('two-factor-enabled', email, noticeLanguage(request));
    return { status, data: { recoveryCodes } };
  });

  bind(server, binding, twoFactorDisable, async ({ principal, body, request }) => {
    const email = await twoFactor.disable(principal, body.verificationCode);
    await tell('two-factor-disabled', email, noticeLanguage(request));
    return { status };
  });
};
