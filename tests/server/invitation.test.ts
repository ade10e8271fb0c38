import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { directoryTokenCreate } from '../../contract/directory.ts';
import { resetLinkCreate, resetPassword, resetPasswordRequest } from '../../contract/passwords.ts';
import { userFileAdd } from '../../contract/user-files.ts';
import { accountCreate, employee } from '../../contract/users.ts';
import { noPasswordHash } from '../../server/db/stores/password-hashes.ts';
import { verifyPassword } from '../../server/identity/password.ts';
import { parseEmail } from '../../server/mail/parse-email.ts';
import { addTwoClinics } from './clinic.ts';
import { type TestDatabase, testDatabase } from './database.ts';
import { bearer, type RunningServer, requestTokens, runServer, signIn } from './running-server.ts';
import { smtpProcess } from './smtp-process.ts';

const admin = 'admin@prov.example';
const chosen = 'Vald-2026!';
const redirectUrl = 'http://localhost/authorization/newpassword';
const sevenDaysMs = 7 * 86_400_000;

let database: TestDatabase;
let clinic: Awaited<ReturnType<typeof addTwoClinics>>;
let doctorRoleId: string;
let running: RunningServer;
let smtp: Awaited<ReturnType<typeof smtpProcess>> | null = null;

beforeAll(async () => {
  database = await testDatabase();
  clinic = await addTwoClinics(database.db);
  const role = database.db.selectFrom('role').select('id').where('name', '=', 'Doctor');
  doctorRoleId = (await role.executeTakeFirstOrThrow()).id;
});
afterAll(() => database.close());
afterEach(async () => {
  await running.close();
  await smtp?.stop();
  smtp = null;
});

