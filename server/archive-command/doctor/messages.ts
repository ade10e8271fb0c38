import type { Config } from '../../config.ts';
import { sendMessage } from '../../identity/sms/gateway.ts';
import type { SmsSettings } from '../../identity/sms/sms-settings.ts';
import { DeliveryError } from '../../mail/email-message.ts';
import { smtpTransport } from '../../mail/smtp-transport.ts';
import { documentation } from '../../program-name.ts';
import { type Check, failure, guarded, ok, warning } from './check.ts';

const testText = 'This is a test message of Dentarium. Nothing is to do.';

/** Checks that the mail server accepts a connection with its settings; sends a test message to `to`, if given. */
export const checkMail = (settings: Config['mail'], to: string | null): Promise<Check> => {
  const [name, cure] = ['e-mail', 'Check DENTARIUM_SMTP_URL, DENTARIUM_SMTP_CA_FILE and the mail server'];
  return guarded(name, cure, async () => {
    if (!settings) {
      const text = 'no mail server: users get no links for new passwords';
      const given = to === null ? warning : failure;
      return given(name, text, `Set DENTARIUM_SMTP_URL and DENTARIUM_MAIL_FROM (${documentation('sign-in.md')})`);
    }
    const transport = smtpTransport(settings);
    const { host } = new URL(settings.smtpUrl);
    try {
      await transport.verify();
      if (to === null) return ok(name, `${host} accepts the connection`);
      await transport.send({
        language: 'en',
        to: { name: '', address: to },
        subject: 'Dentarium: test',
        text: testText,
        html: `<p>${testText}</p>`,
      });
      return ok(name, `${host} has accepted the test message`);
    } catch (error) {
      if (error instanceof DeliveryError) return failure(name, `${host}: ${error.message}`, cure);
      throw error;
    } finally {
      transport.close();
    }
  });
};

/** Checks that text messages are configured; sends a test message to `to` (E.164), if given. */
export const checkSms = (settings: SmsSettings | null, to: string | null): Promise<Check> => {
  const [name, cure] = ['text messages', 'Check DENTARIUM_SMS_URL, its credentials and DENTARIUM_SMS_FORMAT'];
  return guarded(name, cure, async () => {
    if (!settings) {
      const text = 'not configured: sign-in by text message is not offered';
      return to === null
        ? ok(name, text)
        : failure(name, text, `Set DENTARIUM_SMS_URL (${documentation('sign-in.md')})`);
    }
    const { host } = new URL(settings.url);
    if (to === null) return ok(name, `configured with ${host}; --sms-to NUMBER tries it`);
    try {
      await sendMessage(settings, to, testText);
      return ok(name, `${host} has accepted the test message`);
    } catch (error) {
      return failure(name, error instanceof Error ? error.message : 'not sent', cure);
    }
  });
};
