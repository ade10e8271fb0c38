import path from 'node:path';
import type { FastifyInstance } from 'fastify';
import type { Kysely } from 'kysely';
import type { AboutDependencies, DemoAccount } from '../about-routes.ts';
import type { Schema } from '../db/schema.ts';
import { outboxCarrier } from '../mail/outbox-carrier.ts';
import { outboxPage, outboxPath } from '../mail/outbox-page.ts';
import { openPost } from '../mail/post.ts';
import { smtpCarrier } from '../mail/smtp-carrier.ts';
import type { Binding } from '../route-binding.ts';
import type { IdentitySettings } from './identity-settings.ts';
import { prepareResetLetter } from './password-reset.ts';
import { passwordRoutes } from './password-routes.ts';

interface LetterDependencies {
  readonly db: Kysely<Schema>;
  readonly binding: Binding;
  readonly settings: Pick<IdentitySettings, 'mail' | 'passwords'>;
  readonly dataFolder: string;
  readonly demoAccounts: () => Promise<readonly DemoAccount[]>;
  readonly issuer: string;
}

/** What is done by letter, and the letters themselves: to the mail server, or to the outbox folder. @throws StartRefused */
export const letterRoutes = (server: FastifyInstance, deps: LetterDependencies): Pick<AboutDependencies, 'outbox'> => {
  const { db, binding, settings, issuer } = deps;
  const folder = path.join(deps.dataFolder, 'outbox');
  const hasDemoOutbox = async () => settings.mail === null && (await deps.demoAccounts()).length > 0;
  const post = openPost({
    db,
    carrier: settings.mail === null ? outboxCarrier(folder) : smtpCarrier(settings.mail),
    prepare: prepareResetLetter(db, settings.passwords.resetMinutes),
    onFailure: (error) => server.log.error({ err: error }, 'letter failed'),
  });
  server.addHook('onClose', post.close);
  passwordRoutes(server, { db, binding, issuer, post });
  outboxPage(server, { folder, isShown: hasDemoOutbox });
  return { outbox: async () => ((await hasDemoOutbox()) ? outboxPath : null) };
};
