import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Kysely } from 'kysely';
import {
  bankIdCancel,
  bankIdCollect,
  bankIdStart,
  type InteractionOutcome,
  interactionOutcome,
} from '../../../contract/interactions.ts';
import type { ReplyOf } from '../../../contract/route.ts';
import type { Schema } from '../../db/schema.ts';
import { accountsByPersonalNumber } from '../../db/stores/account-store.ts';
import { bindOpen } from '../../route-binding.ts';
import type { Interactions } from '../interactions.ts';
import type { Methods } from '../methods.ts';
import type { BankIdOrders } from './bank-id-orders.ts';

export interface BankIdDependencies {
  readonly db: Kysely<Schema>;
  readonly orders: BankIdOrders;
  readonly interactions: Interactions;
  readonly checkReplies: boolean;
}

/** Sign-in with BankID. An order belongs to an interaction. */
export const bankId = ({ db, orders, interactions, checkReplies }: BankIdDependencies): Methods => {
  const proved = async (request: FastifyRequest, reply: FastifyReply, number: string): Promise<InteractionOutcome> =>
    interactions.proved(request, reply, {
      accounts: await accountsByPersonalNumber(db, number),
      method: 'bankid',
      // A key in the user's possession and what unlocks it; RFC 8176 has no value for BankID itself.
      amr: ['mfa', 'pop'],
      strong: true,
    });

  const routes = (server: FastifyInstance): void => {
    bindOpen(server, { checkReplies }, bankIdStart, async ({ request, reply }) => {
      const { uid, language } = await interactions.current(request, reply);
      return orders.start(uid, { request, action: 'sign-in', language });
    });

    bindOpen(
      server,
      { checkReplies },
      bankIdCollect,
      async ({ request, reply }): Promise<ReplyOf<typeof bankIdCollect>> => {
        const { uid } = await interactions.current(request, reply);
        const collected = await orders.collect(uid, { request, complete: (number) => proved(request, reply, number) });
        return collected.status === 'complete'
          ? { status: 'complete', next: interactionOutcome.parse(collected.outcome) }
          : collected;
      },
    );

    bindOpen(server, { checkReplies }, bankIdCancel, async ({ request, reply }) => {
      const { uid } = await interactions.current(request, reply);
      await orders.cancel(uid, request);
      return {};
    });
  };

  return {
    offered: async () => (orders.isOffered ? [{ method: 'bankid', label: null, test: orders.isTest }] : []),
    routes,
  };
};
