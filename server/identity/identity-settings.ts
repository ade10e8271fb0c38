import type { Environment } from '../settings/setting.ts';
import { type BankIdSettings, readBankIdSettings } from './bank-id/bank-id-settings.ts';
import { type KeySettings, readKeySettings } from './key-settings.ts';
import { type PasswordSettings, readPasswordSettings } from './password-settings.ts';
import { type RelyingParty, readRelyingParties } from './relying-parties.ts';
import { readSmsSettings, type SmsSettings } from './sms/sms-settings.ts';
import { readUpstreamSettings, type UpstreamSettings } from './upstream/upstream-settings.ts';

/** Sign-in settings; null: the method is disabled. */
export interface IdentitySettings {
  readonly passwords: PasswordSettings;
  readonly bankId: BankIdSettings | null;
  readonly sms: SmsSettings | null;
  readonly upstream: UpstreamSettings;
  readonly keys: KeySettings;
  /** Other programs of the clinic that use this archive as their OpenID provider. */
  readonly relyingParties: readonly RelyingParty[];
}

/** Reads all sign-in settings. @throws StartupError naming the first invalid variable */
export const readIdentitySettings = (environment: Environment): IdentitySettings => ({
  passwords: readPasswordSettings(environment),
  bankId: readBankIdSettings(environment),
  sms: readSmsSettings(environment),
  upstream: readUpstreamSettings(environment),
  keys: readKeySettings(environment),
  relyingParties: readRelyingParties(environment),
});
