import { mkdtemp, readdir, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, vi } from 'vitest';
import { resetPassword, resetPasswordRequest } from '../../contract/passwords.ts';
import { openid } from '../../contract/sign-in.ts';
import { addAccount, addTwoClinics, password } from './clinic.ts';
import { type TestDatabase, testDatabase } from './database.ts';
import { type RunningServer, requestTokens, runServer } from './running-server.ts';

const page = 'http://localhost/authorization/newpassword';

export const demoAccounts = async () => [
  { email: 'doctor@prov.example', password, role: 'Doctor', clinic: 'Provkliniken' },
];

export interface Link {
  readonly id: string;
  readonly key: string;
}

export const keyOf = (link: string): Link => {
  const hash = new URLSearchParams(new URL(link).hash.slice(1));
  return { id: hash.get('id') ?? '', key: hash.get('SecurityStamp') ?? '' };
};

export const until = <T>(isSo: () => Promise<T>) => vi.waitUntil(isSo, { timeout: 20_000 });
export const codeOf = async (reply: Response) => [reply.status, (await reply.json()).code];

const post = (where: string, route: { path: string }, body: object, headers: Record<string, string> = {}) =>
  fetch(`${where}${route.path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  });

/** Starts a server with an outbox folder, and returns the calls of a password reset. */
export const resetUnderTest = () => {
  let database: TestDatabase;
  let running: RunningServer;
  let folder: string;
  let clinic: Awaited<ReturnType<typeof addTwoClinics>>;
  let count = 0;

  beforeAll(async () => {
    database = await testDatabase();
    clinic = await addTwoClinics(database.db);
    folder = await mkdtemp(path.join(os.tmpdir(), 'dentarium-reset-'));
    running = await runServer(database.database, { dataFolder: folder, demoAccounts });
  });
  beforeEach(async () => {
    await database.db.deleteFrom('letter').execute();
    await database.db.deleteFrom('sign_in_attempt').execute();
  });
  afterAll(async () => {
    await running?.close();
    await database?.close();
    await rm(folder, { recursive: true, force: true });
  });

  const requestReset = (email: string, extra: object = {}, headers: Record<string, string> = {}, where = running.url) =>
    post(where, resetPasswordRequest, { email, redirectUrl: page, ...extra }, headers);
  const outbox = async (): Promise<string[]> => (await readdir(path.join(folder, 'outbox')).catch(() => [])).sort();
  const allSettled = () =>
    until(async () => {
      const rows = await database.db.selectFrom('letter').select('id').where('sent_at', 'is', null).execute();
      return rows.length === 0;
    });
  const shown = async (): Promise<string> => (await fetch(`${running.url}/api/outbox`)).text();
  /** The newest link on the outbox page. */
  const newestLink = async (): Promise<Link> => {
    const link = /href="([^"]+)"/.exec(await shown())?.[1]?.replaceAll('&amp;', '&') ?? '';
    expect(link.startsWith(`${page}#`)).toBe(true);
    return keyOf(link);
  };
  const emailFor = async (email: string): Promise<Link> => {
    const before = (await outbox()).length;
    expect((await requestReset(email)).status).toBe(200);
    await until(async () => (await outbox()).length > before);
    await allSettled();
    return newestLink();
  };

  return {
    get database() {
      return database;
    },
    get url() {
      return running.url;
    },
    requestReset,
    outbox,
    allSettled,
    shown,
    newestLink,
    emailFor,
    choose: ({ id, key }: Link, next: string) =>
      post(running.url, resetPassword, { id, SecurityStamp: key, password: next }),
    byPassword: (username: string, secret: string) =>
      requestTokens(running.url, { grant_type: 'password', username, password: secret, scope: openid.scope }),
    newUser: async (extra: { isActive?: boolean; customerId?: string } = {}) => {
      count += 1;
      const email = `reset${count}@prov.example`;
      const id = await addAccount(database.db, { email, role: 'Doctor', customerId: clinic.customerId, ...extra });
      return { email, id };
    },
  };
};
