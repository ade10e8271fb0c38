import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { welcome } from '../../contract/about.ts';
import { resetLinkCreate, resetPassword, resetPasswordRequest } from '../../contract/passwords.ts';
import { systemStatus } from '../../contract/system-status.ts';
import { parseEmail } from '../../server/mail/parse-email.ts';
import { addAccount, addTwoClinics, password } from './clinic.ts';
import { type TestDatabase, testDatabase } from './database.ts';
import { bearer, dataFolderOf, type RunningServer, requestTokens, runServer, signIn } from './running-server.ts';
import { smtpProcess } from './smtp-process.ts';

let database: TestDatabase;
let clinic: Awaited<ReturnType<typeof addTwoClinics>>;
let running: RunningServer;
let smtp: Awaited<ReturnType<typeof smtpProcess>> | null = null;

beforeAll(async () => {
  database = await testDatabase();
  clinic = await addTwoClinics(database.db);
});
afterAll(() => database?.close());
afterEach(async () => {
  await running.close();
  await smtp?.stop();
  smtp = null;
});
beforeEach(() => database.db.deleteFrom('letter').execute());

const redirectUrl = 'http://localhost/authorization/newpassword';
const post = async (route: { path: string }, body: object, as?: string) => {
  const reply = await fetch(`${running.url}${route.path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...(as ? bearer(await signIn(running.url, as)) : {}) },
    body: JSON.stringify(body),
  });
  return { status: reply.status, body: await reply.json() };
};
const linkFor = (id: string, as = 'admin@prov.example', extra: object = {}) =>
  post(resetLinkCreate, { id, redirectUrl, ...extra }, as);
const choose = (link: string, next: string) => {
  const { id, SecurityStamp } = Object.fromEntries(new URLSearchParams(new URL(link).hash.slice(1)));
  return post(resetPassword, { id, SecurityStamp, password: next });
};
const signInStatus = async (username: string, secret: string) =>
  (await requestTokens(running.url, { grant_type: 'password', username, password: secret, scope: 'openid' })).status;

let count = 0;
const newUser = async (extra: { isActive?: boolean; customerId?: string } = {}) => {
  count += 1;
  const email = `link${count}@prov.example`;
  return {
    email,
    id: await addAccount(database.db, { email, role: 'Doctor', customerId: clinic.customerId, ...extra }),
  };
};
const queued = () => database.db.selectFrom('letter').selectAll().execute();
const logOf = (objectId: string) =>
  database.db.selectFrom('access_log').selectAll().where('object_id', '=', objectId).orderBy('id').execute();

describe('without a mail server', () => {
  beforeEach(async () => {
    running = await runServer(database.database);
  });

  it('an administrator gets a link that works once, as long as one in an e-mail, and nothing is queued', async () => {
    const { email, id } = await newUser();
    const { status, body } = await linkFor(id);
    expect([status, body.delivery]).toEqual([200, 'copy']);
    expect(body.link.startsWith(`${redirectUrl}#`)).toBe(true);
    expect(Math.round((Date.parse(body.expiresAt) - Date.now()) / 60_000)).toBe(60);
    expect(await queued()).toEqual([]);
    expect(await signInStatus(email, password)).toBe(200);
    expect((await choose(body.link, 'Nytt-2026!')).status).toBe(200);
    expect(await signInStatus(email, 'Nytt-2026!')).toBe(200);
    expect((await choose(body.link, 'Annat-2026!')).body.code).toBe('link-expired');
  });

  it('a new link revokes the earlier one', async () => {
    const { id } = await newUser();
    const [older, newer] = [await linkFor(id), await linkFor(id)];
    expect((await choose(older.body.link, 'Nytt-2026!')).body.code).toBe('link-expired');
    expect((await choose(newer.body.link, 'Nytt-2026!')).status).toBe(200);
  });

  it('links made, used and replaced at once do not block each other', async () => {
    const user = await newUser();
    const administrator = bearer(await signIn(running.url, 'admin@prov.example'));
    const another = async () => {
      const headers = { 'content-type': 'application/json', ...administrator };
      const body = JSON.stringify({ id: user.id, redirectUrl });
      return fetch(`${running.url}${resetLinkCreate.path}`, { method: 'POST', headers, body });
    };
    for (let run = 0; run < 5; run++) {
      const { link } = await (await another()).json();
      const calls = [choose(link, 'Nytt-2026!'), ...Array.from({ length: 12 }, another)];
      const statuses = (await Promise.all(calls)).map(({ status }) => status);
      expect(statuses.filter((status) => status !== 200 && status !== 410)).toEqual([]);
    }
  });

  it('the link is logged as an action of the administrator, without its secret', async () => {
    const { id } = await newUser();
    const { body } = await linkFor(id);
    const [entry] = await logOf(id);
    expect(entry?.action).toBe('user.reset-link-shown');
    expect(entry?.account_id).not.toBe(id);
    const key = new URLSearchParams(new URL(body.link).hash.slice(1)).get('SecurityStamp') ?? '';
    expect(key.length).toBeGreaterThanOrEqual(43);
    expect(JSON.stringify(await logOf(id))).not.toContain(key);
    expect(JSON.stringify(await database.db.selectFrom('password_reset').selectAll().execute())).not.toContain(key);
  });

  it('no link is made for an inactive user, for a page elsewhere, or by a caller without the right', async () => {
    const { id } = await newUser();
    const inactive = await newUser({ isActive: false });
    expect((await linkFor(inactive.id)).body.code).toBe('account-inactive');
    expect((await linkFor(id, undefined, { redirectUrl: 'https://elsewhere.example/' })).body.code).toBe(
      'invalid-request',
    );
    expect((await linkFor(id, 'doctor@prov.example')).body).toMatchObject({ code: 'no-right' });
    expect((await post(resetLinkCreate, { id, redirectUrl })).body.code).toBe('not-signed-in');
    expect(await logOf(id)).toEqual([]);
    const links = await database.db.selectFrom('password_reset').selectAll().where('account_id', '=', id).execute();
    expect(links).toEqual([]);
  });

  it('a request by e-mail is rejected without a mail server, alike for every name', async () => {
    const { email } = await newUser();
    for (const name of [email, 'nobody@prov.example'])
      expect(await post(resetPasswordRequest, { email: name, redirectUrl })).toMatchObject({
        status: 409,
        body: { code: 'mail-not-configured' },
      });
    expect(await queued()).toEqual([]);
    expect(await readdir(path.join(dataFolderOf(database.database), 'outbox')).catch(() => [])).toEqual([]);
    const shown = await (await fetch(`${running.url}${welcome.path}`)).json();
    expect([shown.hasMailServer, shown.outbox]).toEqual([false, null]);
  });
});

