import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { mailWarnings } from '../../server/mail/mail-warnings.ts';
import { type MailerOptions, openMailer } from '../../server/mail/mailer.ts';
import { smtpTransport } from '../../server/mail/smtp-transport.ts';
import { addTwoClinics } from './clinic.ts';
import { type TestDatabase, testDatabase } from './database.ts';
import { emailTo, smtpSettings } from './mail-under-test.ts';
import { smtpProcess } from './smtp-process.ts';

describe('the mailer', () => {
  const running: { stop(): Promise<void> }[] = [];
  afterEach(async () => {
    await Promise.all(running.splice(0).map((one) => one.stop()));
  });
  const mailServer = async () => {
    const server = await smtpProcess();
    running.push(server);
    await server.start();
    return server;
  };
  let database: TestDatabase;
  let accountId: string;
  beforeAll(async () => {
    database = await testDatabase();
    accountId = (await addTwoClinics(database.db)).doctorId;
  });
  beforeEach(() => database.db.deleteFrom('letter').execute());
  afterAll(() => database?.close());

  const settled: boolean[] = [];
  const failures: unknown[] = [];
  const open: { close(): Promise<void> }[] = [];
  afterEach(async () => {
    await Promise.all(open.splice(0).map((mailer) => mailer.close()));
    settled.length = 0;
    failures.length = 0;
  });
  const sendTo = (port: number, extra: Partial<MailerOptions> = {}) => {
    const mailer = openMailer({
      db: database.db,
      transport: smtpTransport(smtpSettings(`smtp://localhost:${port}`)),
      prepare: async (request) => ({
        message: emailTo(request.email),
        accountId,
        settle: async (isSent) => void settled.push(isSent),
      }),
      onFailure: (error) => failures.push(error),
      retrySeconds: 0.2,
      ...extra,
    });
    open.push(mailer);
    return mailer;
  };
  const request = (email: string) => ({ kind: 'test', email, language: 'sv', page: 'https://klinik.example/' });
  const waiting = () =>
    database.db.selectFrom('letter').selectAll().where('sent_at', 'is', null).where('failed_at', 'is', null).execute();
  const warnings = () => mailWarnings(database.db)();

  it('delivers queued e-mails once after an outage of the mail server', async () => {
    const server = await smtpProcess();
    running.push(server);
    const mailer = sendTo(server.port);
    await mailer.enqueue(request('asa@klinik.example'));
    mailer.wake();
    await vi.waitUntil(() => failures.length >= 2, { timeout: 20_000 });
    const [queued] = await waiting();
    expect(await warnings()).toEqual([
      { kind: 'mail-failing', since: queued?.asked_at.toISOString(), waiting: 1, failed: 0, reason: 'connection' },
    ]);
    await server.start();
    await server.taken(1);
    await vi.waitUntil(async () => (await waiting()).length === 0, { timeout: 20_000 });
    await mailer.idle();
    expect(server.messages).toHaveLength(1);
    expect(await warnings()).toEqual([]);
    expect(settled.filter(Boolean)).toHaveLength(1);
    expect(settled.filter((isSent) => !isSent)).toHaveLength(failures.length);
    expect(JSON.stringify(failures.map(String))).not.toContain('@');
    const rows = await database.db.selectFrom('letter').select(['email', 'account_id']).execute();
    expect(rows).toEqual([{ email: null, account_id: accountId }]);
  });

  it('delivers them after a restart of the archive', async () => {
    const server = await smtpProcess();
    running.push(server);
    const first = sendTo(server.port);
    await first.enqueue(request('asa@klinik.example'));
    await first.close();
    await server.start();
    sendTo(server.port);
    expect((await server.taken(1))[0]?.to).toEqual(['asa@klinik.example']);
  });

  it('sends each e-mail once from two nodes', async () => {
    const server = await mailServer();
    const [one, two] = [sendTo(server.port), sendTo(server.port)];
    const names = Array.from({ length: 8 }, (_, index) => `asa${index}@klinik.example`);
    for (const name of names) await one.enqueue(request(name));
    one.wake();
    two.wake();
    await server.taken(8);
    await Promise.all([one.idle(), two.idle()]);
    expect(server.messages.map(({ to }) => to[0]).sort()).toEqual(names);
  });

  it('retries temporary rejections, and not an unknown mailbox', async () => {
    const server = await mailServer();
    const mailer = sendTo(server.port);
    await mailer.enqueue(request('busy2@klinik.example'));
    await mailer.enqueue(request('nobody2@klinik.example'));
    mailer.wake();
    expect((await server.taken(1))[0]?.to).toEqual(['busy2@klinik.example']);
    await vi.waitUntil(async () => (await waiting()).length === 0, { timeout: 20_000 });
    await mailer.idle();
    expect(failures).toHaveLength(2);
    expect(await warnings()).toMatchObject([{ waiting: 0, failed: 1, reason: 'recipient' }]);
    const [failed] = await database.db.selectFrom('letter').selectAll().where('failed_at', 'is not', null).execute();
    expect(failed?.email).toBeNull();
    await database.db
      .updateTable('letter')
      .set({ failed_at: new Date(Date.now() - 25 * 3_600_000) })
      .where('failed_at', 'is not', null)
      .execute();
    expect(await warnings()).toEqual([]);
  });

  it('reports an unreachable server at once to a waiting caller, and sends nothing later', async () => {
    const server = await smtpProcess();
    running.push(server);
    const mailer = sendTo(server.port);
    await expect(mailer.sendNow(request('asa@klinik.example'))).rejects.toMatchObject({
      code: 'cannot-send-email',
      errors: [{ fieldKey: 'email', vars: { reason: 'connection' } }],
    });
    expect(await warnings()).toMatchObject([{ waiting: 0, failed: 1 }]);
    expect(await waiting()).toEqual([]);
    await server.start();
    await mailer.sendNow(request('asa@klinik.example'));
    expect(await server.taken(1)).toHaveLength(1);
  });

  it('sends nothing for a request without an account', async () => {
    const server = await mailServer();
    const mailer = sendTo(server.port, { prepare: async () => null });
    await mailer.enqueue(request('asa@klinik.example'));
    mailer.wake();
    await vi.waitUntil(async () => (await waiting()).length === 0, { timeout: 20_000 });
    await expect(mailer.sendNow(request('asa@klinik.example'))).rejects.toThrow('too-many-requests');
    expect([server.messages, failures]).toEqual([[], []]);
  });
});
