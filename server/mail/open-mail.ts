import path from 'node:path';
import type { FastifyInstance } from 'fastify';
import type { Kysely } from 'kysely';
import type { AboutDependencies } from '../about-routes.ts';
import type { Schema } from '../db/schema.ts';
import type { MailTransport } from './email-message.ts';
import type { MailSettings } from './mail-settings.ts';
import { type MailDestination, type Mailer, type MailerOptions, openMailer } from './mailer.ts';
import { outboxPage, outboxPath } from './outbox-page.ts';
import { outboxTransport } from './outbox-transport.ts';

interface MailDependencies extends Pick<AboutDependencies, 'demoAccounts'> {
  readonly db: Kysely<Schema>;
  /** Null: no mail server is configured. */
  readonly settings: MailSettings | null;
  /** Absolute; undelivered e-mails are in its `outbox` folder. */
  readonly dataFolder: string;
  readonly prepare: MailerOptions['prepare'];
}

interface OpenMail extends Pick<AboutDependencies, 'hasMailServer' | 'outbox'> {
  readonly mailer: Mailer;
  readonly destination: () => Promise<MailDestination>;
}

const openTransport = async (settings: MailSettings | null, folder: string): Promise<MailTransport> => {
  if (settings === null) return outboxTransport(folder);
  // Loaded where a mail server is configured: other servers start sooner.
  const { smtpTransport } = await import('./smtp-transport.ts');
  return smtpTransport(settings);
};

/** Opens the mailer, which sends through the mail server or to the outbox folder, and registers the page of the outbox. @throws StartupError */
export const openMail = async (server: FastifyInstance, deps: MailDependencies): Promise<OpenMail> => {
  const { db, settings, prepare } = deps;
  const folder = path.join(deps.dataFolder, 'outbox');
  const hasMailServer = settings !== null;
  const destination = async (): Promise<MailDestination> => {
    if (hasMailServer) return 'mail-server';
    return (await deps.demoAccounts()).length > 0 ? 'outbox' : 'none';
  };
  const hasDemoOutbox = async () => (await destination()) === 'outbox';
  const mailer = openMailer({
    db,
    transport: await openTransport(settings, folder),
    prepare,
    onFailure: (error) => server.log.error({ err: error }, 'e-mail failed'),
  });
  server.addHook('onClose', mailer.close);
  outboxPage(server, { folder, isShown: hasDemoOutbox });
  return { mailer, destination, hasMailServer, outbox: async () => ((await hasDemoOutbox()) ? outboxPath : null) };
};
