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
  dropOrder,
  findOrder,
  keepOrder,
  placeOrder,
  putOutcome,
  type WaitingOrder,
  winOrder,
} from '../../db/stores/bank-id-orders.ts';
import { Refusal } from '../../refusal.ts';
import { bindOpen } from '../../route-binding.ts';
import type { Interactions } from '../interactions.ts';
import type { Methods } from '../methods.ts';
import { animatedQr } from './animated-qr.ts';
import { type BankIdSettings, isTestBankId } from './bank-id-settings.ts';
import { BankIdFault, type CollectedOrder, relyingParty } from './relying-party.ts';
import { visibleText } from './visible-text.ts';

export interface BankIdDependencies {
  readonly db: Kysely<Schema>;
  /** Null: not offered, and its calls answer `method-not-offered`. */
  readonly settings: BankIdSettings | null;
  readonly interactions: Interactions;
  /** Of the archive, as browsers see it. */
  readonly issuer: string;
  readonly checkReplies: boolean;
}

type Collected = ReplyOf<typeof bankIdCollect>;

/** Unanswered questions in a row that a person does not hear of. */
const patience = 2;
/** Hints during which the app has not got the order yet, so that the code is still needed. */
const beforeTheApp = ['outstandingTransaction', 'noClient'];

const ended: Collected = { status: 'failed', hint: 'expiredTransaction' };

/** An IPv4 address that came over an IPv6 socket, as IPv4; an IPv6 address without the name of our own network card. */
const plainAddress = (address: string): string => address.replace(/^::ffff:(?=\d+\.)/i, '').replace(/%.*$/, '');

const isGone = (error: unknown) => error instanceof BankIdFault && error.code === 'invalidParameters';

/** Sign-in with BankID: an order belongs to an interaction, and its reference never leaves the server. */
export const bankId = (deps: BankIdDependencies): Methods => {
  const { db, settings, interactions, checkReplies } = deps;
  const party = settings && relyingParty(settings);
  const host = new URL(deps.issuer).host;

  const offeredParty = () => {
    if (!party) throw new Refusal('method-not-offered');
    return party;
  };

  /** Our own fault, or theirs: either way the person hears that BankID is away. */
  const away = (log: FastifyBaseLogger) => (error: unknown) => {
    if (!(error instanceof BankIdFault)) throw error;
    log.warn({ err: error }, 'BankID did not do what was asked');
    throw new Refusal('method-away');
  };

  const cancelThere = async (log: FastifyBaseLogger, orderRef: string | null): Promise<void> => {
    // An order that has ended meanwhile cannot be cancelled, and need not.
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
    if (!(await winOrder(db, uid, ref))) return ended;
    try {
      const accounts = await accountsByPersonalNumber(db, number);
      // A key in the person's possession and what unlocks it; RFC 8176 has no name for BankID itself.
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
        .auth(plainAddress(request.ip), visible)
        .catch(away(request.log));
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
      if (!found.mayAsk) return pending(order, order.hint, ageMs);

      const missed = async (error: unknown): Promise<CollectedOrder> => {
        if (isGone(error)) return { status: 'failed', hintCode: 'expiredTransaction' };
        const misses = order.misses + 1;
        await keepOrder(db, uid, orderRef, { hint: order.hint, misses });
        return misses > patience ? away(request.log)(error) : { status: 'pending', hintCode: order.hint };
      };
      const heard = await relying.collect(orderRef).then(async (said) => {
        if (said.status === 'pending') await keepOrder(db, uid, orderRef, { hint: said.hintCode, misses: 0 });
        return said;
      }, missed);
      if (heard.status === 'pending') return pending(order, heard.hintCode, ageMs);
      if (heard.status === 'complete')
        return prove(request, reply, uid, orderRef, heard.completionData.user.personalNumber);
      await dropOrder(db, uid, orderRef);
      return { status: 'failed', hint: bankIdHint.parse(heard.hintCode) };
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
