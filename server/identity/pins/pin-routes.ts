import type { FastifyInstance } from 'fastify';
import type { Kysely } from 'kysely';
import { pinRemove, pinSet } from '../../../contract/pins.ts';
import type { Schema } from '../../db/schema.ts';
import { type Binding, bind } from '../../route-binding.ts';
import type { PasswordCheck } from '../check-password.ts';
import { noticeLanguage, type TellUser } from '../notices.ts';
import { recentProofs } from '../passkeys/recent-proof.ts';
import type { SecondFactor } from '../second-factor.ts';
import { pinChanges } from './pin-changes.ts';

interface PinDependencies {
  readonly db: Kysely<Schema>;
  readonly binding: Binding;
  readonly passwords: PasswordCheck;
  readonly secondFactor: SecondFactor;
  readonly tell: TellUser;
}

/** Registers the routes by which users change their PIN. Each change needs a recent proof. */
export const pinRoutes = (server: FastifyInstance, deps: PinDependencies): void => {
  const { db, binding, tell } = deps;
  const changes = pinChanges(db);
  const proofs = recentProofs(deps);

  bind(server, binding, pinSet, async ({ principal, body: { pin }, request }) => {
    await proofs.require(principal);
    const { account, isNew } = await changes.set(principal, pin);
    await tell(isNew ? 'pin-set' : 'pin-changed', account.email, noticeLanguage(request));
    return {};
  });

  bind(server, binding, pinRemove, async ({ principal, request }) => {
    await proofs.require(principal);
    const { email } = await changes.remove(principal);
    await tell('pin-removed', email, noticeLanguage(request));
    return {};
  });
};
