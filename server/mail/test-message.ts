import type { Kysely } from 'kysely';
import type { MailLanguage } from '../../contract/sign-in.ts';
import type { Schema } from '../db/schema.ts';
import { accountById } from '../db/stores/account-store.ts';
import type { SendTest } from '../system-status/system-status-routes.ts';
import { DeliveryError } from './email-message.ts';
import type { Mailer } from './mailer.ts';

const texts: Readonly<Record<MailLanguage, { readonly subject: string; readonly text: string }>> = {
  sv: {
    subject: 'Testmeddelande från Dentarium',
    text: 'Det här meddelandet skickades från sidan Systemstatus. E-posten fungerar.',
  },
  en: {
    subject: 'Test message from Dentarium',
    text: 'This message was sent from the page System status. E-mail works.',
  },
  da: {
    subject: 'Testmeddelelse fra Dentarium',
    text: 'Denne meddelelse blev sendt fra siden Systemstatus. E-mail virker.',
  },
  no: {
    subject: 'Testmelding fra Dentarium',
    text: 'Denne meldingen ble sendt fra siden Systemstatus. E-posten virker.',
  },
};

/** Sends a test e-mail through the mail server; `mailer` is null when none is configured. */
export const mailTest =
  (db: Kysely<Schema>, mailer: Pick<Mailer, 'sendOnce'> | null): SendTest =>
  async (accountId, language) => {
    const account = await accountById(db, accountId);
    if (!mailer || !account) return { result: 'not-configured', code: null };
    const { subject, text } = texts[language];
    const to = { name: `${account.firstName} ${account.lastName}`, address: account.email };
    try {
      await mailer.sendOnce({ language, to, subject, text: `${text}\n`, html: `<p>${text}</p>` });
      return { result: 'sent', code: null };
    } catch (error) {
      if (error instanceof DeliveryError) return { result: 'rejected', code: error.detail };
      throw error;
    }
  };
