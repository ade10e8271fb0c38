import { mkdtempSync, rmSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { Writable } from 'node:stream';
import { createServer } from 'node:tls';
import { sql } from 'kysely';
import pino from 'pino';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Route } from '../../contract/route.ts';
import { type SystemDetails, systemDetails, type TestResult, testMail, testSms } from '../../contract/system-status.ts';
import { readIdentitySettings } from '../../server/identity/identity-settings.ts';
import { announce } from '../../server/system-status/announce-node.ts';
import { certificateCheck } from '../../server/system-status/certificate-check.ts';
import { makeCertificates } from '../../stand-ins/bank-id/certificates.ts';
import type { StandIn } from '../../stand-ins/stand-in.ts';
import { freePort } from '../free-port.ts';
import { addTwoClinics } from './clinic.ts';
import { type TestDatabase, testDatabase } from './database.ts';
import { holdBlocks } from './hold-blocks.ts';
import { bearer, type RunningServer, runServer, signIn } from './running-server.ts';
import { smtpProcess } from './smtp-process.ts';
import { startStandIn } from './stand-in-process.ts';

const day = 24 * 60 * 60_000;

let database: TestDatabase;
let clinic: Awaited<ReturnType<typeof addTwoClinics>>;
let sms: StandIn;
let smtp: Awaited<ReturnType<typeof smtpProcess>>;
let running: RunningServer;
let token: { authorization: string };
let log = '';
const stream = new Writable({
  write: (chunk, _, done) => {
    log += String(chunk);
    done();
  },
});

beforeAll(async () => {
  database = await testDatabase();
  clinic = await addTwoClinics(database.db);
  sms = await startStandIn('sms', {});
  smtp = await smtpProcess();
  await smtp.start();
});
afterAll(async () => {
  await smtp.stop();
  await sms.close();
  await database.close();
});
beforeEach(async () => {
  await database.db.deleteFrom('sign_in_attempt').execute();
  log = '';
});
afterEach(() => running.close());

const start = async (environment: Readonly<Record<string, string>> | null) => {
  running = await runServer(database.database, {
    log: pino({ level: 'info' }, stream),
    mail: environment && {
      smtpUrl: `smtp://127.0.0.1:${smtp.port}`,
      from: 'dentarium@prov.example',
      requireTls: false,
      caFile: null,
    },
    identity: readIdentitySettings(environment ?? {}),
  });
  token = bearer(await signIn(running.url, 'super@prov.example'));
};
const details = async (): Promise<SystemDetails> => {
  const reply = await fetch(`${running.url}${systemDetails.path}`, { headers: token });
  return systemDetails.reply.parse(await reply.json());
};
const post = (route: Route) =>
  fetch(`${running.url}${route.path}`, {
    method: 'POST',
    headers: { ...token, 'content-type': 'application/json' },
    body: JSON.stringify({ language: 'sv' }),
  });
const sent = async (route: Route): Promise<TestResult> => (await post(route)).json();
const change = (account: { email?: string; telephone?: string | null }) =>
  database.db.updateTable('account').set(account).where('id', '=', clinic.superId).execute();

describe('the state of the parts', () => {
  it('is in order in a new installation but for backup and e-mail, which are not set up', async () => {
    await start(null);
    const {
      version,
      disk,
      database: db,
      queues,
      backup,
      fileCheck,
      certificate,
      mail,
      sms: texts,
      signIn: ways,
    } = await details();
    expect(version).toMatchObject({ state: 'ok', schema: 'same' });
    expect(disk.space?.totalBytes).toBeGreaterThan(0);
    expect(db).toMatchObject({ state: 'ok', isEmbedded: false });
    expect([db.sizeBytes > 1e6, db.connections > 0, db.mostConnections >= 20]).toEqual([true, true, true]);
    expect(queues.map(({ queue, state, length, since }) => [queue, state, length, since])).toEqual(
      ['imports', 'thumbnails', 'renditions', 'mails'].map((name) => [name, 'ok', 0, null]),
    );
    expect(backup).toMatchObject({ state: 'attention', folder: null, lastGood: null, nextAt: null, error: null });
    expect(fileCheck).toMatchObject({ state: 'ok', share: 0 });
    expect([certificate, mail.state, mail.isConfigured, texts.isConfigured]).toEqual([null, 'attention', false, false]);
    expect(ways.methods.map(({ method }) => method)).toEqual(['password']);
  });

  it('names a database of a newer version, entries that wait too long, and damaged files', async () => {
    await start(null);
    await sql`insert into kysely_migration (name, timestamp) values ('999-later', '2026')`.execute(database.db);
    const asked = new Date(Date.now() - day);
    const letter = { id: crypto.randomUUID(), kind: 'test', email: 'a@b.example', language: 'sv', page: 'https://x' };
    await database.db
      .insertInto('letter')
      .values({ ...letter, asked_at: asked, try_at: '2099-01-01' })
      .execute();
    await database.db
      .updateTable('file_check')
      .set({ position: '8'.padEnd(64, '0') })
      .execute();
    const found = await details();
    expect(found.version).toMatchObject({ state: 'attention', schema: 'newer' });
    const waiting = { state: 'attention', length: 1, since: asked.toISOString() };
    expect(found.queues.find(({ queue }) => queue === 'mails')).toMatchObject(waiting);
    expect(found.fileCheck.share).toBe(0.5);
    await database.db.deleteFrom('letter').execute();
    await sql`delete from kysely_migration where name = '999-later'`.execute(database.db);
  });

  it('lists running nodes; one that is closed disappears, one that ended without notice is missed', async () => {
    await start(null);
    const other = announce(database.db, { name: 'other', version: '0.0.1', roles: 'both' }, () => expect.unreachable());
    const lost = announce(database.db, { name: 'lost', version: '0.0.1', roles: 'work' }, () => expect.unreachable());
    const states = async () => (await details()).nodes.map(({ name, state, isThis }) => [isThis || name, state]);
    await expect.poll(states).toHaveLength(3);
    await sql`update node set seen_at = now() - interval '3 minutes' where name = 'lost'`.execute(database.db);
    expect((await states()).sort()).toEqual([
      ['lost', 'error'],
      ['other', 'attention'],
      [true, 'ok'],
    ]);
    await other.close();
    await lost.close();
    expect(await states()).toEqual([[true, 'ok']]);
  });
});

