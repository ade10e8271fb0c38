import { mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { mailLanguage } from '../../contract/sign-in.ts';
import { passwordResetEmail } from '../../server/identity/password-reset-email.ts';
import { isLoopbackAddress, isLoopbackName } from '../../server/loopback.ts';
import { DeliveryError, type EmailMessage } from '../../server/mail/email-message.ts';
import { readMailSettings } from '../../server/mail/mail-settings.ts';
import { mailWarnings } from '../../server/mail/mail-warnings.ts';
import { type MailerOptions, openMailer } from '../../server/mail/mailer.ts';
import { outboxTransport } from '../../server/mail/outbox-transport.ts';
import { parseEmail } from '../../server/mail/parse-email.ts';
import { smtpTransport } from '../../server/mail/smtp-transport.ts';
import { StartupError } from '../../server/startup-error.ts';
import { makeCertificates } from '../../stand-ins/bank-id/certificates.ts';
import { addTwoClinics } from './clinic.ts';
import { type TestDatabase, testDatabase } from './database.ts';
import { smtpProcess } from './smtp-process.ts';

let folder: string;
let certificates: ReturnType<typeof makeCertificates>;
beforeAll(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'dentarium-mail-'));
  certificates = makeCertificates(folder);
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const link = 'https://klinik.example/authorization/newpassword#id=1&SecurityStamp=abc_-%C3%A5';
const emailTo = (email: string, language: 'sv' | 'en' | 'da' | 'no' = 'sv'): EmailMessage =>
  passwordResetEmail({
    language,
    to: { firstName: 'Åsa', lastName: 'Öström <x>', email },
    link,
    goodForMinutes: 60,
  });
const from = 'Dentarium <dentarium@klinik.example>';
const settings = (smtpUrl: string, extra: object = {}) => ({
  smtpUrl,
  from,
  requireTls: false,
  caFile: null,
  ...extra,
});

describe('an e-mail', () => {
  it.each(mailLanguage.options)(
    'in %s names the user, the action and the lifetime, as text and as plain HTML',
    (language) => {
      const { subject, text, html, to } = emailTo('asa@klinik.example', language);
      expect(to).toEqual({ name: 'Åsa Öström <x>', address: 'asa@klinik.example' });
      expect(subject).toContain('Dentarium');
      for (const part of ['Åsa', 'klinik.example', link]) expect(text).toContain(part);
      expect(text).toMatch({ sv: /1 timme/, en: /1 hour/, da: /1 time/, no: /1 time/ }[language]);
      expect(text).not.toMatch(/[{}]/);
      expect(html).toContain(`lang="${language}"`);
      expect(html).toContain(`href="${link.replaceAll('&', '&amp;')}"`);
      expect(html).not.toMatch(/<(script|img|style|link)/);
    },
  );

  it('escapes tags in a name', () => {
    const { html } = passwordResetEmail({
      language: 'sv',
      to: { firstName: '<img src=x>', lastName: 'x', email: 'x@klinik.example' },
      link,
      goodForMinutes: 90,
    });
    expect(html).toContain('&lt;img src=x&gt;');
    expect(html).not.toContain('<img');
    expect(html).toContain('90 minuter');
  });
});

