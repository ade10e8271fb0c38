import { mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { mailLanguage } from '../../contract/sign-in.ts';
import { passwordResetEmail } from '../../server/identity/password-reset-email.ts';
import { isLoopbackAddress, isLoopbackName } from '../../server/loopback.ts';
import { readMailSettings } from '../../server/mail/mail-settings.ts';
import { outboxTransport } from '../../server/mail/outbox-transport.ts';
import { parseEmail } from '../../server/mail/parse-email.ts';
import { smtpTransport } from '../../server/mail/smtp-transport.ts';
import { StartupError } from '../../server/startup-error.ts';
import { emailTo, from, link, smtpSettings } from './mail-under-test.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'dentarium-mail-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

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
      isInvitation: false,
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
    expect(() => smtpTransport(smtpSettings('smtp://localhost', { caFile: path.join(folder, 'none.pem') }))).toThrow(
      'DENTARIUM_SMTP_CA_FILE',
    );
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
