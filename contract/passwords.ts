import { z } from 'zod';
import { bounds, email, moment, password, uuid } from './bounds.ts';
import { emptyReply, needs, route, signedIn } from './route.ts';
import { mailLanguage } from './sign-in.ts';

/**
 * Queues an e-mail with a password reset link. Reply and response time are the same when the account does not exist. Fails with
 * `mail-not-configured`, whatever the address, when no mail server is configured.
 */
export const resetPasswordRequest = route({
  method: 'POST',
  path: '/api/Account/reset_password_request',
  access: 'anyone',
  body: z.strictObject({
    email,
    /** Address of the reset page, on the origin of the archive; the link appends `#id=...&SecurityStamp=...`. */
    redirectUrl: z.url(),
    language: mailLanguage.optional(),
  }),
  reply: emptyReply,
});

/** How the user gets a link: by e-mail, or as a copy of the administrator who made it. */
export const passwordLink = z.discriminatedUnion('delivery', [
  z.object({ delivery: z.literal('mail-server') }),
  z.object({ delivery: z.literal('copy'), link: z.url(), expiresAt: moment }),
]);

/**
 * Makes a link to choose a password for a user whom the caller administers: an invitation, which works for seven days, while the user has none. With a
 * mail server it is sent, and the reply waits until the mail server has
 * accepted it, else fails with `cannot-send-email` and `vars.reason` (contract/mail.ts). Without one the link is in the reply, to be handed over.
 */
export const resetLinkCreate = route({
  method: 'POST',
  path: '/api/Account/reset_link',
  access: needs('user.update'),
  body: z.strictObject({
    id: uuid,
    /** As in `resetPasswordRequest`. */
    redirectUrl: z.url(),
    language: mailLanguage.optional(),
  }),
  reply: passwordLink,
});

/**
 * Changes the caller's own password and ends the caller's other sessions. Fails with `incorrect-password` when the current one is wrong, which counts
 * as a failed sign-in.
 */
export const ownPassword = route({
  method: 'POST',
  path: '/api/Account/own_password',
  access: signedIn,
  body: z.strictObject({ current: z.string().min(1).max(bounds.password[1]), password }),
  reply: emptyReply,
});

/** Sets the password with the link of the e-mail, once and before it expires; else fails with `link-expired`. Ends all sessions. */
export const resetPassword = route({
  method: 'POST',
  path: '/api/Account/reset_password',
  access: 'anyone',
  body: z.strictObject({ password, SecurityStamp: z.string().min(1).max(200), id: uuid }),
  reply: emptyReply,
});
