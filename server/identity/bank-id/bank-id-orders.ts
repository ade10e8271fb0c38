import type { FastifyBaseLogger, FastifyRequest } from 'fastify';
import type { Kysely } from 'kysely';
import type { z } from 'zod';
import {
  bankIdHint,
  type failedBankId,
  type pendingBankId,
  type StartedBankId,
} from '../../../contract/bank-id-orders.ts';
import type { Schema } from '../../db/schema.ts';
import {
  claimOrder,
  dropOrder,
  findOrder,
  placeOrder,
  putOutcome,
  saveOrder,
  takeOutcome,
  type WaitingOrder,
} from '../../db/stores/bank-id-orders.ts';
import { ProblemError } from '../../domain/problem-error.ts';
import { clientAddress } from '../../web/client-address.ts';
import { animatedQr } from './animated-qr.ts';
import { type BankIdSettings, isTestBankId } from './bank-id-settings.ts';
import { BankIdError, type CollectedOrder, relyingParty } from './relying-party.ts';
import { type VisibleAction, visibleText } from './visible-text.ts';

interface BankIdOrderDependencies {
  readonly db: Kysely<Schema>;
  /** Null: BankID is disabled; every call throws `method-not-offered`. */
  readonly settings: BankIdSettings | null;
  /** Public URL of the archive. */
  readonly issuer: string;
}

interface Start {
  readonly request: FastifyRequest;
  readonly action: VisibleAction;
  /** `ui_locales` of the user. */
  readonly language: string | null;
}

interface Collect<T> {
  readonly request: FastifyRequest;
  /** Called once for each completed order; what it returns is stored for a browser that asks again. */
  readonly complete: (personalNumber: string) => Promise<T>;
}

type CollectedReply =
  | z.infer<typeof pendingBankId>
  | z.infer<typeof failedBankId>
  /** What `complete` returned, from the database. */
  | { readonly status: 'complete'; readonly outcome: unknown };

/** Consecutive collect errors that are hidden from the user. */
const toleratedErrors = 2;
/** Hints before the app has received the order, while the QR code is still needed. */
const beforeTheApp = ['outstandingTransaction', 'noClient'];

const ended: CollectedReply = { status: 'failed', hint: 'expiredTransaction' };

const isGone = (error: unknown) => error instanceof BankIdError && error.code === 'invalidParameters';

const pending = (order: WaitingOrder, hint: string, ageMs: number): CollectedReply => ({
  status: 'pending',
  hint: bankIdHint.parse(hint),
  qr: beforeTheApp.includes(hint) ? animatedQr(order, ageMs) : null,
});

/** Converts errors of BankID to `method-away`. */
const toMethodAway = (log: FastifyBaseLogger) => (error: unknown) => {
  if (!(error instanceof BankIdError)) throw error;
  log.warn({ err: error }, 'BankID call failed');
  throw new ProblemError('method-away');
};

/**
 * Orders at BankID, at most one for each owner (a sign-in, or a locked session). References are never sent to the browser.
 * Each call throws ProblemError 'method-not-offered', or 'method-away' when BankID does not reply.
 */
export const bankIdOrders = ({ db, settings, issuer }: BankIdOrderDependencies) => {
  const party = settings && relyingParty(settings);
  const host = new URL(issuer).host;

  const offeredParty = () => {
    if (!party) throw new ProblemError('method-not-offered');
    return party;
  };

  const cancelThere = async (log: FastifyBaseLogger, orderRef: string | null): Promise<void> => {
    // An order that has already ended cannot be cancelled.
    if (orderRef !== null)
      await offeredParty()
        .cancel(orderRef)
        .catch((error: unknown) => isGone(error) || log.warn({ err: error }, 'BankID order not cancelled'));
  };

  const settle = async <T>(owner: string, ref: string, outcomeOf: () => Promise<T>): Promise<CollectedReply> => {
    if (!(await claimOrder(db, owner, ref))) return ended;
    try {
      const outcome = await outcomeOf();
      await putOutcome(db, owner, ref, outcome);
      return { status: 'complete', outcome };
    } catch (error) {
      await dropOrder(db, owner, ref);
      throw error;
    }
  };

  return {
    isOffered: party !== null,
    /** Identifying somebody there proves nothing. */
    isTest: settings !== null && isTestBankId(settings),

    /** Cancels an earlier order of the owner. */
    start: async (owner: string, { request, action, language }: Start): Promise<StartedBankId> => {
      const { autoStartToken, ...order } = await offeredParty()
        .auth(clientAddress(request), visibleText(host, action, language))
        .catch(toMethodAway(request.log));
      const earlier = await placeOrder(db, owner, { ...order, hint: 'outstandingTransaction', misses: 0 });
      await cancelThere(request.log, earlier);
      return { autoStartToken, qr: animatedQr(order, 0) };
    },

    collect: async <T>(owner: string, { request, complete }: Collect<T>): Promise<CollectedReply> => {
      const relying = offeredParty();
      const found = await findOrder(db, owner);
      if (!found) return ended;
      const { order, ageMs } = found;
      if ('outcome' in order) return { status: 'complete', outcome: order.outcome };
      if ('completing' in order) return { status: 'pending', hint: 'processing', qr: null };
      const { orderRef } = order;
      if (!found.canPoll) return pending(order, order.hint, ageMs);

      const missed = async (error: unknown): Promise<CollectedOrder> => {
        if (isGone(error)) return { status: 'failed', hintCode: 'expiredTransaction' };
        const misses = order.misses + 1;
        await saveOrder(db, owner, orderRef, { hint: order.hint, misses });
        return misses > toleratedErrors
          ? toMethodAway(request.log)(error)
          : { status: 'pending', hintCode: order.hint };
      };
      const collected = await relying.collect(orderRef).then(async (reply) => {
        if (reply.status === 'pending') await saveOrder(db, owner, orderRef, { hint: reply.hintCode, misses: 0 });
        return reply;
      }, missed);
      if (collected.status === 'pending') return pending(order, collected.hintCode, ageMs);
      if (collected.status === 'complete')
        return settle(owner, orderRef, () => complete(collected.completionData.user.personalNumber));
      await dropOrder(db, owner, orderRef);
      return { status: 'failed', hint: bankIdHint.parse(collected.hintCode) };
    },

    cancel: async (owner: string, { log }: Pick<FastifyRequest, 'log'>): Promise<void> => {
      offeredParty();
      await cancelThere(log, await dropOrder(db, owner));
    },

    /** Returns the outcome of the completed order, which is used up by it; undefined without one. */
    takeOutcome: (owner: string): Promise<unknown> => takeOutcome(db, owner),

    close: (): void => party?.close(),
  };
};
export type BankIdOrders = ReturnType<typeof bankIdOrders>;