describe('a test message', () => {
  it('by e-mail goes to the own address, and shows the error code of the server', async () => {
    await start(sms.environment);
    expect(await sent(testMail)).toEqual({ result: 'sent', code: null });
    const [message] = await smtp.taken(1);
    expect(message?.to).toEqual(['super@prov.example']);
    await change({ email: 'nobody@prov.example' });
    const rejected = await sent(testMail);
    await change({ email: 'super@prov.example' });
    expect(rejected).toEqual({ result: 'rejected', code: expect.stringMatching(/550/) });
    expect(`${JSON.stringify(rejected)} ${log}`).not.toMatch(/prov\.example/);
    expect(log).toContain('"kind":"mail","result":"sent"');
  });

  it('by SMS goes to the own number, and shows the error status of the provider', async () => {
    await start({ ...sms.environment, DENTARIUM_SMS_PASSWORD: 'wrong' });
    expect(await sent(testSms)).toEqual({ result: 'no-number', code: null });
    await change({ telephone: '070-174 06 11' });
    expect(await sent(testSms)).toEqual({ result: 'rejected', code: 'HTTP 401' });
    await running.close();
    await start(sms.environment);
    expect(await sent(testSms)).toEqual({ result: 'sent', code: null });
    expect(log).not.toMatch(/1740611|174 06/);
    const messages: { to: string }[] = await (await fetch(`${sms.url}/messages`)).json();
    expect(messages.map(({ to }) => to)).toEqual(['+46701740611']);
  });

  it('is not sent without settings, or too often', async () => {
    await start(null);
    for (const route of [testMail, testSms, testMail, testSms, testMail])
      expect(await sent(route)).toEqual({ result: 'not-configured', code: null });
    await holdBlocks(database.db);
    expect((await post(testMail)).status).toBe(429);
  });
});

describe('the certificate of the public URL', () => {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'dentarium-certificate-'));
  afterAll(() => rmSync(folder, { recursive: true }));
  const listen = async () => {
    const { serverKey, serverCertificate } = makeCertificates(folder);
    const tls = createServer({ key: serverKey, cert: serverCertificate });
    let connections = 0;
    tls.on('connection', () => {
      connections += 1;
    });
    await new Promise<void>((resolve) => tls.listen(0, 'localhost', resolve));
    const { port } = tls.address() as AddressInfo;
    return { url: `https://localhost:${port}`, connections: () => connections, close: () => tls.close() };
  };

  it('is read at most once an hour, and needs attention before it ends', async () => {
    await start(null);
    const served = await listen();
    let now = new Date();
    const check = certificateCheck(served.url, { now: () => now });
    const first = await check();
    expect(first).toMatchObject({ state: 'attention', problem: 'untrusted', since: now.toISOString() });
    const end = new Date(first?.validUntil ?? 0);
    now = new Date(now.getTime() + day / 24 - 1);
    expect(await check()).toEqual(first);
    expect(served.connections()).toBe(1);
    now = new Date(now.getTime() + 1);
    expect(await check()).toMatchObject({ since: first?.since, checkedAt: now.toISOString() });
    expect(served.connections()).toBe(2);
    now = end;
    expect(await check()).toMatchObject({ state: 'error', problem: 'expired', since: end.toISOString() });
    served.close();
  });

  it('is not read without https, and an unreachable address is said', async () => {
    await start(null);
    expect(await certificateCheck('http://localhost:8080')()).toBeNull();
    const check = certificateCheck(`https://localhost:${await freePort()}`);
    expect(await check()).toMatchObject({ state: 'attention', problem: 'unreachable', validUntil: null });
  });
});
