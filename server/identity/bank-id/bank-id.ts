import type { FastifyBaseLogger, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Kysely } from 'kysely';
import {
  bankIdCancel,
  bankIdCollect,
  bankIdHint,
  bankIdStart,
  interactionOutcome,
} from '../../../contract/interactions.ts';
import type { ReplyOf } from '../../../contract/route.ts';
import type { Schema } from '../../db/schema.ts';
import { accountsByPersonalNumber } from '../../db/stores/account-store.ts';
import {
  claimOrder,
  dropOrder,
  findOrder,
  placeOrder,
  putOutcome,
  saveOrder,
  type WaitingOrder,
} from '../../db/stores/bank-id-orders.ts';
import { ProblemError } from '../../domain/problem-error.ts';
import { bindOpen } from '../../route-binding.ts';
import { clientAddress } from '../../web/client-address.ts';
import type { Interactions } from '../interactions.ts';
import type { Methods } from '../methods.ts';
import { animatedQr } from './animated-qr.ts';
import { type BankIdSettings, isTestBankId } from './bank-id-settings.ts';
import { BankIdError, type CollectedOrder, relyingParty } from './relying-party.ts';
import { visibleText } from './visible-text.ts';

export interface BankIdDependencies {
  readonly db: Kysely<Schema>;
  /** Null: the method is disabled and its routes answer `method-not-offered`. */
  readonly settings: BankIdSettings | null;
  readonly interactions: Interactions;
  /** Public URL of the archive. */
  readonly issuer: string;
  readonly checkReplies: boolean;
}

type Collected = ReplyOf<typeof bankIdCollect>;

/** Consecutive collect errors that are hidden from the user. */
const toleratedErrors = 2;
/** Hints before the app has received the order, while the QR code is still needed. */
const beforeTheApp = ['outstandingTransaction', 'noClient'];

const ended: Collected = { status: 'failed', hint: 'expiredTransaction' };

const isGone = (error: unknown) => error instanceof BankIdError && error.code === 'invalidParameters';

/** Sign-in with BankID. An order belongs to an interaction; its reference is never sent to the browser. */
export const bankId = (deps: BankIdDependencies): Methods => {
  const { db, settings, interactions, checkReplies } = deps;
  const party = settings && relyingParty(settings);
  const host = new URL(deps.issuer).host;

  const offeredParty = () => {
    if (!party) throw new ProblemError('method-not-offered');
    return party;
  };

  /** Converts errors of BankID to `method-away`. */
  const toMethodAway = (log: FastifyBaseLogger) => (error: unknown) => {
    if (!(error instanceof BankIdError)) throw error;
    log.warn({ err: error }, 'BankID call failed');
    throw new ProblemError('method-away');
  };

  const cancelThere = async (log: FastifyBaseLogger, orderRef: string | null): Promise<void> => {
    // An order that has already ended cannot be cancelled.
    if (orderRef !== null)
      await offeredParty()
        .cancel(orderRef)
        .catch((error: unknown) => isGone(error) || log.warn({ err: error }, 'BankID order not cancelled'));
  };

  const pending = (order: WaitingOrder, hint: string, ageMs: number): Collected => ({
    status: 'pending',
    hint: bankIdHint.parse(hint),
    qr: beforeTheApp.includes(hint) ? animatedQr(order, ageMs) : null,
  });

  const prove = async (request: FastifyRequest, reply: FastifyReply, uid: string, ref: string, number: string) => {
    if (!(await claimOrder(db, uid, ref))) return ended;
    try {
      const accounts = await accountsByPersonalNumber(db, number);
      // A key in the user's possession and what unlocks it; RFC 8176 has no value for BankID itself.
      const proof = { accounts, method: 'bankid', amr: ['mfa', 'pop'], strong: true } as const;
      const next = await interactions.proved(request, reply, proof);
      await putOutcome(db, uid, ref, next);
      return { status: 'complete', next } satisfies Collected;
    } catch (error) {
      await dropOrder(db, uid, ref);
      throw error;
    }
  };

  const routes = (server: FastifyInstance): void => {
    bindOpen(server, { checkReplies }, bankIdStart, async ({ request, reply }) => {
      const relying = offeredParty();
      const { uid, language } = await interactions.current(request, reply);
      const visible = visibleText(host, language);
      const { autoStartToken, ...order } = await relying
        .auth(clientAddress(request), visible)
        .catch(toMethodAway(request.log));
      const earlier = await placeOrder(db, uid, { ...order, hint: 'outstandingTransaction', misses: 0 });
      await cancelThere(request.log, earlier);
      return { autoStartToken, qr: animatedQr(order, 0) };
    });

    bindOpen(server, { checkReplies }, bankIdCollect, async ({ request, reply }): Promise<Collected> => {
      const relying = offeredParty();
      const { uid } = await interactions.current(request, reply);
      const found = await findOrder(db, uid);
      if (!found) return ended;
      const { order, ageMs } = found;
      if ('outcome' in order) return { status: 'complete', next: interactionOutcome.parse(order.outcome) };
      if ('completing' in order) return { status: 'pending', hint: 'processing', qr: null };
      const { orderRef } = order;
      if (!found.canPoll) return pending(order, order.hint, ageMs);

      const missed = async (error: unknown): Promise<CollectedOrder> => {
        if (isGone(error)) return { status: 'failed', hintCode: 'expiredTransaction' };
        const misses = order.misses + 1;
        await saveOrder(db, uid, orderRef, { hint: order.hint, misses });
        return misses > toleratedErrors
          ? toMethodAway(request.log)(error)
          : { status: 'pending', hintCode: order.hint };
      };
      const collected = await relying.collect(orderRef).then(async (reply) => {
        if (reply.status === 'pending') await saveOrder(db, uid, orderRef, { hint: reply.hintCode, misses: 0 });
        return reply;
      }, missed);
      if (collected.status === 'pending') return pending(order, collected.hintCode, ageMs);
      if (collected.status === 'complete')
        return prove(request, reply, uid, orderRef, collected.completionData.user.personalNumber);
      await dropOrder(db, uid, orderRef);
      return { status: 'failed', hint: bankIdHint.parse(collected.hintCode) };
    });

    bindOpen(server, { checkReplies }, bankIdCancel, async ({ request, reply }) => {
      offeredParty();
      const { uid } = await interactions.current(request, reply);
      await cancelThere(request.log, await dropOrder(db, uid));
      return {};
    });

    server.addHook('onClose', async () => party?.close());
  };

  return {
    offered: async () => (settings ? [{ method: 'bankid', label: null, test: isTestBankId(settings) }] : []),
    routes,
  };
};
