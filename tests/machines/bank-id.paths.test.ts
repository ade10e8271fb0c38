import { expect, it } from 'vitest';
import { createActor, fromCallback, fromPromise, SimulatedClock } from 'xstate';
import {
  type BankIdActor,
  bankIdMachine,
  selectAutoStartUrl,
  selectBankIdFailure,
  selectHasFailed,
  selectHint,
  selectIsCancelled,
  selectOutcome,
  selectQr,
  selectUsesThisDevice,
} from '../../src/machines/bank-id/bank-id.machine.ts';
import type { Collected, StartedOrder } from '../../src/machines/bank-id/bank-id.setup.ts';
import { ServiceError } from '../../src/services/failure.ts';
import { offline, refused } from '../paths.ts';
import { type Invariants, walkAll } from '../replay.ts';
import { next, order, pending, uid } from './models/bank-id.ts';

type Snapshot = ReturnType<BankIdActor['getSnapshot']>;

const invariants: Invariants = (raw, path) => {
  const snapshot = raw as Snapshot;
  const label = path.steps.map(({ event }) => event.type).join(' -> ');
  const isOpen = snapshot.matches({ order: 'open' });
  // An order is held, and can be cancelled, exactly while one may be pending.
  expect('holdOrder' in snapshot.children, label).toBe(isOpen);
  expect(snapshot.can({ type: 'order.cancelled' }), label).toBe(isOpen);
  // A code or an app link is shown only for a pending order.
  const isWaiting = snapshot.matches({ order: { open: 'waiting' } });
  if (selectQr(snapshot) !== null || selectAutoStartUrl(snapshot) !== null) expect(isWaiting, label).toBe(true);
  expect(selectOutcome(snapshot) !== null, label).toBe(snapshot.matches({ order: 'completed' }));
  // Every failure has a reason, from BankID or from the server.
  if (selectHasFailed(snapshot))
    expect(selectBankIdFailure(snapshot) !== null || selectHint(snapshot) !== null, label).toBe(true);
  expect(snapshot.can({ type: 'order.retried' }), label).toBe(selectHasFailed(snapshot) || selectIsCancelled(snapshot));
  expect(snapshot.context.unused, label).toBeLessThan(3);
};

it('walks every transition of a BankID order', () => walkAll([{ ...order, invariants }]));

/** An order on simulated time; collected replies are taken from the front of `answers`. */
const waitingFor = (answers: (Collected | ServiceError)[]) => {
  const clock = new SimulatedClock();
  const left: (string | null)[] = [];
  let started = 0;
  const actor = createActor(
    bankIdMachine.provide({
      actors: {
        startOrder: fromPromise<StartedOrder, { uid: string | null }>(async () => {
          started += 1;
          return { autoStartToken: `token-${started}`, qr: `qr-${started}` };
        }),
        collectOrder: fromPromise<Collected, { uid: string | null }>(async () => {
          const answer = answers.shift() ?? pending('outstandingTransaction');
          if (answer instanceof ServiceError) throw answer;
          return answer;
        }),
        holdOrder: fromCallback<{ type: string }, { uid: string | null }>(
          ({ input }) =>
            () =>
              void left.push(input.uid),
        ),
      },
    }),
    { input: { uid }, clock },
  ).start();
  const second = async () => {
    await new Promise(setImmediate);
    clock.increment(1_000);
    await new Promise(setImmediate);
  };
  return { actor, second, left, started: () => started };
};

it('collects once a second through short connection losses and never shows an outdated code', async () => {
  const blink = () => new ServiceError(offline);
  const { actor, second } = waitingFor([
    ...Array.from({ length: 60 }, blink),
    pending('userSign'),
    { status: 'complete', next },
  ]);
  await second();
  expect(selectQr(actor.getSnapshot())).toBeNull();
  for (let tries = 1; tries < 60; tries += 1) await second();
  expect(selectHasFailed(actor.getSnapshot())).toBe(false);
  await second();
  expect(selectHint(actor.getSnapshot())).toBe('userSign');
  await second();
  expect(selectOutcome(actor.getSnapshot())).toEqual(next);
});

it('restarts an unopened order automatically twice, then waits for the user', async () => {
  const unused = { status: 'failed', hint: 'startFailed' } as const;
  const { actor, second, started } = waitingFor([unused, unused, unused]);
  await second();
  await second();
  expect(started()).toBe(3);
  expect(selectAutoStartUrl(actor.getSnapshot())).toBe('bankid:///?autostarttoken=token-3&redirect=null');
  await second();
  expect(selectHasFailed(actor.getSnapshot())).toBe(true);
  expect(selectHint(actor.getSnapshot())).toBe('startFailed');
  actor.send({ type: 'order.retried' });
  await second();
  expect(started()).toBe(4);
});

it('does not restart when the user opened the app or declined', async () => {
  const { actor, second, started } = waitingFor([
    pending('userSign'),
    { status: 'failed', hint: 'expiredTransaction' },
  ]);
  await second();
  await second();
  expect(selectHasFailed(actor.getSnapshot())).toBe(true);
  expect(started()).toBe(1);
  const refusing = waitingFor([{ status: 'failed', hint: 'userCancel' }]);
  await refusing.second();
  expect(selectHint(refusing.actor.getSnapshot())).toBe('userCancel');
  expect(refusing.started()).toBe(1);
});

it('reports BankID as unavailable after a few seconds, not after one failed call', async () => {
  const away = () => new ServiceError(refused('method-away'));
  const { actor, second } = waitingFor([away(), away(), away(), away(), away()]);
  for (const _ of [1, 2, 3, 4]) await second();
  expect(selectHasFailed(actor.getSnapshot())).toBe(false);
  await second();
  expect(selectBankIdFailure(actor.getSnapshot())).toMatchObject({ code: 'method-away' });
});

it('cancels the order when the page closes, and keeps the chosen device for a new order', async () => {
  const { actor, second, left } = waitingFor([{ status: 'failed', hint: 'userCancel' }]);
  actor.send({ type: 'device.chosen', device: 'thisDevice' });
  await second();
  expect(left).toEqual([uid]);
  actor.send({ type: 'order.retried' });
  await second();
  expect(selectUsesThisDevice(actor.getSnapshot())).toBe(true);
  actor.stop();
  expect(left).toEqual([uid, uid]);
});