describe('with a mail server', () => {
  const warnings = async () => {
    const headers = bearer(await signIn(running.url, 'super@prov.example'));
    return (await (await fetch(`${running.url}${systemStatus.path}`, { headers })).json()).warnings;
  };
  beforeEach(async () => {
    smtp = await smtpProcess();
    const mail = { smtpUrl: `smtp://localhost:${smtp.port}`, from: 'x@prov.example', requireTls: false, caFile: null };
    running = await runServer(database.database, { mail });
  });

  it('the reply to an administrator waits until the mail server has accepted the message, and has no link', async () => {
    await smtp?.start();
    const { email, id } = await newUser();
    expect(await linkFor(id)).toEqual({ status: 200, body: { delivery: 'mail-server' } });
    const [taken] = (await smtp?.taken(1)) || [];
    expect(taken?.to).toEqual([email]);
    expect((await choose(parseEmail(taken?.bytes ?? '').link ?? '', 'Nytt-2026!')).status).toBe(200);
    expect((await logOf(id)).map(({ action }) => action)).toContain('user.reset-link-requested');
    expect((await (await fetch(`${running.url}${welcome.path}`)).json()).hasMailServer).toBe(true);
  });

  it('a failure is reported with its reason, nothing is sent later, and system administrators are warned', async () => {
    const { id } = await newUser();
    expect(await linkFor(id)).toMatchObject({
      status: 503,
      body: { code: 'cannot-send-email', errors: [{ fieldKey: 'email', vars: { reason: 'connection' } }] },
    });
    expect((await queued()).map(({ email, failure }) => [email, failure])).toEqual([[null, 'connection']]);
    expect(await warnings()).toMatchObject([{ kind: 'mail-failing', waiting: 0, failed: 1, reason: 'connection' }]);
    await smtp?.start();
    expect((await linkFor((await newUser()).id)).status).toBe(200);
    expect(smtp?.messages).toHaveLength(1);
  });
});
