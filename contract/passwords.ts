import { z } from 'zod';
import { email, password, uuid } from './bounds.ts';
import { route } from './route.ts';
import { languageOfLetters } from './sign-in.ts';

/** Sends a link by mail. The reply, and how long it takes, are the same when there is no such account. */
export const resetPasswordRequest = route({
  method: 'POST',
  path: '/api/Account/reset_password_request',
  access: 'anyone',
  body: z.strictObject({
    email,
    /** Of this archive's own origin; the link is this address with `#id=...&SecurityStamp=...`. */
    redirectUrl: z.url(),
    language: languageOfLetters.optional(),
  }),
  reply: z.object({}),
});

/** Sets the password by the link of the mail: once, and not after it has expired. Refused with `link-expired`. Ends all sessions. */
export const resetPassword = route({
  method: 'POST',
  path: '/api/Account/reset_password',
  access: 'anyone',
  body: z.strictObject({ password, SecurityStamp: z.string().min(1).max(200), id: uuid }),
  reply: z.object({}),
});
