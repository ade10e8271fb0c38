import { bankIdCancel, bankIdCollect, bankIdStart } from '../../contract/interactions.ts';
import type { ReplyOf } from '../../contract/route.ts';
import type { Call } from './call.ts';

export interface BankIdService {
  /** @throws ServiceError, as `collect` does */
  start(uid: string, signal: AbortSignal): Promise<ReplyOf<typeof bankIdStart>>;
  collect(uid: string, signal: AbortSignal): Promise<ReplyOf<typeof bankIdCollect>>;
  /** Cancels an order that is still under way. Never fails: what cannot be cancelled runs out by itself. */
  leave(uid: string): void;
}

/** Orders of BankID. One is under way from its start, answered or not, until BankID has said how it ended. */
export const createBankId = (call: Call): BankIdService => {
  const underWay = new Set<string>();
  const cancelling = new Map<string, Promise<unknown>>();
  return {
    start: async (uid, signal) => {
      // A cancellation that is overtaken would end the order that follows.
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
    leave: (uid) => {
      if (!underWay.delete(uid)) return;
      const cancelled = call(bankIdCancel, { params: { uid }, body: {}, keepalive: true }).catch(() => {});
      cancelling.set(uid, cancelled);
      void cancelled.finally(() => {
        if (cancelling.get(uid) === cancelled) cancelling.delete(uid);
      });
    },
  };
};
