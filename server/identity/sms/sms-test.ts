import type { Kysely } from 'kysely';
import type { MailLanguage } from '../../../contract/sign-in.ts';
import type { Schema } from '../../db/schema.ts';
import { accountById } from '../../db/stores/account-store.ts';
import type { SendTest } from '../../system-status/system-status-routes.ts';
import { GatewayError, sendMessage } from './gateway.ts';
import type { SmsSettings } from './sms-settings.ts';
import { telephoneOf } from './telephone.ts';

const texts: Readonly<Record<MailLanguage, string>> = {
  sv: 'Testmeddelande från Dentarium. Sms fungerar.',
  en: 'Test message from Dentarium. Text messages work.',
  da: 'Testmeddelelse fra Dentarium. Sms virker.',
  no: 'Testmelding fra Dentarium. SMS virker.',
};

/** Sends a test by text message; `settings` is null when no gateway is configured. */
export const smsTest =
  (db: Kysely<Schema>, settings: SmsSettings | null): SendTest =>
  async (accountId, language) => {
    if (!settings) return { result: 'not-configured', code: null };
    const account = await accountById(db, accountId);
    const telephone = telephoneOf(account?.telephone ?? '');
    if (telephone === null) return { result: 'no-number', code: null };
    try {
      await sendMessage(settings, telephone, texts[language]);
      return { result: 'sent', code: null };
    } catch (error) {
      if (error instanceof GatewayError) return { result: 'rejected', code: error.code };
      throw error;
    }
  };
