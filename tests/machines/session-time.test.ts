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

/** A session on simulated time whose archive can be taken away; what it was asked. */
const sessionOn = (restored: () => Promise<Grant | null>) => {
  const clock = new SimulatedClock();
  const asked: string[] = [];
  const archive = { isAway: false, permission: user.permission };
  const answer = async <Result>(name: string, result: () => Result): Promise<Result> => {
    asked.push(name);
    if (archive.isAway) throw new ServiceError({ kind: 'offline' });
    return result();
  };
  const actor = createActor(
    sessionMachine.provide({
      actors: {
        restoreSession: fromPromise<Grant | null, void>(restored),
        resolveAccount: fromPromise(() => answer('resolve', () => account)),
        recheckPermissions: fromPromise<readonly string[], void>(() => answer('recheck', () => archive.permission)),
        renewToken: fromPromise(() => answer('renew', () => ({ renewInMs: 290_000 }))),
        signOut: fromPromise<void, { place: string | null }>(async () => {}),
        watchSession: fromCallback(() => {}),
      },
    }),
    { clock },
  ).start();
  const pass = async (ms: number) => {
    clock.increment(ms);
    await settled();
  };
  return { actor, asked, archive, pass };
};

const signedIn = async () => {
  const session = sessionOn(async () => ({ renewInMs: 290_000 }));
  await settled();
  await settled();
  expect(selectIsSignedIn(session.actor.getSnapshot())).toBe(true);
  session.asked.length = 0;
  return session;
};

it('compares the rights every 30 s, and ends with the reason when they differ', async () => {
  const { actor, asked, archive, pass } = await signedIn();
  for (const _ of [1, 2, 3]) await pass(30_000);
  expect(asked).toEqual(['recheck', 'recheck', 'recheck']);
  archive.permission = ['user.get_any', 'role.get'];
  await pass(30_000);
  expect(selectIsSignedIn(actor.getSnapshot())).toBe(false);
  expect(selectSessionProblem(actor.getSnapshot())).toBe('rights');
});

it('rechecks and renews at once after a night of sleep, whatever its timers say', async () => {
  const { actor, asked } = await signedIn();
  actor.send({ type: 'page.woke', renewInMs: 0 });
  await settled();
  expect(asked.sort()).toEqual(['recheck', 'renew']);
});

it('counts the life of the token from what the store says when it wakes', async () => {
  const { actor, asked, pass } = await signedIn();
  actor.send({ type: 'page.woke', renewInMs: 12_000 });
  await pass(11_999);
  expect(asked).toEqual(['recheck']);
  await pass(1);
  expect(asked).toEqual(['recheck', 'renew']);
});

it('signs nobody out while the archive is away for an hour, and renews when it is back', async () => {
  const { actor, asked, archive, pass } = await signedIn();
  archive.isAway = true;
  for (let seconds = 0; seconds < 3_600; seconds += 5) await pass(5_000);
  expect(selectIsSignedIn(actor.getSnapshot())).toBe(true);
  archive.isAway = false;
  asked.length = 0;
  actor.send({ type: 'page.woke', renewInMs: 0 });
  await settled();
  expect(asked.sort()).toEqual(['recheck', 'renew']);
});

it('gives a stored sign-in 8 s before it says that it waits, and goes on trying', async () => {
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