describe('settings', () => {
  const given = { DENTARIUM_SMTP_URL: 'smtp://mail.klinik.example:587', DENTARIUM_MAIL_FROM: from };

  it('are empty by default, and require TLS unless the server is on this machine', () => {
    expect(readMailSettings({})).toBeNull();
    expect(readMailSettings(given)).toEqual({
      smtpUrl: given.DENTARIUM_SMTP_URL,
      from,
      requireTls: true,
      caFile: null,
    });
    const local = { ...given, DENTARIUM_SMTP_URL: 'smtp://127.0.0.1:25' };
    expect(readMailSettings(local)?.requireTls).toBe(false);
    expect(readMailSettings({ ...local, DENTARIUM_SMTP_TLS: 'required' })?.requireTls).toBe(true);
    expect(readMailSettings({ ...given, DENTARIUM_SMTP_TLS: 'when-offered' })?.requireTls).toBe(false);
  });

  it.each([
    ['DENTARIUM_MAIL_FROM', { ...given, DENTARIUM_MAIL_FROM: undefined }],
    ['DENTARIUM_SMTP_URL', { ...given, DENTARIUM_SMTP_URL: undefined }],
    ['DENTARIUM_SMTP_URL', { ...given, DENTARIUM_SMTP_URL: 'mail.klinik.example' }],
    ['DENTARIUM_SMTP_URL', { ...given, DENTARIUM_SMTP_URL: 'https://secret@mail.klinik.example' }],
    ['DENTARIUM_MAIL_FROM', { ...given, DENTARIUM_MAIL_FROM: 'Dentarium' }],
    ['DENTARIUM_MAIL_FROM', { ...given, DENTARIUM_MAIL_FROM: 'x <a@b.example>\r\nBcc: c@d.example' }],
    ['DENTARIUM_SMTP_TLS', { ...given, DENTARIUM_SMTP_TLS: 'never' }],
  ])('with an invalid %s prevent startup and name it', (name, environment) => {
    expect(() => readMailSettings(environment)).toThrow(StartupError);
    expect(() => readMailSettings(environment)).toThrow(name);
    expect(() => readMailSettings(environment)).not.toThrow('secret');
  });

  it('with an unreadable certificate authority prevent startup', () => {
    expect(() => smtpTransport(settings('smtp://localhost', { caFile: path.join(folder, 'none.pem') }))).toThrow(
      'DENTARIUM_SMTP_CA_FILE',
    );
  });
});