const post = async (route: { path: string }, body: object, as?: string) => {
  const reply = await fetch(`${running.url}${route.path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...(as ? bearer(await signIn(running.url, as)) : {}) },
    body: JSON.stringify(body),
  });
  return { status: reply.status, body: await reply.json() };
};
const addInvited = async () => {
  const { status, body } = await post(
    accountCreate,
    {
      email: `${randomUUID()}@prov.example`,
      firstName: 'Nina',
      lastName: 'Ny',
      personalNumber: '198001019804',
      telephone: '070-174 06 05',
      hiredSince: '2026-01-01',
      isActive: true,
      customerId: clinic.customerId,
      roles: [doctorRoleId],
      azureUsername: null,
      avatarLink: null,
    },
    admin,
  );
  expect(status).toBe(200);
  return employee.parse(body);
};
const signInStatus = async (username: string, password: string) =>
  (await requestTokens(running.url, { grant_type: 'password', username, password, scope: 'openid' })).status;
const choose = (link: string) => {
  const { id, SecurityStamp } = Object.fromEntries(new URLSearchParams(new URL(link).hash.slice(1)));
  return post(resetPassword, { id, SecurityStamp, password: chosen });
};

describe('a user without a password', () => {
  it('cannot sign in, whatever is entered', async () => {
    running = await runServer(database.database);
    const { email, hasPassword } = await addInvited();
    expect(hasPassword).toBe(false);
    for (const guess of ['', ' ', noPasswordHash, chosen]) expect(await signInStatus(email, guess)).toBe(400);
    expect(await verifyPassword('', noPasswordHash)).toBe(false);
  });

  it('chooses one by an invitation link, which works once within seven days', async () => {
    running = await runServer(database.database);
    const { id, email } = await addInvited();
    const { body } = await post(resetLinkCreate, { id, redirectUrl }, admin);
    expect(body.delivery).toBe('copy');
    const goodForMs = new Date(body.expiresAt).getTime() - Date.now();
    expect(goodForMs).toBeGreaterThan(sevenDaysMs - 60_000);
    expect(goodForMs).toBeLessThanOrEqual(sevenDaysMs);
    expect((await choose(body.link)).status).toBe(200);
    expect((await choose(body.link)).status).toBe(410);
    expect(await signInStatus(email, chosen)).toBe(200);
    const again = await post(resetLinkCreate, { id, redirectUrl }, admin);
    expect(new Date(again.body.expiresAt).getTime() - Date.now()).toBeLessThan(sevenDaysMs / 2);
  });

  it('gets the invitation by e-mail where there is a mail server, also after asking for a new password', async () => {
    smtp = await smtpProcess();
    await smtp.start();
    const mail = { smtpUrl: `smtp://localhost:${smtp.port}`, from: 'x@prov.example', requireTls: false, caFile: null };
    running = await runServer(database.database, { mail });
    const { id, email } = await addInvited();
    expect((await post(resetLinkCreate, { id, redirectUrl, language: 'en' }, admin)).body).toEqual({
      delivery: 'mail-server',
    });
    await post(resetPasswordRequest, { email, redirectUrl, language: 'en' });
    const taken = await smtp.taken(2);
    for (const { to, bytes } of taken) {
      expect(to).toEqual([email]);
      const { subject, text } = parseEmail(bytes);
      expect(subject).toBe('Welcome to Dentarium');
      expect(text).toContain('The link works for 7 days, and only once.');
    }
    expect((await choose(parseEmail(taken.at(-1)?.bytes ?? '').link ?? '')).status).toBe(200);
    expect(await signInStatus(email, chosen)).toBe(200);
  });
  it('of a file gets the invitation by e-mail where there is a mail server', async () => {
    smtp = await smtpProcess();
    await smtp.start();
    const mail = { smtpUrl: `smtp://localhost:${smtp.port}`, from: 'x@prov.example', requireTls: false, caFile: null };
    running = await runServer(database.database, { mail });
    const emails = [2, 3, 4].map(() => `${randomUUID()}@prov.example`);
    const person = { firstName: 'Nina', lastName: 'Ny', personalNumber: '198001019804', telephone: '070-174 06 05' };
    const fields = { ...person, hiredSince: '2026-01-01', roles: [doctorRoleId], azureUsername: '' };
    const lines = emails.map((email, index) => ({ ...fields, line: index + 2, email }));
    const { customerId } = clinic;
    const { body } = await post(userFileAdd, { customerId, lines, redirectUrl, language: 'en' }, admin);
    for (const added of body.lines) expect(added).toMatchObject({ invitation: { delivery: 'mail-server' } });
    const taken = await smtp.taken(3);
    expect(taken.flatMap(({ to }) => to).sort()).toEqual(emails.sort());
    const [first] = taken;
    expect((await choose(parseEmail(first?.bytes ?? '').link ?? '')).status).toBe(200);
    expect(await signInStatus(first?.to[0] ?? '', chosen)).toBe(200);
  });
  it('of a directory gets the invitation by e-mail, in the language of its token', async () => {
    smtp = await smtpProcess();
    await smtp.start();
    const mail = { smtpUrl: `smtp://localhost:${smtp.port}`, from: 'x@prov.example', requireTls: false, caFile: null };
    running = await runServer(database.database, { mail });
    const { customerId } = clinic;
    const add = async (invitesIn: string | null) => {
      const token = await post(directoryTokenCreate, { customerId, name: 'Entra ID', days: 90, invitesIn }, admin);
      const email = `${randomUUID()}@prov.example`;
      const reply = await fetch(`${running.url}/scim/v2/${customerId}/Users`, {
        method: 'POST',
        headers: { 'content-type': 'application/scim+json', authorization: `Bearer ${token.body.secret}` },
        body: JSON.stringify({ userName: email, name: { givenName: 'Nina', familyName: 'Ny' } }),
      });
      expect(reply.status).toBe(201);
      return email;
    };
    await add(null);
    const invited = await add('en');
    const [taken] = await smtp.taken(1);
    expect(taken?.to).toEqual([invited]);
    const { subject, link } = parseEmail(taken?.bytes ?? '');
    expect(subject).toBe('Welcome to Dentarium');
    expect((await choose(link ?? '')).status).toBe(200);
    expect(await signInStatus(invited, chosen)).toBe(200);
  });
});
