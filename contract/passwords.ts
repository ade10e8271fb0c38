import { z } from 'zod';
import { email, password, uuid } from './bounds.ts';
import { route } from './route.ts';
import { mailLanguage } from './sign-in.ts';

/** Sends a password reset link by e-mail. Reply and response time are the same when the account does not exist. */
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
  reply: z.object({}),
});

/** Sets the password with the link of the e-mail, once and before it expires; else fails with `link-expired`. Ends all sessions. */
export const resetPassword = route({
  method: 'POST',
  path: '/api/Account/reset_password',
  access: 'anyone',
  body: z.strictObject({ password, SecurityStamp: z.string().min(1).max(200), id: uuid }),
  reply: z.object({}),
});