describe('the mail server', () => {
  const running: { stop(): Promise<void> }[] = [];
  afterEach(async () => {
    await Promise.all(running.splice(0).map((one) => one.stop()));
  });
  const mailServer = async (options: Parameters<typeof smtpProcess>[0] = {}) => {
    const server = await smtpProcess(options);
    running.push(server);
    await server.start();
    return server;
  };
  const tls = () => ({ key: certificates.serverKey, cert: certificates.serverCertificate });
  const failureOf = async (work: Promise<void>): Promise<DeliveryError> => {
    const error = await work.then(
      () => null,
      (thrown: unknown) => thrown,
    );
    if (!(error instanceof DeliveryError)) throw new Error(`no DeliveryError but ${error}`);
    return error;
  };

  it('receives e-mails by STARTTLS after authentication', async () => {
    const server = await mailServer({ ...tls(), user: 'archive', password: 'p@ss:word/1' });
    const url = `smtp://archive:${encodeURIComponent('p@ss:word/1')}@localhost:${server.port}`;
    const transport = smtpTransport(settings(url, { requireTls: true, caFile: certificates.caFile }));
    await transport.send(emailTo('asa@klinik.example'));
    transport.close();
    const [taken] = await server.taken(1);
    expect(taken).toMatchObject({
      from: 'dentarium@klinik.example',
      to: ['asa@klinik.example'],
      secure: true,
      user: 'archive',
    });
    expect(taken?.bytes).toMatch(/^Auto-Submitted: auto-generated\r$/m);
    const read = parseEmail(taken?.bytes ?? '');
    expect(read.subject).toBe('Välj ett nytt lösenord till Dentarium');
    expect(read.link).toBe(link);
    expect(read.text).toContain('Hej Åsa!');
    expect(read.text).toContain('troligen du själv');
  });

  it('receives them by implicit TLS', async () => {
    const server = await mailServer({ ...tls(), secure: true });
    const transport = smtpTransport(settings(`smtps://localhost:${server.port}`, { caFile: certificates.caFile }));
    await transport.send(emailTo('asa@klinik.example'));
    expect((await server.taken(1))[0]?.secure).toBe(true);
  });

  it('receives nothing without required TLS or with an untrusted certificate', async () => {
    const open = await mailServer();
    const strict = smtpTransport(settings(`smtp://localhost:${open.port}`, { requireTls: true }));
    expect((await failureOf(strict.send(emailTo('asa@klinik.example')))).reason).toBe('connection');
    const untrusted = await mailServer(tls());
    const trusting = smtpTransport(settings(`smtp://localhost:${untrusted.port}`, { requireTls: true }));
    expect((await failureOf(trusting.send(emailTo('asa@klinik.example')))).reason).toBe('connection');
    expect([...open.messages, ...untrusted.messages]).toEqual([]);
  });

  it('is reported without an address when it rejects, and whether a retry is useful', async () => {
    const server = await mailServer({ ...tls(), user: 'archive', password: 'right' });
    const transport = (password: string) =>
      smtpTransport(settings(`smtp://archive:${password}@localhost:${server.port}`, { caFile: certificates.caFile }));
    const unknown = await failureOf(transport('right').send(emailTo('nobody@klinik.example')));
    expect([unknown.reason, unknown.isFinal, unknown.message]).toEqual([
      'recipient',
      true,
      'e-mail not sent: EENVELOPE RCPT TO 550',
    ]);
    const busy = await failureOf(transport('right').send(emailTo('busy@klinik.example')));
    expect([busy.reason, busy.isFinal, busy.message]).toEqual([
      'rejected',
      false,
      'e-mail not sent: EENVELOPE RCPT TO 451',
    ]);
    const signIn = await failureOf(transport('wrong').send(emailTo('asa@klinik.example')));
    expect([signIn.reason, signIn.isFinal]).toEqual(['sign-in', false]);
    expect(signIn.message).toMatch(/EAUTH.*535/);
    for (const error of [unknown, busy, signIn]) expect(`${error.message}${error.stack}`).not.toMatch(/@klinik|wrong@/);
  });

  describe('the mailer', () => {
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
        transport: smtpTransport(settings(`smtp://localhost:${port}`)),
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
      database.db
        .selectFrom('letter')
        .selectAll()
        .where('sent_at', 'is', null)
        .where('failed_at', 'is', null)
        .execute();
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
});

describe('the outbox folder', () => {
  it('contains complete e-mails that only the server’s user can read', async () => {
    const outbox = path.join(folder, 'outbox');
    const transport = outboxTransport(outbox);
    await Promise.all(['a', 'b', 'c'].map((name) => transport.send(emailTo(`${name}@klinik.example`))));
    const names = await readdir(outbox);
    expect(names).toHaveLength(3);
    const read = await Promise.all(
      names.map(async (name) => {
        expect(name).toMatch(/^[\dTZ-]+-[\da-f]{8}\.eml$/);
        expect((await stat(path.join(outbox, name))).mode & 0o777).toBe(0o600);
        return parseEmail(await readFile(path.join(outbox, name), 'latin1'));
      }),
    );
    expect(read.map(({ to }) => to).sort()).toEqual(
      ['a', 'b', 'c'].map((name) => `Åsa Öström <x> <${name}@klinik.example>`),
    );
    for (const { link: found, subject } of read)
      expect([found, subject]).toEqual([link, 'Välj ett nytt lösenord till Dentarium']);
    expect((await stat(outbox)).mode & 0o777).toBe(0o700);
  });
});

it('recognizes the names and addresses of this machine', () => {
  for (const name of ['localhost', '127.0.0.1', '[::1]']) expect(isLoopbackName(name)).toBe(true);
  for (const name of ['localhost.example', '10.0.0.1', '127.0.0.1.example']) expect(isLoopbackName(name)).toBe(false);
  for (const address of ['127.0.0.1', '::1', '::ffff:127.0.0.1']) expect(isLoopbackAddress(address)).toBe(true);
  for (const address of [undefined, '10.0.0.1', '::ffff:10.0.0.1', '1127.0.0.1'])
    expect(isLoopbackAddress(address)).toBe(false);
});
