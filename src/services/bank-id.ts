import type { StartedBankId } from '../../contract/bank-id-orders.ts';
import { bankIdCancel, bankIdCollect, bankIdStart } from '../../contract/interactions.ts';
import type { ReplyOf } from '../../contract/route.ts';
import { sessionBankIdCancel, sessionBankIdCollect, sessionBankIdStart } from '../../contract/sessions.ts';
import type { Call } from './call.ts';

type SignInReply = ReplyOf<typeof bankIdCollect>;
type CollectedReply =
  | Exclude<SignInReply, { status: 'complete' }>
  | { readonly status: 'complete'; readonly next: Extract<SignInReply, { status: 'complete' }>['next'] | null };

/** `uid`: the interaction that the order identifies the user for; null: the locked session. */
export interface BankIdService {
  /** @throws ServiceError, as `collect` does */
  start(uid: string | null, signal: AbortSignal): Promise<StartedBankId>;
  collect(uid: string | null, signal: AbortSignal): Promise<CollectedReply>;
  /** Cancels a pending order. Never fails: an order expires by itself. */
  cancel(uid: string | null): void;
}

/** Creates the BankID service. An order is pending from its start, even without a reply, until BankID reports its end. */
export const createBankId = (call: Call): BankIdService => {
  const underWay = new Set<string | null>();
  const cancelling = new Map<string | null, Promise<unknown>>();
  const cancelThere = (uid: string | null): Promise<unknown> =>
    uid === null
      ? call(sessionBankIdCancel, { body: {}, keepalive: true })
      : call(bankIdCancel, { params: { uid }, body: {}, keepalive: true });
  const collectThere = async (uid: string | null, signal: AbortSignal): Promise<CollectedReply> => {
    if (uid !== null) return call(bankIdCollect, { params: { uid }, body: {}, signal });
    const collected = await call(sessionBankIdCollect, { body: {}, signal });
    return collected.status === 'complete' ? { ...collected, next: null } : collected;
  };
  return {
    start: async (uid, signal) => {
      // A delayed cancellation would end the next order.
      await cancelling.get(uid);
      signal.throwIfAborted();
      underWay.add(uid);
      return uid === null
        ? call(sessionBankIdStart, { body: {}, signal })
        : call(bankIdStart, { params: { uid }, body: {}, signal });
    },
    collect: async (uid, signal) => {
      const collected = await collectThere(uid, signal);
      if (collected.status !== 'pending') underWay.delete(uid);
      return collected;
    },
    cancel: (uid) => {
      if (!underWay.delete(uid)) return;
      const cancelled = cancelThere(uid).catch(() => {});
      cancelling.set(uid, cancelled);
      void cancelled.finally(() => {
        if (cancelling.get(uid) === cancelled) cancelling.delete(uid);
      });
    },
  };
};
