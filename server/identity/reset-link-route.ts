import type { FastifyInstance } from 'fastify';
import { resetLinkCreate } from '../../contract/passwords.ts';
import { bind } from '../route-binding.ts';
import { giveResetLink } from './give-reset-link.ts';
import { ownPage } from './own-page.ts';
import type { PasswordDependencies } from './password-routes.ts';
import type { PasswordSettings } from './password-settings.ts';

export interface ResetLinkDependencies extends Omit<PasswordDependencies, 'tell'> {
  readonly passwords: PasswordSettings;
}

/** Registers the route by which administrators give a user a reset link: sent by the mail server, or without one returned once. */
export const resetLinkRoute = (
  server: FastifyInstance,
  { db, binding, issuer, mailer, mailDestination, passwords: { resetMinutes } }: ResetLinkDependencies,
): void => {
  bind(server, binding, resetLinkCreate, ({ principal, body: { id, redirectUrl, language = 'sv' } }) => {
    const request = { id, page: ownPage(redirectUrl, issuer), language };
    return giveResetLink({ db, mailDestination, resetMinutes }, principal, request, mailer.sendNow);
  });
};
