import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Kysely } from 'kysely';
import {
  passkeyAdd,
  passkeyOptions,
  passkeyProof,
  passkeyProofOptions,
  passkeyRemove,
  passkeyRename,
  passkeysGet,
} from '../../../contract/passkeys.ts';
import type { Schema } from '../../db/schema.ts';
import { passkeysOf } from '../../db/stores/passkeys.ts';
import { type Binding, bind } from '../../route-binding.ts';
import { clientAddress } from '../../web/client-address.ts';
import { requestOrigin } from '../../web/request-origin.ts';
import type { PasswordCheck } from '../check-password.ts';
import { noticeLanguage, type TellUser } from '../notices.ts';
import { ownAccount } from '../own-account.ts';
import type { SecondFactor } from '../second-factor.ts';
import { passkeyCeremonies } from './passkey-ceremonies.ts';
import { passkeyChanges } from './passkey-changes.ts';
import { passkeyPartyAt, requirePasskeyParty } from './passkey-party.ts';
import { newPasskeyOwner, recentProofs } from './recent-proof.ts';

interface PasskeyDependencies {
  readonly db: Kysely<Schema>;
  readonly binding: Binding;
  /** Public URL of the archive. */
  readonly issuer: string;
  readonly passwords: PasswordCheck;
  readonly secondFactor: SecondFactor;
  readonly tell: TellUser;
}

/** Registers the routes by which users see and change their passkeys. Each change needs a recent proof. */
export const passkeyRoutes = (server: FastifyInstance, deps: PasskeyDependencies): void => {
  const { db, binding, issuer, secondFactor, tell } = deps;
  const ceremonies = passkeyCeremonies(db);
  const changes = passkeyChanges(db, ceremonies);
  const proofs = recentProofs(deps);
  const originOf = (request: FastifyRequest) => requestOrigin(request, issuer);
  const partyOf = (request: FastifyRequest) => requirePasskeyParty(originOf(request));

  bind(server, binding, passkeysGet, async ({ principal, request }) => ({
    isAvailable: passkeyPartyAt(originOf(request)) !== null,
    passkeys: (await passkeysOf(db, principal.accountId)).map(({ id, name, createdAt, usedAt }) => ({
      id,
      name,
      createdAt: createdAt.toISOString(),
      usedAt: usedAt?.toISOString() ?? null,
    })),
  }));

  bind(server, binding, passkeyProofOptions, async ({ principal, request }) =>
    secondFactor.passkeyRequest(await ownAccount(db, principal), partyOf(request)),
  );

  bind(server, binding, passkeyProof, async ({ principal, body: proof, request }) => {
    await proofs.prove(principal, { proof, address: clientAddress(request), party: () => partyOf(request) });
    return {};
  });

  bind(server, binding, passkeyOptions, async ({ principal, request }) => {
    const party = partyOf(request);
    await proofs.require(principal);
    return ceremonies.creation(newPasskeyOwner(principal), party, await ownAccount(db, principal));
  });

  bind(server, binding, passkeyAdd, async ({ principal, body, request, reply }) => {
    reply.header('cache-control', 'no-store');
    const { account, recoveryCodes } = await changes.add(principal, partyOf(request), body);
    await tell('passkey-added', account.email, noticeLanguage(request));
    return { recoveryCodes };
  });

  bind(server, binding, passkeyRename, async ({ principal, body, request }) => {
    await proofs.require(principal);
    const { email } = await changes.rename(principal, body);
    await tell('passkey-renamed', email, noticeLanguage(request));
    return {};
  });

  bind(server, binding, passkeyRemove, async ({ principal, body: { id }, request }) => {
    await proofs.require(principal);
    const { email } = await changes.remove(principal, id);
    await tell('passkey-removed', email, noticeLanguage(request));
    return {};
  });
};
