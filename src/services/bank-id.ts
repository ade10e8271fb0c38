import { bankIdCancel, bankIdCollect, bankIdStart } from '../../contract/interactions.ts';
import type { ReplyOf } from '../../contract/route.ts';
import type { Call } from './call.ts';

export interface BankIdService {
  /** @throws ServiceError, as `collect` does */
  start(uid: string, signal: AbortSignal): Promise<ReplyOf<typeof bankIdStart>>;
  collect(uid: string, signal: AbortSignal): Promise<ReplyOf<typeof bankIdCollect>>;
  /** Cancels a pending order. Never fails: an order expires by itself. */
  cancel(uid: string): void;
}

/** Creates the BankID service. An order is pending from its start, even without a reply, until BankID reports its end. */
export const createBankId = (call: Call): BankIdService => {
  const underWay = new Set<string>();
  const cancelling = new Map<string, Promise<unknown>>();
  return {
    start: async (uid, signal) => {
      // A delayed cancellation would end the next order.
      await cancelling.get(uid);
      signal.throwIfAborted();
      underWay.add(uid);
      return call(bankIdStart, { params: { uid }, body: {}, signal });
    },
    collect: async (uid, signal) => {
      const collected = await call(bankIdCollect, { params: { uid }, body: {}, signal });
      if (collected.status !== 'pending') underWay.delete(uid);
      return collected;
    },
    cancel: (uid) => {
      if (!underWay.delete(uid)) return;
      const cancelled = call(bankIdCancel, { params: { uid }, body: {}, keepalive: true }).catch(() => {});
      cancelling.set(uid, cancelled);
      void cancelled.finally(() => {
        if (cancelling.get(uid) === cancelled) cancelling.delete(uid);
      });
    },
  };
};
