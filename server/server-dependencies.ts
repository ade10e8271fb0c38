import type { ConnectionOptions } from 'node:tls';
import type { NodeRoles } from '../contract/system-status.ts';
import type { AboutDependencies } from './about-routes.ts';
import type { ArchiveFolder } from './archive-folder/open-folder.ts';
import type { BackupSettings } from './backup/backup-settings.ts';
import type { Database } from './db/client.ts';
import type { Vault } from './db/vault.ts';
import type { IdentitySettings } from './identity/identity-settings.ts';
import type { ImportSettings } from './imports/import-settings.ts';
import type { FileCheckSettings } from './integrity/check-settings.ts';
import type { Logger } from './log.ts';
import type { MailSettings } from './mail/mail-settings.ts';
import type { ObjectStoreConfig } from './storage/object-store-config.ts';
import type { TrustedProxies } from './web/trusted-proxies.ts';

/** What the server is built of. */
export interface ServerDependencies extends Pick<AboutDependencies, 'versions' | 'demoAccounts'> {
  readonly database: Database;
  readonly vault: Vault;
  /** The bundled PostgreSQL, for the status page; false when omitted. */
  readonly isDatabaseEmbedded?: boolean;
  readonly log: Logger;
  /** Public base URL and issuer of access tokens. */
  readonly publicUrl: string;
  /** Null: no reverse proxy. */
  readonly trustProxy: TrustedProxies | null;
  /** Opened before anything is written to the database. */
  readonly filesFolder: ArchiveFolder;
  /** Absolute path; contains thumbnails and renditions. */
  readonly dataFolder: string;
  /** Limits and retention of imports; defaults when omitted. */
  readonly imports?: ImportSettings;
  /** Origins of web viewers that may call DICOMweb; none when omitted. */
  readonly dicomWebOrigins?: readonly string[];
  /** AE title of the archive; the default when omitted. */
  readonly dicomAeTitle?: string;
  /** With what devices are called by TLS. */
  readonly dicomTls?: ConnectionOptions;
  /** Disk limit of the rendition cache. */
  readonly renditionBytes?: number;
  /** Settings of the background integrity check of stored files. */
  readonly fileCheck?: FileCheckSettings;
  /** Settings of the automatic backup; null or omitted: backups are made by command only. */
  readonly backup?: BackupSettings | null;
  /** Object store that browsers upload to, if configured. */
  readonly objectStore?: ObjectStoreConfig | null;
  /** Mail server; null or omitted: no e-mail is sent, and those of the demo clinic are written to the outbox folder. */
  readonly mail?: MailSettings | null;
  /** Settings of passwords, BankID, text messages and external providers; all disabled when omitted. */
  readonly identity?: IdentitySettings;
  /** Retention of the access log in years; at least 5. */
  readonly accessLogYears?: number;
  /** Days in which a deleted clinic can be restored. */
  readonly clinicRestoreDays?: number;
  /** Folder of the built web application; null when something else serves it. */
  readonly browserFolder: string | null;
  /** Validate every reply against the contract. */
  readonly checkReplies: boolean;
  /** What this node does; both when omitted. */
  readonly roles?: NodeRoles;
  readonly hubPingMilliseconds?: number;
}
