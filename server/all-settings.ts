import { backupVariables } from './archive-command/passphrase.ts';
import { automaticBackupVariables } from './backup/backup-settings.ts';
import { gatewayVariables } from './dicom-gateway/gateway-settings.ts';
import { bankIdVariables } from './identity/bank-id/bank-id-settings.ts';
import { keyVariables } from './identity/key-settings.ts';
import { passwordVariables } from './identity/password-settings.ts';
import { relyingPartyVariables } from './identity/relying-parties.ts';
import { smsVariables } from './identity/sms/sms-settings.ts';
import { azureVariables, openidVariables, sithsVariables } from './identity/upstream/upstream-settings.ts';
import { importVariables } from './imports/import-settings.ts';
import { fileCheckVariables } from './integrity/check-settings.ts';
import { mailVariables } from './mail/mail-settings.ts';
import { metricsVariables } from './metrics/metrics-address.ts';
import { dicomWebVariables } from './resource/dicomweb/dicomweb-settings.ts';
import { masterKeyVariables } from './secrets/master-key-settings.ts';
import { serverVariables } from './server-settings.ts';
import { configFileVariables } from './settings/config-file.ts';
import type { Setting, Settings } from './settings/setting.ts';
import { bucketVariables, storeVariable } from './storage/bucket/bucket-config.ts';
import { objectStoreVariables } from './storage/object-store-config.ts';

export interface SettingGroup {
  readonly title: string;
  /** Markdown for docs/configuration.md. */
  readonly about?: string;
  readonly settings: Settings;
}

/** Every setting of an installation, in the order of docs/configuration.md. */
export const settingGroups: readonly SettingGroup[] = [
  { title: 'Server', settings: { ...configFileVariables, ...serverVariables, ...metricsVariables } },
  { title: 'Imports and disk space', settings: importVariables },
  { title: 'Verification of stored files', settings: fileCheckVariables },
  {
    title: 'Image files in a bucket',
    about:
      'Explained in [object-store.md](object-store.md#image-files-in-a-bucket). By default they are in the data folder.',
    settings: { ...storeVariable, ...bucketVariables },
  },
  {
    title: 'Uploads through an object store',
    about: 'Explained in [object-store.md](object-store.md). Without them, files are uploaded to the server.',
    settings: objectStoreVariables,
  },
  {
    title: 'Sign-in',
    about: 'All ways to sign in are explained in [sign-in.md](sign-in.md).',
    settings: { ...passwordVariables, ...masterKeyVariables, ...keyVariables, ...relyingPartyVariables },
  },
  {
    title: 'E-mail',
    about: 'Without them, no e-mail is sent. See [sign-in.md](sign-in.md#e-mail).',
    settings: mailVariables,
  },
  { title: 'BankID', about: 'See [sign-in.md](sign-in.md#bankid).', settings: bankIdVariables },
  { title: 'SITHS', about: 'See [sign-in.md](sign-in.md#siths).', settings: sithsVariables },
  { title: 'Azure AD', about: 'See [sign-in.md](sign-in.md#azure-ad).', settings: azureVariables },
  { title: 'Text messages', about: 'See [sign-in.md](sign-in.md#text-messages).', settings: smsVariables },
  {
    title: "The clinic's own provider",
    about: 'See [sign-in.md](sign-in.md#the-clinics-own-provider).',
    settings: openidVariables,
  },
  { title: 'DICOMweb', about: 'See [dicomweb.md](dicomweb.md).', settings: dicomWebVariables },
  { title: 'DICOM devices', about: 'See [dicom.md](dicom.md).', settings: gatewayVariables },
  { title: 'Backup', settings: { ...automaticBackupVariables, ...backupVariables } },
];

export const allSettings: readonly Setting[] = settingGroups.flatMap(({ settings }) => Object.values(settings));
