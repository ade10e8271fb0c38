import { expect, it } from 'vitest';
import { createActor, fromCallback, fromPromise, SimulatedClock } from 'xstate';
import type { CurrentUser } from '../../contract/account.ts';
import {
  selectIsSignedIn,
  selectIsUnreachable,
  selectSessionProblem,
  sessionMachine,
} from '../../src/machines/session/session.machine.ts';
import type { Account } from '../../src/machines/session/session.rules.ts';
import type { Grant } from '../../src/machines/session/session.setup.ts';
import { ServiceError } from '../../src/services/failure.ts';

const settled = () => new Promise(setImmediate);
const user = { permission: ['user.get_any'], customerRights: { super_admin: false } } as unknown as CurrentUser;
const account: Account = { user, permission: user.permission, clinic: null, knownClaims: [] };

/** A session on simulated time whose archive can be made unavailable, with the calls that it made. */
const sessionOn = (restored: () => Promise<Grant | null>) => {
  const clock = new SimulatedClock();
  const calls: string[] = [];
  const archive = { isAway: false, permission: user.permission };
  const reply = async <Result>(name: string, result: () => Result): Promise<Result> => {
    calls.push(name);
    if (archive.isAway) throw new ServiceError({ kind: 'offline' });
    return result();
  };
  const actor = createActor(
    sessionMachine.provide({
      actors: {
        restoreSession: fromPromise<Grant | null, void>(restored),
        resolveAccount: fromPromise(() => reply('resolve', () => account)),
        recheckPermissions: fromPromise<readonly string[], void>(() => reply('recheck', () => archive.permission)),
        renewToken: fromPromise(() => reply('renew', () => ({ renewInMs: 290_000 }))),
        signOut: fromPromise<void, { returnPath: string | null }>(async () => {}),
        watchSession: fromCallback(() => {}),
      },
    }),
    { clock },
  ).start();
  const pass = async (ms: number) => {
    clock.increment(ms);
    await settled();
  };
  return { actor, calls, archive, pass };
};

const signedIn = async () => {
  const session = sessionOn(async () => ({ renewInMs: 290_000 }));
  await settled();
  await settled();
  expect(selectIsSignedIn(session.actor.getSnapshot())).toBe(true);
  session.calls.length = 0;
  return session;
};

it('compares the rights every 30 s, and ends with a reason when they differ', async () => {
  const { actor, calls, archive, pass } = await signedIn();
  for (const _ of [1, 2, 3]) await pass(30_000);
  expect(calls).toEqual(['recheck', 'recheck', 'recheck']);
  archive.permission = ['user.get_any', 'role.get'];
  await pass(30_000);
  expect(selectIsSignedIn(actor.getSnapshot())).toBe(false);
  expect(selectSessionProblem(actor.getSnapshot())).toBe('rights');
});

it('rechecks and renews at once after hours of sleep, whatever its timers say', async () => {
  const { actor, calls } = await signedIn();
  actor.send({ type: 'page.woke', renewInMs: 0 });
  await settled();
  expect(calls.sort()).toEqual(['recheck', 'renew']);
});

it('takes the remaining token lifetime from the store when the page wakes', async () => {
  const { actor, calls, pass } = await signedIn();
  actor.send({ type: 'page.woke', renewInMs: 12_000 });
  await pass(11_999);
  expect(calls).toEqual(['recheck']);
  await pass(1);
  expect(calls).toEqual(['recheck', 'renew']);
});

it('stays signed in while the archive is unavailable for an hour, and renews afterwards', async () => {
  const { actor, calls, archive, pass } = await signedIn();
  archive.isAway = true;
  for (let seconds = 0; seconds < 3_600; seconds += 5) await pass(5_000);
  expect(selectIsSignedIn(actor.getSnapshot())).toBe(true);
  archive.isAway = false;
  calls.length = 0;
  actor.send({ type: 'page.woke', renewInMs: 0 });
  await settled();
  expect(calls.sort()).toEqual(['recheck', 'renew']);
});

it('waits 8 s for a stored sign-in before it reports the delay, and keeps retrying', async () => {
  const replies = [Promise.withResolvers<Grant | null>(), Promise.withResolvers<Grant | null>()];
  let tries = 0;
  const { actor, pass } = sessionOn(() => replies[tries++]?.promise ?? Promise.reject(new Error('asked too often')));
  await pass(7_999);
  expect(selectIsUnreachable(actor.getSnapshot())).toBe(false);
  await pass(1);
  expect(selectIsUnreachable(actor.getSnapshot())).toBe(true);
  await pass(5_000);
  replies[1]?.resolve({ renewInMs: 290_000 });
  await settled();
  await settled();
  expect(selectIsSignedIn(actor.getSnapshot())).toBe(true);
});
