import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { openid, type TokenReply, tokenReply } from '../../contract/sign-in.ts';
import { endSessions } from '../../server/db/stores/sessions.ts';
import { addTwoClinics } from './clinic.ts';
import { type TestDatabase, testDatabase } from './database.ts';
import { bearer, dataFolderOf, type RunningServer, requestTokens, runServer, signIn } from './running-server.ts';

let database: TestDatabase;
let running: RunningServer;
let neighbour: RunningServer;
let clinic: Awaited<ReturnType<typeof addTwoClinics>>;

beforeAll(async () => {
  database = await testDatabase();
  clinic = await addTwoClinics(database.db);
  running = await runServer(database.database);
  neighbour = await runServer(database.database);
});
beforeEach(() => database.db.deleteFrom('sign_in_attempt').execute());
afterEach(() => vi.useRealTimers());
afterAll(async () => {
  await running?.close();
  await neighbour?.close();
  await database?.close();
});

const newAttempt = () => randomBytes(24).toString('base64url');
const signedIn = () => signIn(running.url, 'doctor@prov.example');
const renew = (tokens: TokenReply, attempt: string | null, url = running.url) =>
  requestTokens(url, {
    grant_type: 'refresh_token',
    refresh_token: tokens.refresh_token ?? '',
    ...(attempt === null ? {} : { [openid.attemptParameter]: attempt }),
  });
const renewed = async (tokens: TokenReply, attempt: string | null, url = running.url) =>
  tokenReply.parse(await (await renew(tokens, attempt, url)).json());
const call = async (tokens: TokenReply, url = running.url) =>
  (await fetch(`${url}/api/Account/info`, { headers: bearer(tokens) })).status;

describe('a renewal whose reply was lost', () => {
  it('can be repeated with the same attempt on any node, and returns the same successor', async () => {
    const first = await signedIn();
    const attempt = newAttempt();
    const lost = await renewed(first, attempt);
    const again = await renewed(first, attempt, neighbour.url);
    expect(again.refresh_token).toBe(lost.refresh_token);
    expect(await call(again)).toBe(200);
    const next = await renewed(again, newAttempt());
    expect(await call(next)).toBe(200);
  });

  it('can be repeated a day later, after a night of sleep', async () => {
    const first = await signedIn();
    const attempt = newAttempt();
    const lost = await renewed(first, attempt);
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 86_400_000 });
    const again = await renewed(first, attempt);
    expect(again.refresh_token).toBe(lost.refresh_token);
    expect(await call(again)).toBe(200);
  });

  it('returns the same to many simultaneous repetitions', async () => {
    const first = await signedIn();
    const attempt = newAttempt();
    const urls = Array.from({ length: 8 }, (_, index) => (index % 2 ? running.url : neighbour.url));
    const replies = await Promise.all(urls.map((url) => renewed(first, attempt, url)));
    expect(new Set(replies.map(({ refresh_token }) => refresh_token)).size).toBe(1);
    for (const reply of replies) expect(await call(reply)).toBe(200);
    expect(await call(await renewed(replies[0] ?? first, null))).toBe(200);
  });
});

describe('a reused refresh token', () => {
  let since = new Date();
  const ended = async (...all: TokenReply[]) => {
    for (const tokens of all) {
      expect(await call(tokens)).toBe(401);
      expect((await renew(tokens, newAttempt())).status).toBe(400);
    }
    const left = await database.db
      .selectFrom('oidc')
      .select('type')
      .where('account_id', '=', clinic.doctorId)
      .where('type', 'in', ['RefreshToken', 'Grant'])
      .execute();
    expect(left).toEqual([]);
    const entries = database.db.selectFrom('access_log').select('action').where('at', '>=', since);
    expect(await entries.where('detail', '=', 'sign-in-not-verified').execute()).not.toEqual([]);
  };
  beforeEach(async () => {
    await endSessions(database.db, clinic.doctorId, { reason: 'password-changed' });
    since = new Date();
  });

  it.each([
    ['with another attempt', newAttempt()],
    ['with none', null],
  ])('%s ends the session', async (_, thief) => {
    const first = await signedIn();
    const second = await renewed(first, newAttempt());
    expect((await renew(first, thief)).status).toBe(400);
    await ended(first, second);
  });

  it('ends the session, even with the same attempt, when its successor was used', async () => {
    const first = await signedIn();
    const attempt = newAttempt();
    const second = await renewed(first, attempt);
    const third = await renewed(second, newAttempt());
    expect((await renew(first, attempt)).status).toBe(400);
    await ended(first, second, third);
  });

  it('ends the session for both when a thief of token and attempt renews first', async () => {
    const first = await signedIn();
    const attempt = newAttempt();
    const own = await renewed(first, attempt);
    const stolen = await renewed(first, attempt);
    const thiefs = await renewed(stolen, newAttempt());
    expect((await renew(own, newAttempt())).status).toBe(400);
    await ended(own, thiefs);
  });

  it('that was used without an attempt cannot be repeated with any', async () => {
    const first = await signedIn();
    const second = await renewed(first, null);
    expect((await renew(first, newAttempt())).status).toBe(400);
    await ended(second);
  });

  it('ends the session when two attempts come at the same moment', async () => {
    const first = await signedIn();
    const statuses = (await Promise.all([newAttempt(), newAttempt()].map((one) => renew(first, one)))).map(
      ({ status }) => status,
    );
    expect(statuses.sort()).toEqual([200, 400]);
    await ended(first);
  });
});

