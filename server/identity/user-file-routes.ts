import type { FastifyInstance } from 'fastify';
import { userFileAdd, userFileCheck } from '../../contract/user-files.ts';
import { bind } from '../route-binding.ts';
import { ownPage } from './own-page.ts';
import type { ResetLinkDependencies } from './reset-link-route.ts';
import { addUserLines } from './user-file-add.ts';
import { checkUserLines } from './user-file-check.ts';

/** Registers the routes that check and add the users of a file. The file itself stays in the browser. */
export const userFileRoutes = (server: FastifyInstance, deps: ResetLinkDependencies): void => {
  const { db, binding, issuer, mailer, mailDestination, passwords } = deps;
  const links = { db, mailDestination, resetMinutes: passwords.resetMinutes };

  bind(server, binding, userFileCheck, async ({ principal, body }) => ({
    lines: await checkUserLines(db, principal, body),
  }));

  bind(server, binding, userFileAdd, async ({ principal, body, reply }) => {
    const { redirectUrl, language = 'sv', ...file } = body;
    const page = ownPage(redirectUrl, issuer);
    const lines = await addUserLines({ ...links, enqueue: mailer.enqueue }, principal, { ...file, page, language });
    reply.raw.once('close', mailer.wake);
    return { lines };
  });
};
