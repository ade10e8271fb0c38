import { expect, it } from 'vitest';
import { createActor, fromCallback, fromPromise, SimulatedClock } from 'xstate';
import { saveSession } from '../../src/machines/session/save-session.ts';
import { sessionMachine } from '../../src/machines/session/session.machine.ts';
import type { Account } from '../../src/machines/session/session.rules.ts';
import type { FoundGrant } from '../../src/machines/session/session.setup.ts';

const settled = () => new Promise(setImmediate);
const clinic = { id: 'clinic', name: 'Solrosen' };

/** A session that is restored at once; records what is stored. */
const restored = async (ownClinic: typeof clinic | null) => {
  const stored: unknown[] = [];
  const user = { id: 'anna', customerRights: { super_admin: true } };
  const permission = ['customer.get'];
  const account = { user, permission, clinic: ownClinic, knownClaims: permission } as unknown as Account;
  const session = createActor(
    sessionMachine.provide({
      actors: {
        restoreSession: fromPromise<FoundGrant | null, void>(async () => ({ renewInMs: 60_000 })),
        resolveAccount: fromPromise<Account, void>(async () => account),
        watchSession: fromCallback(() => {}),
        signOut: fromPromise(async () => {}),
      },
    }),
    { clock: new SimulatedClock() },
  ).start();
  saveSession(session, {
    chosenClinic: { save: (id) => stored.push(['clinic', id]) },
    drafts: { setOwner: (id) => stored.push(['owner', id]), clear: () => stored.push(['cleared']) },
  });
  await settled();
  return { session, stored };
};
const count = (stored: readonly unknown[], entry: unknown) =>
  stored.filter((one) => JSON.stringify(one) === JSON.stringify(entry)).length;

it('saves the clinic of the session whenever it changes, and the owner of drafts once', async () => {
  const { session, stored } = await restored(null);
  expect(stored).toEqual([
    ['clinic', null],
    ['owner', 'anna'],
  ]);
  session.send({ type: 'clinic.chosen', clinic });
  expect(stored.at(-1)).toEqual(['clinic', 'clinic']);
  session.send({ type: 'clinic.closed' });
  expect(stored.at(-1)).toEqual(['clinic', null]);
  expect(count(stored, ['owner', 'anna'])).toBe(1);
});

it('removes drafts when the user signs out, but not when the session ends by itself', async () => {
  const left = await restored(clinic);
  left.session.send({ type: 'sign-out.requested' });
  await settled();
  expect(count(left.stored, ['cleared'])).toBeGreaterThan(0);
  const ended = await restored(clinic);
  ended.session.send({ type: 'session.ended-elsewhere' });
  await settled();
  expect(count(ended.stored, ['cleared'])).toBe(0);
});
