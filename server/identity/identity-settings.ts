import { type MailSettings, readMailSettings } from '../mail/mail-settings.ts';
import type { Environment } from '../named-settings.ts';
import { type BankIdSettings, readBankIdSettings } from './bank-id/bank-id-settings.ts';
import { type KeySettings, readKeySettings } from './key-settings.ts';
import { type PasswordSettings, readPasswordSettings } from './password-settings.ts';
import { type RelyingParty, readRelyingParties } from './relying-parties.ts';
import { readSmsSettings, type SmsSettings } from './sms/sms-settings.ts';
import { readUpstreamSettings, type UpstreamSettings } from './upstream/upstream-settings.ts';

/** What the environment says about ways to sign in; null: not offered. */
export interface IdentitySettings {
  /** Null: letters go to the outbox folder. */
  readonly mail: MailSettings | null;
  readonly passwords: PasswordSettings;
  readonly bankId: BankIdSettings | null;
  readonly sms: SmsSettings | null;
  readonly upstream: UpstreamSettings;
  readonly keys: KeySettings;
  /** Other programs of the clinic that sign in by this archive. */
  readonly relyingParties: readonly RelyingParty[];
}

/** Throws StartRefused naming the first variable that is wrong. */
export const readIdentitySettings = (environment: Environment): IdentitySettings => ({
  mail: readMailSettings(environment),
  passwords: readPasswordSettings(environment),
  bankId: readBankIdSettings(environment),
  sms: readSmsSettings(environment),
  upstream: readUpstreamSettings(environment),
  keys: readKeySettings(environment),
  relyingParties: readRelyingParties(environment),
});
