import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { DeliveryError } from '../../server/mail/email-message.ts';
import { parseEmail } from '../../server/mail/parse-email.ts';
import { smtpTransport } from '../../server/mail/smtp-transport.ts';
import { makeCertificates } from '../../stand-ins/bank-id/certificates.ts';
import { emailTo, link, smtpSettings } from './mail-under-test.ts';
import { smtpProcess } from './smtp-process.ts';

let folder: string;
let certificates: ReturnType<typeof makeCertificates>;
beforeAll(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'dentarium-mail-'));
  certificates = makeCertificates(folder);
});
afterAll(() => rm(folder, { recursive: true, force: true }));

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
    const transport = smtpTransport(smtpSettings(url, { requireTls: true, caFile: certificates.caFile }));
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

  it('receives no header from a line break in the name or subject of an e-mail', async () => {
    const server = await mailServer({ ...tls(), secure: true });
    const transport = smtpTransport(smtpSettings(`smtps://localhost:${server.port}`, { caFile: certificates.caFile }));
    const { to, ...email } = emailTo('asa@klinik.example');
    const lines = '\r\nBcc: thief@other.example\r\n\r\nHello';
    await transport.send({ ...email, subject: `${email.subject}${lines}`, to: { ...to, name: `Åsa${lines}` } });
    transport.close();
    const [taken] = await server.taken(1);
    expect(taken?.to).toEqual(['asa@klinik.example']);
    expect(taken?.bytes).not.toMatch(/^Bcc:/im);
  });

  it('receives them by implicit TLS', async () => {
    const server = await mailServer({ ...tls(), secure: true });
    const transport = smtpTransport(smtpSettings(`smtps://localhost:${server.port}`, { caFile: certificates.caFile }));
    await transport.send(emailTo('asa@klinik.example'));
    expect((await server.taken(1))[0]?.secure).toBe(true);
  });

  it('receives nothing without required TLS or with an untrusted certificate', async () => {
    const open = await mailServer();
    const strict = smtpTransport(smtpSettings(`smtp://localhost:${open.port}`, { requireTls: true }));
    expect((await failureOf(strict.send(emailTo('asa@klinik.example')))).reason).toBe('connection');
    const untrusted = await mailServer(tls());
    const trusting = smtpTransport(smtpSettings(`smtp://localhost:${untrusted.port}`, { requireTls: true }));
    expect((await failureOf(trusting.send(emailTo('asa@klinik.example')))).reason).toBe('connection');
    expect([...open.messages, ...untrusted.messages]).toEqual([]);
  });

  it('is reported without an address when it rejects, and whether a retry is useful', async () => {
    const server = await mailServer({ ...tls(), user: 'archive', password: 'right' });
    const transport = (password: string) =>
      smtpTransport(
        smtpSettings(`smtp://archive:${password}@localhost:${server.port}`, { caFile: certificates.caFile }),
      );
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
});
