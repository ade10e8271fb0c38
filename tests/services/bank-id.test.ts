import { expect, it } from 'vitest';
import { bankIdCancel, bankIdCollect, bankIdStart } from '../../contract/interactions.ts';
import type { Route } from '../../contract/route.ts';
import { createBankId } from '../../src/services/bank-id.ts';
import type { Call } from '../../src/services/call.ts';
import { ServiceError } from '../../src/services/failure.ts';

const uid = 'interaction-1';
const { signal } = new AbortController();

/** An archive whose cancellation is answered when the test says so. */
const archive = (collected: unknown = { status: 'pending', hint: 'userSign', qr: null }) => {
  const asked: string[] = [];
  const cancelled = Promise.withResolvers<object>();
  const call = async ({ path }: Route) => {
    asked.push(path);
    if (path === bankIdCancel.path) return cancelled.promise;
    return path === bankIdStart.path ? { autoStartToken: 'a', qr: 'b' } : collected;
  };
  return { bankId: createBankId(call as Call), asked, cancelled };
};

it('cancels an order that is left, once, and none that is over or was never begun', async () => {
  const { bankId, asked } = archive();
  bankId.leave(uid);
  await bankId.start(uid, signal);
  bankId.leave(uid);
  bankId.leave(uid);
  expect(asked).toEqual([bankIdStart.path, bankIdCancel.path]);
  for (const status of ['failed', 'complete']) {
    const over = archive({ status });
    await over.bankId.start(uid, signal);
    await over.bankId.collect(uid, signal);
    over.bankId.leave(uid);
    expect(over.asked).toEqual([bankIdStart.path, bankIdCollect.path]);
  }
});

it('begins an order only when the cancellation of the one before has arrived, lost or not', async () => {
  const { bankId, asked, cancelled } = archive();
  await bankId.start(uid, signal);
  bankId.leave(uid);
  const next = bankId.start(uid, signal);
  await new Promise(setImmediate);
  expect(asked.at(-1)).toBe(bankIdCancel.path);
  cancelled.reject(new ServiceError({ kind: 'offline' }));
  await next;
  expect(asked.at(-1)).toBe(bankIdStart.path);
});
