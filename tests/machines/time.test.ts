import { expect, it } from 'vitest';
import { createActor, fromCallback, fromPromise, SimulatedClock } from 'xstate';
import { appMachine, selectIsStarting, selectShowsSpinner } from '../../src/machines/app/app.machine.ts';
import { connectionMachine, selectConnectionState } from '../../src/machines/connection/connection.machine.ts';
import {
  patientSearchMachine,
  selectHits,
  selectSearchState,
} from '../../src/machines/patient-search/patient-search.machine.ts';
import type { Found } from '../../src/machines/patient-search/patient-search.rules.ts';
import { sessionMachine } from '../../src/machines/session/session.machine.ts';

const settled = () => new Promise(setImmediate);

it('shows the overlay for 1300 ms at least, a spinner after 300 ms, and longer when the archive is slow', async () => {
  const clock = new SimulatedClock();
  const restored = Promise.withResolvers<null>();
  const session = sessionMachine.provide({
    actors: { restoreSession: fromPromise<{ renewInMs: number } | null, void>(() => restored.promise) },
  });
  const app = createActor(appMachine.provide({ actors: { session } }), { clock }).start();
  clock.increment(299);
  expect(selectShowsSpinner(app.getSnapshot())).toBe(false);
  clock.increment(1);
  expect(selectShowsSpinner(app.getSnapshot())).toBe(true);
  clock.increment(2_000);
  expect(selectIsStarting(app.getSnapshot())).toBe(true);
  restored.resolve(null);
  await settled();
  expect(selectIsStarting(app.getSnapshot())).toBe(false);
});

it('does not show itself before 1300 ms even when nobody is signed in', async () => {
  const clock = new SimulatedClock();
  const session = sessionMachine.provide({
    actors: { restoreSession: fromPromise<{ renewInMs: number } | null, void>(async () => null) },
  });
  const app = createActor(appMachine.provide({ actors: { session } }), { clock }).start();
  await settled();
  clock.increment(1_299);
  expect(selectIsStarting(app.getSnapshot())).toBe(true);
  clock.increment(1);
  expect(selectIsStarting(app.getSnapshot())).toBe(false);
});

it('asks 500 ms after the last letter, and a late answer never replaces a newer one', async () => {
  const clock = new SimulatedClock();
  const asked: { text: string; answer: (found: Found) => void }[] = [];
  const machine = patientSearchMachine.provide({
    actors: {
      searchPatients: fromPromise<Found, { clinicId: string; text: string }>(
        ({ input }) => new Promise((answer) => asked.push({ text: input.text, answer })),
      ),
    },
  });
  const search = createActor(machine, { clock, input: { clinicId: 'clinic' } }).start();
  const foundOf = (id: string) => ({ hits: [{ id }], totalCount: 1 }) as unknown as Found;

  search.send({ type: 'text.changed', text: 'and' });
  clock.increment(499);
  search.send({ type: 'text.changed', text: 'ande' });
  clock.increment(499);
  expect(asked).toEqual([]);
  clock.increment(1);
  expect(asked.map(({ text }) => text)).toEqual(['ande']);

  search.send({ type: 'text.changed', text: 'anders' });
  clock.increment(500);
  asked[1]?.answer(foundOf('newer'));
  await settled();
  asked[0]?.answer(foundOf('late'));
  await settled();
  expect(selectSearchState(search.getSnapshot())).toBe('hits');
  expect(selectHits(search.getSnapshot()).map(({ id }) => id)).toEqual(['newer']);
});

it('listens to the hub again five seconds after it was closed', () => {
  const clock = new SimulatedClock();
  let calls = 0;
  const machine = connectionMachine.provide({
    actors: {
      listenToHub: fromCallback(({ sendBack }) => {
        calls += 1;
        sendBack({ type: 'connection.closed' });
      }),
    },
  });
  const connection = createActor(machine, { clock }).start();
  expect(selectConnectionState(connection.getSnapshot())).toBe('closed');
  clock.increment(4_999);
  expect(calls).toBe(1);
  clock.increment(1);
  expect(calls).toBe(2);
});
