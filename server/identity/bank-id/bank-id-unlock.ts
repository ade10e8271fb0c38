import type { FastifyInstance } from 'fastify';
import type { Kysely } from 'kysely';
import { sessionBankIdCancel, sessionBankIdCollect, sessionBankIdStart } from '../../../contract/sessions.ts';
import type { Schema } from '../../db/schema.ts';
import { type Account, accountsByPersonalNumber, hasSwedishNumber } from '../../db/stores/account-store.ts';
import { hashedToken } from '../../db/stores/token-hash.ts';
import type { Principal } from '../../domain/policy/principal.ts';
import { ProblemError } from '../../domain/problem-error.ts';
import type { SignInListener } from '../../domain/sign-in-failure.ts';
import { type Binding, bind } from '../../route-binding.ts';
import { identityLog } from '../identity-log.ts';
import { noticeLanguage } from '../notices.ts';
import type { BankIdOrders } from './bank-id-orders.ts';

interface BankIdUnlockDependencies {
  readonly db: Kysely<Schema>;
  readonly binding: Binding;
  readonly orders: BankIdOrders;
  readonly signIns: SignInListener;
}

interface BankIdClaim {
  readonly account: Account;
  /** Client address as reported by trusted proxies. */
  readonly address: string;
}

const ownerOf = ({ grantId }: Pick<Principal, 'grantId'>): string => `unlock:${hashedToken(grantId)}`;

/** Unlocks a session by the BankID of its own user. Orders belong to the session. */
export const bankIdUnlock = ({ db, binding, orders, signIns }: BankIdUnlockDependencies) => {
  const log = identityLog(db, signIns);
  const isOffered = async (accountId: string): Promise<boolean> =>
    orders.isOffered && (await hasSwedishNumber(db, accountId));
  return {
    isOffered,

    /** @throws ProblemError 'incorrect-bankid' when no order of the session is complete, or another person was identified */
    check: async (principal: Principal, { account, address }: BankIdClaim): Promise<void> => {
      const accountIds = await orders.takeOutcome(ownerOf(principal));
      if (Array.isArray(accountIds) && accountIds.includes(account.id)) return;
      await log.note({ action: 'sign-in.refused', method: 'bankid', account, detail: 'incorrect-bankid', address });
      throw new ProblemError('incorrect-bankid');
    },

    routes: (server: FastifyInstance): void => {
      bind(server, binding, sessionBankIdStart, async ({ principal, request }) => {
        if (!(await isOffered(principal.accountId))) throw new ProblemError('not-found');
        return orders.start(ownerOf(principal), { request, action: 'unlock', language: noticeLanguage(request) });
      });

      bind(server, binding, sessionBankIdCollect, async ({ principal, request }) => {
        const idsOf = async (number: string) => (await accountsByPersonalNumber(db, number)).map(({ id }) => id);
        const collected = await orders.collect(ownerOf(principal), { request, complete: idsOf });
        return collected.status === 'complete' ? { status: 'complete' as const } : collected;
      });

      bind(server, binding, sessionBankIdCancel, async ({ principal, request }) => {
        await orders.cancel(ownerOf(principal), request);
        return {};
      });
    },
  };
};
export type BankIdUnlock = ReturnType<typeof bankIdUnlock>;
