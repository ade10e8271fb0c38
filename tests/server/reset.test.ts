import { mkdtemp, readdir, rm } from 'node:fs/promises';
import http from 'node:http';
import os from 'node:os';
import path from 'node:path';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { welcome } from '../../contract/about.ts';
import { accountInfo } from '../../contract/account.ts';
import { resetPassword, resetPasswordRequest } from '../../contract/passwords.ts';
import { openid } from '../../contract/sign-in.ts';
import { readIdentitySettings } from '../../server/identity/identity-settings.ts';
import { parseEmail } from '../../server/mail/parse-email.ts';
import { addAccount, addTwoClinics, password } from './clinic.ts';
import { type TestDatabase, testDatabase } from './database.ts';
import { holdBlocks } from './hold-blocks.ts';
import { bearer, type RunningServer, requestTokens, runServer, signIn } from './running-server.ts';
import { smtpProcess } from './smtp-process.ts';

let database: TestDatabase;
let running: RunningServer;
let folder: string;
let clinic: Awaited<ReturnType<typeof addTwoClinics>>;

const demoAccounts = async () => [{ email: 'doctor@prov.example', password, role: 'Doctor', clinic: 'Provkliniken' }];
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

const page = 'http://localhost/authorization/newpassword';
const post = (where: string, route: { path: string }, body: object, headers: Record<string, string> = {}) =>
  fetch(`${where}${route.path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  });
const requestReset = (email: string, extra: object = {}, headers: Record<string, string> = {}, where = running.url) =>
  post(where, resetPasswordRequest, { email, redirectUrl: page, ...extra }, headers);
const outbox = async (): Promise<string[]> => (await readdir(path.join(folder, 'outbox')).catch(() => [])).sort();
const until = <T>(isSo: () => Promise<T>) => vi.waitUntil(isSo, { timeout: 20_000 });
const allSettled = () =>
  until(async () => {
    const rows = await database.db.selectFrom('letter').select('id').where('sent_at', 'is', null).execute();
    return rows.length === 0;
  });
const shown = async (): Promise<string> => (await fetch(`${running.url}/api/outbox`)).text();

interface Link {
  readonly id: string;
  readonly key: string;
}
const keyOf = (link: string): Link => {
  const hash = new URLSearchParams(new URL(link).hash.slice(1));
  return { id: hash.get('id') ?? '', key: hash.get('SecurityStamp') ?? '' };
};
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
const choose = ({ id, key }: Link, next: string) =>
  post(running.url, resetPassword, { id, SecurityStamp: key, password: next });
const codeOf = async (reply: Response) => [reply.status, (await reply.json()).code];
const byPassword = (username: string, secret: string) =>
  requestTokens(running.url, { grant_type: 'password', username, password: secret, scope: openid.scope });
const logOf = async (accountId: string) =>
  (
    await database.db.selectFrom('access_log').selectAll().where('account_id', '=', accountId).orderBy('id').execute()
  ).map(({ action }) => action);

let count = 0;
const newUser = async (extra: { isActive?: boolean; customerId?: string } = {}) => {
  count += 1;
  const email = `reset${count}@prov.example`;
  const id = await addAccount(database.db, { email, role: 'Doctor', customerId: clinic.customerId, ...extra });
  return { email, id };
};

describe('a new password', () => {
  it('is set by the link of an e-mail, once, and ends every session', async () => {
    const { email, id } = await newUser();
    const session = await signIn(running.url, email);
    const link = await emailFor(email.toUpperCase());
    expect(link.id).toBe(id);
    expect(link.key.length).toBeGreaterThanOrEqual(43);
    const stored = await database.db.selectFrom('password_reset').selectAll().execute();
    expect(stored).toHaveLength(1);
    expect(JSON.stringify(stored)).not.toContain(link.key);

    const replies = await Promise.all([choose(link, 'Nytt-2026!'), choose(link, 'Annat-2026!')]);
    expect(replies.map((reply) => reply.status).sort()).toEqual([200, 410]);
    expect(await codeOf(await choose(link, 'Tredje-2026!'))).toEqual([410, 'link-expired']);
    const chosen = replies[0]?.status === 200 ? 'Nytt-2026!' : 'Annat-2026!';
    expect((await byPassword(email, password)).status).toBe(400);
    expect((await byPassword(email, chosen)).status).toBe(200);

    expect((await fetch(`${running.url}${accountInfo.path}`, { headers: bearer(session) })).status).toBe(401);
    const renewal = { grant_type: 'refresh_token', refresh_token: session.refresh_token ?? '' };
    expect((await requestTokens(running.url, renewal)).status).toBe(400);
    expect(await logOf(id)).toEqual(expect.arrayContaining(['password.reset-requested', 'password.changed']));
  });

  it('unblocks a user after too many failures', async () => {
    const { email } = await newUser();
    for (let index = 0; index < 6; index += 1) await byPassword(email, 'Guess-2026!');
    await holdBlocks(database.db);
    expect((await byPassword(email, password)).status).toBe(429);
    expect((await choose(await emailFor(email), 'Nytt-2026!')).status).toBe(200);
    expect((await byPassword(email, 'Nytt-2026!')).status).toBe(200);
  });

  it('keeps two-factor enabled', async () => {
    const { email, id } = await newUser();
    const key = { two_factor_key: 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ' };
    await database.db.updateTable('account').set(key).where('id', '=', id).execute();
    expect((await choose(await emailFor(email), 'Nytt-2026!')).status).toBe(200);
    expect((await (await byPassword(email, 'Nytt-2026!')).json()).error_description).toBe('code-needed');
  });

  it('must satisfy the password rules, and a rejected one keeps the link valid', async () => {
    const { email } = await newUser();
    const link = await emailFor(email);
    for (const weak of ['Ab1!', 'nyttlösen-1', 'NYTT-2026!', 'Nytt2026', 'Nytt-lösen']) {
      const reply = await choose(link, weak);
      expect(await reply.json()).toMatchObject({ code: 'invalid-request', errors: [{ fieldKey: 'password' }] });
    }
    expect((await choose(link, 'Nytt-2026!')).status).toBe(200);
  });

  it('is rejected with the link of another user, an old one, an expired one, and a forged one', async () => {
    const [one, two] = [await newUser(), await newUser()];
    const older = await emailFor(one.email);
    const newer = await emailFor(one.email);
    expect(await codeOf(await choose(older, 'Nytt-2026!'))).toEqual([410, 'link-expired']);
    expect((await choose({ ...newer, id: two.id }, 'Nytt-2026!')).status).toBe(410);
    expect((await choose({ ...newer, key: 'x'.repeat(43) }, 'Nytt-2026!')).status).toBe(410);
    const past = { expires_at: new Date(Date.now() - 1000) };
    await database.db.updateTable('password_reset').set(past).where('account_id', '=', one.id).execute();
    expect((await choose(newer, 'Nytt-2026!')).status).toBe(410);
    const last = await emailFor(one.email);
    await database.db.updateTable('account').set({ is_active: false }).where('id', '=', one.id).execute();
    expect((await choose(last, 'Nytt-2026!')).status).toBe(410);
    expect((await byPassword(two.email, password)).status).toBe(200);
  });

  it('is possible for an hour, or as configured', async () => {
    const { email } = await newUser();
    await emailFor(email);
    const row = await database.db
      .selectFrom('password_reset')
      .innerJoin('account', 'account.id', 'account_id')
      .select('expires_at')
      .where('email', '=', email)
      .executeTakeFirstOrThrow();
    expect(Math.round((row.expires_at.getTime() - Date.now()) / 60_000)).toBe(60);
    expect(readIdentitySettings({ DENTARIUM_RESET_MINUTES: '15' }).passwords.resetMinutes).toBe(15);
    for (const wrong of ['0', 'soon', '100000'])
      expect(() => readIdentitySettings({ DENTARIUM_RESET_MINUTES: wrong })).toThrow('DENTARIUM_RESET_MINUTES');
  });
});

describe('requesting a reset e-mail', () => {
  it('is answered alike for every name, after the same work', async () => {
    const inactive = await newUser({ isActive: false });
    const { email } = await newUser();
    const before = await outbox();
    const answers: [number, unknown, string[]][] = [];
    for (const name of [email, 'nobody@prov.example', inactive.email]) {
      // The account table is locked meanwhile: the reply does not wait for it, the e-mail does.
      await database.db.transaction().execute(async (transaction) => {
        await sql`lock table account in access exclusive mode`.execute(transaction);
        const reply = await requestReset(name);
        answers.push([reply.status, await reply.json(), [...reply.headers.keys()].sort()]);
      });
    }
    expect(answers[1]).toEqual(answers[0]);
    expect(answers[2]).toEqual(answers[0]);
    expect(answers[0]?.slice(0, 2)).toEqual([200, {}]);
    await allSettled();
    expect((await outbox()).length).toBe(before.length + 1);
    const queued = await database.db.selectFrom('letter').select('email').execute();
    expect(queued).toEqual([{ email: null }]);
  });

  it('sends three e-mails an hour, and is answered alike after that', async () => {
    const { email } = await newUser();
    const before = (await outbox()).length;
    for (let index = 0; index < 5; index += 1) {
      expect((await requestReset(email)).status).toBe(200);
      await allSettled();
    }
    expect((await outbox()).length).toBe(before + 3);
    await database.db
      .updateTable('letter')
      .set({ sent_at: new Date(Date.now() - 3_700_000) })
      .execute();
    await emailFor(email);
  });

  it('several times at once sends one e-mail with a working link', async () => {
    const { email } = await newUser();
    const before = (await outbox()).length;
    await Promise.all(Array.from({ length: 6 }, () => requestReset(email)));
    await allSettled();
    expect((await outbox()).length).toBeLessThanOrEqual(before + 3);
    expect((await choose(await newestLink(), 'Nytt-2026!')).status).toBe(200);
  });

  it.each([
    'https://elsewhere.example/authorization/newpassword',
    'http://localhost.elsewhere.example/',
    'http://localhost@elsewhere.example/',
    'http://user@localhost/',
    'https://localhost/',
    'http://localhost:8080/',
    'javascript:alert(1)',
  ])('for a page at %s is rejected with its field', async (redirectUrl) => {
    const reply = await requestReset('doctor@prov.example', { redirectUrl });
    expect([reply.status, await reply.json()]).toMatchObject([
      400,
      { code: 'invalid-request', errors: [{ fieldKey: 'redirectUrl' }] },
    ]);
  });

  it('never leads to another host by a path that looks like one', async () => {
    const { email } = await newUser();
    const before = (await outbox()).length;
    expect((await requestReset(email, { redirectUrl: 'http://localhost//elsewhere.example/x' })).status).toBe(200);
    await until(async () => (await outbox()).length > before);
    expect(await shown()).toContain('href="http://localhost//elsewhere.example/x#');
  });

  it('by 127.0.0.1 leads to localhost, the same archive', async () => {
    const { email } = await newUser();
    const before = (await outbox()).length;
    expect((await requestReset(email, { redirectUrl: 'http://127.0.0.1/authorization/newpassword' })).status).toBe(200);
    await until(async () => (await outbox()).length > before);
    await allSettled();
    await newestLink();
  });

  it('sends the e-mail in the requested language', async () => {
    const { email } = await newUser();
    const before = (await outbox()).length;
    await requestReset(email, { language: 'da' });
    await until(async () => (await outbox()).length > before);
    await allSettled();
    expect(await shown()).toMatch(/<html lang="da">.*Vælg en ny adgangskode til Dentarium/s);
  });
});

describe('the outbox page', () => {
  /** `fetch` sets Host itself. */
  const statusWith = (where: string, headers: Record<string, string>) =>
    new Promise<number>((resolve, reject) => {
      http
        .get(`${where}/api/outbox`, { headers }, (reply) => {
          reply.resume();
          resolve(reply.statusCode ?? 0);
        })
        .on('error', reject);
    });

  it('is announced to the sign-in page, and shows the e-mails without a script', async () => {
    const { email } = await newUser();
    await emailFor(email);
    expect((await (await fetch(`${running.url}${welcome.path}`)).json()).outbox).toBe('/api/outbox');
    const reply = await fetch(`${running.url}/api/outbox?language=en`);
    const text = await reply.text();
    expect(reply.headers.get('content-security-policy')).toMatch(/^default-src 'none'; style-src 'sha256-/);
    expect(reply.headers.get('cache-control')).toBe('no-store');
    expect(text).toContain('<html lang="en">');
    expect(text).toContain(email);
    expect(text).not.toMatch(/<script|<img|<link/);
  });

  it('is available on this machine only, not through a proxy or under another host name', async () => {
    const { host } = new URL(running.url);
    expect(await statusWith(running.url, { host })).toBe(200);
    for (const header of ['x-forwarded-for', 'forwarded', 'x-real-ip', 'via'])
      expect(await statusWith(running.url, { host, [header]: '127.0.0.1' })).toBe(404);
    expect(await statusWith(running.url, { host: 'elsewhere.example' })).toBe(404);
  });

  it('is not available without the demo clinic or with a mail server', async () => {
    const mail = { smtpUrl: 'smtp://localhost:1', from: 'x@prov.example', requireTls: false, caFile: null };
    for (const extra of [{}, { demoAccounts, mail }]) {
      const other = await runServer(database.database, extra);
      const { host } = new URL(other.url);
      expect(await statusWith(other.url, { host })).toBe(404);
      expect((await (await fetch(`${other.url}${welcome.path}`)).json()).outbox).toBeNull();
      await other.close();
    }
  });
});

describe('with a mail server', () => {
  const started = async (port: number) => {
    const mail = { smtpUrl: `smtp://localhost:${port}`, from: 'x@prov.example', requireTls: false, caFile: null };
    return runServer(database.database, { mail });
  };

  it('sends the e-mail after an outage and a restart of the archive, with a working link', async () => {
    const { email } = await newUser();
    const smtp = await smtpProcess();
    const first = await started(smtp.port);
    expect((await requestReset(email, {}, {}, first.url)).status).toBe(200);
    await until(async () => {
      const row = await database.db.selectFrom('letter').select(['tries', 'try_at']).executeTakeFirst();
      return row && row.tries > 0 && row.try_at.getTime() < Date.now() + 60_000;
    });
    await first.close();
    expect(
      await database.db
        .selectFrom('password_reset')
        .innerJoin('account', 'account.id', 'account_id')
        .select('email')
        .where('email', '=', email)
        .execute(),
    ).toEqual([]);
    await smtp.start();
    await database.db.updateTable('letter').set({ try_at: new Date() }).execute();
    const second = await started(smtp.port);
    const [taken] = await smtp.taken(1);
    expect(taken?.to).toEqual([email]);
    const link = keyOf(parseEmail(taken?.bytes ?? '').link ?? '');
    expect((await choose(link, 'Nytt-2026!')).status).toBe(200);
    await second.close();
    await smtp.stop();
  });
});
