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
  const way = path.steps.map(({ event }) => event.type).join(' -> ');
  const isOpen = snapshot.matches({ order: 'open' });
  // An order is held, and can be cancelled, exactly while one may be under way.
  expect('holdOrder' in snapshot.children, way).toBe(isOpen);
  expect(snapshot.can({ type: 'order.cancelled' }), way).toBe(isOpen);
  // A code or a way into the app is shown only of an order that is waiting.
  const isWaiting = snapshot.matches({ order: { open: 'waiting' } });
  if (selectQr(snapshot) !== null || selectAutoStartUrl(snapshot) !== null) expect(isWaiting, way).toBe(true);
  expect(selectOutcome(snapshot) !== null, way).toBe(snapshot.matches({ order: 'completed' }));
  // Who failed is told why: by BankID's own word, or by ours.
  if (selectHasFailed(snapshot))
    expect(selectBankIdFailure(snapshot) !== null || selectHint(snapshot) !== null, way).toBe(true);
  expect(snapshot.can({ type: 'order.retried' }), way).toBe(selectHasFailed(snapshot) || selectIsCancelled(snapshot));
  expect(snapshot.context.unused, way).toBeLessThan(3);
};

it('walks every transition of an order of BankID', () => walkAll([{ ...order, invariants }]));

/** An order on simulated time; what is collected is taken from the front of `answers`. */
const waitingFor = (answers: (Collected | ServiceError)[]) => {
  const clock = new SimulatedClock();
  const left: string[] = [];
  let started = 0;
  const actor = createActor(
    bankIdMachine.provide({
      actors: {
        startOrder: fromPromise<StartedOrder, { uid: string }>(async () => {
          started += 1;
          return { autoStartToken: `token-${started}`, qr: `qr-${started}` };
        }),
        collectOrder: fromPromise<Collected, { uid: string }>(async () => {
          const answer = answers.shift() ?? pending('outstandingTransaction');
          if (answer instanceof ServiceError) throw answer;
          return answer;
        }),
        holdOrder: fromCallback<{ type: string }, { uid: string }>(
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

it('asks once a second, through a line that blinks, and never shows the code of an earlier second meanwhile', async () => {
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

it('begins anew by itself when nobody took an order up, twice, and then asks', async () => {
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

it('does not begin anew when the person had opened the app, or said no', async () => {
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

it('tells that BankID is away after a few seconds, not at the first blink', async () => {
  const away = () => new ServiceError(refused('method-away'));
  const { actor, second } = waitingFor([away(), away(), away(), away(), away()]);
  for (const _ of [1, 2, 3, 4]) await second();
  expect(selectHasFailed(actor.getSnapshot())).toBe(false);
  await second();
  expect(selectBankIdFailure(actor.getSnapshot())).toMatchObject({ code: 'method-away' });
});

it('lets go of the order when the page is left, and keeps the device over a new one', async () => {
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
