import { expect, it } from 'vitest';
import { createActor, fromCallback, fromPromise, SimulatedClock } from 'xstate';
import { appMachine } from '../../src/machines/app/app.machine.ts';
import { sessionMachine } from '../../src/machines/session/session.machine.ts';
import type { Account } from '../../src/machines/session/session.rules.ts';
import type { FoundGrant } from '../../src/machines/session/session.setup.ts';
import { wholeApp } from './models/app.ts';

const settled = () => new Promise(setImmediate);
const account = { user: {}, permission: [], clinic: null, knownClaims: [] } as unknown as Account;

/** A root whose session brings what belongs to it while it resolves, as `src/wiring.ts` does. */
const rootWith = (bring: (machine: typeof appMachine) => Promise<unknown>) => {
  const machine = appMachine.provide({
    actors: {
      session: sessionMachine.provide({
        actors: {
          restoreSession: fromPromise<FoundGrant | null, void>(async () => ({ renewInMs: 60_000 })),
          resolveAccount: fromPromise<Account, void>(async () => {
            await bring(machine);
            return account;
          }),
          watchSession: fromCallback(() => {}),
        },
      }),
    },
  });
  return createActor(machine, { clock: new SimulatedClock() }).start();
};

it('starts what was put into its slots after it had begun itself', async () => {
  const brought = Promise.withResolvers<void>();
  const app = rootWith(async (machine) => {
    await brought.promise;
    const { connection, imports, patientSearch, viewer, viewset } = wholeApp.implementations.actors;
    Object.assign(machine.implementations.actors, { connection, imports, patientSearch, viewer, viewset });
  });
  await settled();
  expect(app.getSnapshot().matches({ work: 'closed' })).toBe(true);
  brought.resolve();
  await settled();
  const { children } = app.getSnapshot();
  expect(app.getSnapshot().matches({ work: 'open' })).toBe(true);
  expect(children.imports?.getSnapshot().context).toEqual({ imports: [], found: [] });
  for (const name of ['connection', 'imports', 'patientSearch', 'viewer', 'viewset'] as const)
    expect(children[name]?.getSnapshot().status, name).toBe('active');
});

it('takes nobody in when what belongs to a session does not come', async () => {
  const app = rootWith(() => Promise.reject(new Error('cut')));
  await settled();
  expect(app.getSnapshot().matches({ work: 'closed' })).toBe(true);
  expect(app.getSnapshot().children.imports).toBeUndefined();
});
