import { expect, it } from 'vitest';
import { type AnyStateMachine, createActor, fromCallback, fromPromise, SimulatedClock, StateMachine } from 'xstate';
import { appMachine } from '../../src/machines/app/app.machine.ts';
import { importsMachine } from '../../src/machines/imports/imports.machine.ts';
import { lazyMachine } from '../../src/machines/port.ts';
import { sessionMachine } from '../../src/machines/session/session.machine.ts';
import type { Account } from '../../src/machines/session/session.rules.ts';
import type { FoundGrant } from '../../src/machines/session/session.setup.ts';
import { wholeApp } from './models/app.ts';

const settled = () => new Promise(setImmediate);
const account = { user: {}, permission: [], clinic: null, knownClaims: [] } as unknown as Account;

const names = ['connection', 'imports', 'patientSearch', 'viewer', 'viewset'] as const;

/** A root whose session loads the other machines while it resolves, as the product does. */
const rootWith = (load: () => Promise<unknown>) => {
  let isLoaded = false;
  const late = (name: (typeof names)[number]) =>
    lazyMachine(() => {
      if (!isLoaded) throw new Error(`${name} is not loaded`);
      return wholeApp.implementations.actors[name] as unknown as AnyStateMachine;
    });
  const machine = appMachine.provide({
    actors: {
      ...Object.fromEntries(names.map((name) => [name, late(name)])),
      session: sessionMachine.provide({
        actors: {
          restoreSession: fromPromise<FoundGrant | null, void>(async () => ({ renewInMs: 60_000 })),
          resolveAccount: fromPromise<Account, void>(async () => {
            await load();
            isLoaded = true;
            return account;
          }),
          watchSession: fromCallback(() => {}),
        },
      }),
    },
  });
  return createActor(machine, { clock: new SimulatedClock() }).start();
};

it('starts machines that were loaded after the root had started', async () => {
  const loading = Promise.withResolvers<void>();
  const app = rootWith(() => loading.promise);
  await settled();
  expect(app.getSnapshot().matches({ work: 'closed' })).toBe(true);
  loading.resolve();
  await settled();
  const { children } = app.getSnapshot();
  expect(app.getSnapshot().matches({ work: 'open' })).toBe(true);
  expect(children.imports?.getSnapshot().context).toEqual({ imports: [], found: [] });
  for (const name of names) expect(children[name]?.getSnapshot().status, name).toBe('active');
  children.viewset?.send({ type: 'viewset.opened', viewsetId: 'v' });
  expect(children.viewset?.getSnapshot().matches('opening')).toBe(true);
  expect(children.viewset?.getSnapshot().can({ type: 'viewset.closed' })).toBe(true);
});

it('is recognised as the machine by tools that observe actors', () => {
  const { imports } = wholeApp.implementations.actors;
  const late = lazyMachine(() => importsMachine);
  expect(imports).toBe(importsMachine);
  expect(late instanceof StateMachine).toBe(true);
  expect('root' in late && late.id).toBe('imports');
});

it('does not open a session when its machines cannot be loaded', async () => {
  const app = rootWith(() => Promise.reject(new Error('cut')));
  await settled();
  expect(app.getSnapshot().matches({ work: 'closed' })).toBe(true);
  expect(app.getSnapshot().children.imports).toBeUndefined();
});
