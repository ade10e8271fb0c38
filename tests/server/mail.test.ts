import { mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { languageOfLetters } from '../../contract/sign-in.ts';
import { isLoopbackAddress, isLoopbackName } from '../../server/loopback.ts';
import { type Letter, NotSent } from '../../server/mail/letter.ts';
import { readMailSettings } from '../../server/mail/mail-settings.ts';
import { outboxCarrier } from '../../server/mail/outbox-carrier.ts';
import { passwordResetLetter } from '../../server/mail/password-reset-letter.ts';
import { openPost, type PostOptions } from '../../server/mail/post.ts';
import { readLetter } from '../../server/mail/read-letter.ts';
import { smtpCarrier } from '../../server/mail/smtp-carrier.ts';
import { StartRefused } from '../../server/start-refused.ts';
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
const letterTo = (email: string, language: 'sv' | 'en' | 'da' | 'no' = 'sv'): Letter =>
  passwordResetLetter({
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

describe('a letter', () => {
  it.each(languageOfLetters.options)('in %s says who, what and how long, as text and as plain HTML', (language) => {
    const { subject, text, html, to } = letterTo('asa@klinik.example', language);
    expect(to).toEqual({ name: 'Åsa Öström <x>', address: 'asa@klinik.example' });
    expect(subject).toContain('Dentarium');
    for (const part of ['Åsa', 'klinik.example', link]) expect(text).toContain(part);
    expect(text).toMatch({ sv: /1 timme/, en: /1 hour/, da: /1 time/, no: /1 time/ }[language]);
    expect(text).not.toMatch(/[{}]/);
    expect(html).toContain(`lang="${language}"`);
    expect(html).toContain(`href="${link.replaceAll('&', '&amp;')}"`);
    expect(html).not.toMatch(/<(script|img|style|link)/);
  });

  it('takes no tags from a name', () => {
    const { html } = passwordResetLetter({
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

  it('are none when nothing is said, and ask for TLS where the line leaves this machine', () => {
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
  ])('with a wrong %s keep the server from starting, by its name', (name, environment) => {
    expect(() => readMailSettings(environment)).toThrow(StartRefused);
    expect(() => readMailSettings(environment)).toThrow(name);
    expect(() => readMailSettings(environment)).not.toThrow('secret');
  });

  it('with an authority that cannot be read keep it from starting', () => {
    expect(() => smtpCarrier(settings('smtp://localhost', { caFile: path.join(folder, 'none.pem') }))).toThrow(
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
  const failureOf = async (work: Promise<void>): Promise<NotSent> => {
    const error = await work.then(
      () => null,
      (thrown: unknown) => thrown,
    );
    if (!(error instanceof NotSent)) throw new Error(`no NotSent but ${error}`);
    return error;
  };

  it('gets letters by STARTTLS after signing in', async () => {
    const server = await mailServer({ ...tls(), user: 'archive', password: 'p@ss:word/1' });
    const url = `smtp://archive:${encodeURIComponent('p@ss:word/1')}@localhost:${server.port}`;
    const carrier = smtpCarrier(settings(url, { requireTls: true, caFile: certificates.caFile }));
    await carrier.send(letterTo('asa@klinik.example'));
    carrier.close();
    const [taken] = await server.taken(1);
    expect(taken).toMatchObject({
      from: 'dentarium@klinik.example',
      to: ['asa@klinik.example'],
      secure: true,
      user: 'archive',
    });
    expect(taken?.bytes).toMatch(/^Auto-Submitted: auto-generated\r$/m);
    const read = readLetter(taken?.bytes ?? '');
    expect(read.subject).toBe('Välj ett nytt lösenord till Dentarium');
    expect(read.link).toBe(link);
    expect(read.text).toContain('Hej Åsa!');
    expect(read.text).toContain('troligen du själv');
  });

  it('gets them by TLS from the beginning', async () => {
    const server = await mailServer({ ...tls(), secure: true });
    const carrier = smtpCarrier(settings(`smtps://localhost:${server.port}`, { caFile: certificates.caFile }));
    await carrier.send(letterTo('asa@klinik.example'));
    expect((await server.taken(1))[0]?.secure).toBe(true);
  });

  it('gets nothing in the open where TLS is asked for, nor with a certificate of a stranger', async () => {
    const open = await mailServer();
    const strict = smtpCarrier(settings(`smtp://localhost:${open.port}`, { requireTls: true }));
    expect((await failureOf(strict.send(letterTo('asa@klinik.example')))).isFinal).toBe(false);
    const stranger = await mailServer(tls());
    const trusting = smtpCarrier(settings(`smtp://localhost:${stranger.port}`, { requireTls: true }));
    await failureOf(trusting.send(letterTo('asa@klinik.example')));
    expect([...open.letters, ...stranger.letters]).toEqual([]);
  });

  it('that refuses says why without an address, and whether it is worth trying again', async () => {
    const server = await mailServer({ ...tls(), user: 'archive', password: 'right' });
    const carrier = (password: string) =>
      smtpCarrier(settings(`smtp://archive:${password}@localhost:${server.port}`, { caFile: certificates.caFile }));
    const unknown = await failureOf(carrier('right').send(letterTo('nobody@klinik.example')));
    expect([unknown.isFinal, unknown.message]).toEqual([true, 'letter not sent: EENVELOPE RCPT TO 550']);
    const busy = await failureOf(carrier('right').send(letterTo('busy@klinik.example')));
    expect([busy.isFinal, busy.message]).toEqual([false, 'letter not sent: EENVELOPE RCPT TO 451']);
    const signIn = await failureOf(carrier('wrong').send(letterTo('asa@klinik.example')));
    expect(signIn.isFinal).toBe(false);
    expect(signIn.message).toMatch(/EAUTH.*535/);
    for (const error of [unknown, busy, signIn]) expect(`${error.message}${error.stack}`).not.toMatch(/@klinik|wrong@/);
  });

  describe('by the post', () => {
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
      await Promise.all(open.splice(0).map((post) => post.close()));
      settled.length = 0;
      failures.length = 0;
    });
    const postTo = (port: number, extra: Partial<PostOptions> = {}) => {
      const post = openPost({
        db: database.db,
        carrier: smtpCarrier(settings(`smtp://localhost:${port}`)),
        prepare: async (wish) => ({
          letter: letterTo(wish.email),
          accountId,
          settle: async (isSent) => void settled.push(isSent),
        }),
        onFailure: (error) => failures.push(error),
        retrySeconds: 0.2,
        ...extra,
      });
      open.push(post);
      return post;
    };
    const wish = (email: string) => ({ kind: 'test', email, language: 'sv', page: 'https://klinik.example/' });
    const waiting = () => database.db.selectFrom('letter').selectAll().where('sent_at', 'is', null).execute();

    it('gets what was asked for while it was away, once it is back, once', async () => {
      const server = await smtpProcess();
      running.push(server);
      const post = postTo(server.port);
      await post.ask(wish('asa@klinik.example'));
      post.wake();
      await vi.waitUntil(() => failures.length >= 2, { timeout: 20_000 });
      expect(await waiting()).toHaveLength(1);
      await server.start();
      await server.taken(1);
      await vi.waitUntil(async () => (await waiting()).length === 0, { timeout: 20_000 });
      await post.idle();
      expect(server.letters).toHaveLength(1);
      expect(settled.filter(Boolean)).toHaveLength(1);
      expect(settled.filter((isSent) => !isSent)).toHaveLength(failures.length);
      expect(JSON.stringify(failures.map(String))).not.toContain('@');
      const rows = await database.db.selectFrom('letter').select(['email', 'account_id']).execute();
      expect(rows).toEqual([{ email: null, account_id: accountId }]);
    });

    it('gets it from the next start when the archive ended before', async () => {
      const server = await smtpProcess();
      running.push(server);
      const first = postTo(server.port);
      await first.ask(wish('asa@klinik.example'));
      await first.close();
      await server.start();
      postTo(server.port);
      expect((await server.taken(1))[0]?.to).toEqual(['asa@klinik.example']);
    });

    it('gets each letter once from two nodes', async () => {
      const server = await mailServer();
      const [one, two] = [postTo(server.port), postTo(server.port)];
      const names = Array.from({ length: 8 }, (_, index) => `asa${index}@klinik.example`);
      for (const name of names) await one.ask(wish(name));
      one.wake();
      two.wake();
      await server.taken(8);
      await Promise.all([one.idle(), two.idle()]);
      expect(server.letters.map(({ to }) => to[0]).sort()).toEqual(names);
    });

    it('is asked again when it puts off, and not when it knows no such mailbox', async () => {
      const server = await mailServer();
      const post = postTo(server.port);
      await post.ask(wish('busy2@klinik.example'));
      await post.ask(wish('nobody2@klinik.example'));
      post.wake();
      expect((await server.taken(1))[0]?.to).toEqual(['busy2@klinik.example']);
      await vi.waitUntil(async () => (await waiting()).length === 0, { timeout: 20_000 });
      expect(failures).toHaveLength(2);
    });

    it('that is away is told at once to whoever waits, and then nothing is sent later', async () => {
      const server = await smtpProcess();
      running.push(server);
      const post = postTo(server.port);
      await expect(post.sendNow(wish('asa@klinik.example'))).rejects.toThrow('cannot-send-email');
      expect(await waiting()).toEqual([]);
      await server.start();
      await post.sendNow(wish('asa@klinik.example'));
      expect(await server.taken(1)).toHaveLength(1);
    });

    it('gets nothing for a wish that is nobody’s', async () => {
      const server = await mailServer();
      const post = postTo(server.port, { prepare: async () => null });
      await post.ask(wish('asa@klinik.example'));
      post.wake();
      await vi.waitUntil(async () => (await waiting()).length === 0, { timeout: 20_000 });
      await expect(post.sendNow(wish('asa@klinik.example'))).rejects.toThrow('too-many-requests');
      expect([server.letters, failures]).toEqual([[], []]);
    });
  });
});

describe('the outbox folder', () => {
  it('holds whole letters that only the own user reads', async () => {
    const outbox = path.join(folder, 'outbox');
    const carrier = outboxCarrier(outbox);
    await Promise.all(['a', 'b', 'c'].map((name) => carrier.send(letterTo(`${name}@klinik.example`))));
    const names = await readdir(outbox);
    expect(names).toHaveLength(3);
    const read = await Promise.all(
      names.map(async (name) => {
        expect(name).toMatch(/^[\dTZ-]+-[\da-f]{8}\.eml$/);
        expect((await stat(path.join(outbox, name))).mode & 0o777).toBe(0o600);
        return readLetter(await readFile(path.join(outbox, name), 'latin1'));
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

it('this machine is known by its names and addresses', () => {
  for (const name of ['localhost', '127.0.0.1', '[::1]']) expect(isLoopbackName(name)).toBe(true);
  for (const name of ['localhost.example', '10.0.0.1', '127.0.0.1.example']) expect(isLoopbackName(name)).toBe(false);
  for (const address of ['127.0.0.1', '::1', '::ffff:127.0.0.1']) expect(isLoopbackAddress(address)).toBe(true);
  for (const address of [undefined, '10.0.0.1', '::ffff:10.0.0.1', '1127.0.0.1'])
    expect(isLoopbackAddress(address)).toBe(false);
});
