import { expect, it } from 'vitest';
import { bankIdCancel, bankIdCollect, bankIdStart } from '../../contract/interactions.ts';
import type { Route } from '../../contract/route.ts';
import { sessionBankIdCancel, sessionBankIdCollect, sessionBankIdStart } from '../../contract/sessions.ts';
import { createBankId } from '../../src/services/bank-id.ts';
import type { Call } from '../../src/services/call.ts';
import { ServiceError } from '../../src/services/failure.ts';

const uid = 'interaction-1';
const { signal } = new AbortController();

/** An archive whose reply to a cancellation is controlled by the test. */
const archive = (collected: unknown = { status: 'pending', hint: 'userSign', qr: null }) => {
  const requests: string[] = [];
  const cancelled = Promise.withResolvers<object>();
  const call = async ({ path }: Route) => {
    requests.push(path);
    if (path === bankIdCancel.path) return cancelled.promise;
    return path === bankIdStart.path || path === sessionBankIdStart.path ? { autoStartToken: 'a', qr: 'b' } : collected;
  };
  return { bankId: createBankId(call as Call), requests, cancelled };
};

it('cancels an abandoned order once, and never one that is over or was not started', async () => {
  const { bankId, requests } = archive();
  bankId.cancel(uid);
  await bankId.start(uid, signal);
  bankId.cancel(uid);
  bankId.cancel(uid);
  expect(requests).toEqual([bankIdStart.path, bankIdCancel.path]);
  for (const status of ['failed', 'complete']) {
    const over = archive({ status });
    await over.bankId.start(uid, signal);
    await over.bankId.collect(uid, signal);
    over.bankId.cancel(uid);
    expect(over.requests).toEqual([bankIdStart.path, bankIdCollect.path]);
  }
});

it('starts an order only after the previous cancellation has completed or failed', async () => {
  const { bankId, requests, cancelled } = archive();
  await bankId.start(uid, signal);
  bankId.cancel(uid);
  const next = bankId.start(uid, signal);
  await new Promise(setImmediate);
  expect(requests.at(-1)).toBe(bankIdCancel.path);
  cancelled.reject(new ServiceError({ kind: 'offline' }));
  await next;
  expect(requests.at(-1)).toBe(bankIdStart.path);
});

it('unlocks the session by orders of their own, beside one of a sign-in', async () => {
  const { bankId, requests } = archive({ status: 'complete' });
  await bankId.start(uid, signal);
  await bankId.start(null, signal);
  expect(await bankId.collect(null, signal)).toEqual({ status: 'complete', next: null });
  bankId.cancel(null);
  bankId.cancel(uid);
  expect(requests).toEqual([bankIdStart.path, sessionBankIdStart.path, sessionBankIdCollect.path, bankIdCancel.path]);
  await bankId.start(null, signal);
  bankId.cancel(null);
  expect(requests.at(-1)).toBe(sessionBankIdCancel.path);
});