it('is rejected with a guessable attempt, and the token stays valid', async () => {
  const first = await signedIn();
  const reply = await renew(first, 'short');
  expect([reply.status, (await reply.json()).error]).toEqual([400, 'invalid_request']);
  expect(await call(await renewed(first, newAttempt()))).toBe(200);
});

it('neither widens the scope nor accepts the token of another client', async () => {
  const narrow = await requestTokens(running.url, {
    grant_type: 'password',
    username: 'doctor@prov.example',
    password: 'Prov-2026!',
    scope: 'openid offline_access',
  });
  const tokens = tokenReply.parse(await narrow.json());
  expect(await call(tokens)).toBe(401);
  const form = { grant_type: 'refresh_token', refresh_token: tokens.refresh_token ?? '' };
  const wider = await requestTokens(running.url, { ...form, scope: openid.scope });
  expect((await wider.json()).error).toBe('invalid_scope');
  // It was not consumed by that.
  expect((await requestTokens(running.url, form)).status).toBe(200);
  expect((await requestTokens(running.url, { ...form, client_id: 'another' })).status).toBe(401);
});

it('stores neither token nor attempt in plain text', async () => {
  const first = await signedIn();
  const attempt = newAttempt();
  const second = await renewed(first, attempt);
  const rows = JSON.stringify(await database.db.selectFrom('oidc').selectAll().execute());
  for (const secret of [attempt, first.refresh_token, second.refresh_token]) expect(rows).not.toContain(secret);
});

it('expires after two weeks, however often it was renewed', async () => {
  let tokens = await signedIn();
  const start = Date.now();
  for (const day of [3, 7, 11, 13.9]) {
    vi.useFakeTimers({ toFake: ['Date'], now: start + day * 86_400_000 });
    tokens = await renewed(tokens, newAttempt());
    expect(await call(tokens)).toBe(200);
  }
  vi.useFakeTimers({ toFake: ['Date'], now: start + 14.1 * 86_400_000 });
  expect(await call(tokens)).toBe(401);
  expect((await renew(tokens, newAttempt())).status).toBe(400);
});

describe('a server killed during a renewal', () => {
  const start = async () => {
    const dataFolder = dataFolderOf(database.database);
    const argument = JSON.stringify({ address: database.address, publicUrl: 'http://localhost', dataFolder });
    const script = path.join(import.meta.dirname, 'server-process.ts');
    const child = spawn(process.execPath, [script, argument], { stdio: ['ignore', 'pipe', 'inherit'] });
    const [url] = await once(createInterface(child.stdout), 'line');
    const kill = async () => {
      child.kill('SIGKILL');
      if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
    };
    return { url: String(url), kill };
  };
  /** Every use of a refresh token waits at this lock, with the successor inserted and nothing committed. */
  const stopInTheMiddle = async () => {
    await sql`create or replace function stop_in_the_middle() returns trigger language plpgsql as
      'begin perform pg_advisory_xact_lock(815); return new; end'`.execute(database.db);
    await sql`create trigger stop_in_the_middle before update on oidc for each row
      when (old.type = 'RefreshToken' and new.consumed_at is not null) execute function stop_in_the_middle()`.execute(
      database.db,
    );
  };
  const waiting = async () => {
    const { rows } =
      await sql`select 1 from pg_locks where locktype = 'advisory' and objid = 815 and not granted`.execute(
        database.db,
      );
    return rows.length;
  };

  it.each([
    ['an attempt', newAttempt()],
    ['none', null],
  ])(
    'keeps the session of a client that retries with %s',
    async (_, attempt) => {
      const first = await signedIn();
      const mortal = await start();
      await stopInTheMiddle();
      try {
        await database.db.connection().execute(async (holder) => {
          await sql`select pg_advisory_lock(815)`.execute(holder);
          const dying = renew(first, attempt, mortal.url).catch((error: unknown) => error);
          await expect.poll(waiting).toBe(1);
          await mortal.kill();
          expect(await dying).toBeInstanceOf(Error);
          await sql`select pg_advisory_unlock(815)`.execute(holder);
        });
      } finally {
        await mortal.kill();
        await sql`drop trigger stop_in_the_middle on oidc`.execute(database.db);
      }
      const second = await renewed(first, attempt, neighbour.url);
      expect(await call(second)).toBe(200);
      expect(await call(await renewed(second, newAttempt()))).toBe(200);
    },
    60_000,
  );
});
