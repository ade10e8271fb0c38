import type { FastifyInstance } from 'fastify';
import type { Kysely } from 'kysely';
import { twoFactorReset } from '../../contract/two-factor.ts';
import type { Schema } from '../db/schema.ts';
import type { Principal } from '../domain/policy/principal.ts';
import { ProblemError } from '../domain/problem-error.ts';
import { type Binding, bind } from '../route-binding.ts';
import { clientAddress } from '../web/client-address.ts';
import { signInAttempts } from './attempts.ts';
import { checkOwnPassword, type PasswordCheck } from './check-password.ts';
import { changeEmployeeOf } from './employee-step.ts';
import type { TellUser } from './notices.ts';
import { ownAccount } from './own-account.ts';
import { type RecentProofs, recentProofs } from './passkeys/recent-proof.ts';
import type { SecondFactor } from './second-factor.ts';
import { turnOffTwoFactor } from './two-factor.ts';

interface ResetTwoFactorDependencies {
  readonly db: Kysely<Schema>;
  readonly binding: Binding;
  readonly passwords: PasswordCheck;
  readonly secondFactor: SecondFactor;
  readonly tell: TellUser;
}

/**
 * Asks the caller again: for a code with two-factor authentication, else for the password, or for nothing after a recent proof. Limited and logged
 * like a sign-in.
 * @throws ProblemError 'incorrect-code', 'incorrect-password', 'proof-needed', 'too-many-requests'; 'not-signed-in'
 */
const confirmCaller = async (
  { db, passwords, secondFactor, proofs }: ResetTwoFactorDependencies & { readonly proofs: RecentProofs },
  principal: Principal,
  { proof, address }: { readonly proof: string | undefined; readonly address: string },
): Promise<string> => {
  const account = await ownAccount(db, principal);
  const { email } = account;
  if (proof === undefined) await proofs.require(principal);
  else if (!account.twoFactorEnabled) await checkOwnPassword(passwords, { email, password: proof, address }, 'proof');
  else if (!(await secondFactor.accepts(account, proof)))
    throw new ProblemError('incorrect-code', [{ fieldKey: 'proof' }]);
  return email;
};

/** Registers the route by which administrators help a user who has lost the authenticator and the recovery codes. */
export const resetTwoFactorRoute = (server: FastifyInstance, deps: ResetTwoFactorDependencies): void => {
  const { db, binding, tell } = deps;
  const proofs = recentProofs(deps);

  bind(server, binding, twoFactorReset, async ({ principal, body: { id, proof, language = 'sv' }, request }) => {
    if (id === principal.accountId) throw new ProblemError('own-account');
    const ownEmail = await confirmCaller({ ...deps, proofs }, principal, { proof, address: clientAddress(request) });
    const { email } = await changeEmployeeOf(db, principal, { id }, async ({ transaction, employee, note }) => {
      if (!employee.twoFactorEnabled) throw new ProblemError('conflict');
      await turnOffTwoFactor(transaction, id);
      await signInAttempts(transaction).forgetCodes(id);
      await note('user.two-factor-reset');
    });
    await tell('two-factor-reset', email, language);
    await tell('two-factor-reset-by-you', ownEmail, language);
    return {};
  });
};
