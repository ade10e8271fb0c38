import { z } from 'zod';
import { moment, uuid } from './bounds.ts';
import { emptyReply, needs, route } from './route.ts';
import { mailLanguage } from './sign-in.ts';

/** Tokens that a clinic may have at once. */
export const directoryTokensAtMost = 5;
/** How long a token works. */
export const directoryTokenDays = [90, 180, 365, 730] as const;

/** A token by which a directory administers the users of a clinic, at `/scim/v2/{customerId}`. */
export const directoryToken = z.object({
  id: uuid,
  name: z.string(),
  /** New users are invited by e-mail in this language; null: they sign in by Azure AD or the clinic's own provider. */
  invitesIn: mailLanguage.nullable(),
  createdAt: moment,
  expiresAt: moment,
  /** To the minute; null when never used. */
  usedAt: moment.nullable(),
});
export type DirectoryToken = z.infer<typeof directoryToken>;

export const directoryTokens = route({
  method: 'GET',
  path: '/api/Directory/tokens/:customerId',
  params: z.object({ customerId: uuid }),
  access: needs('customer.update'),
  reply: z.object({ tokens: z.array(directoryToken) }),
});

/**
 * Makes a token; its secret is in this reply only. Fails with `own-rank` or `no-right` for a caller who could not give the role of clinic
 * administrators, as which directories act.
 */
export const directoryTokenCreate = route({
  method: 'POST',
  path: '/api/Directory/create',
  access: needs('customer.update'),
  body: z.strictObject({
    customerId: uuid,
    name: z.string().trim().min(2).max(100),
    days: z.literal(directoryTokenDays),
    invitesIn: mailLanguage.nullable(),
  }),
  reply: z.object({ token: directoryToken, secret: z.string() }),
});

/** Ends a token at once. */
export const directoryTokenRevoke = route({
  method: 'POST',
  path: '/api/Directory/revoke',
  access: needs('customer.update'),
  body: z.strictObject({ customerId: uuid, id: uuid }),
  reply: emptyReply,
});
