import { z } from 'zod';
import { accountPolicy, noPolicy } from './account-policy.ts';
import { bounded, email, password, reference, uuid } from './bounds.ts';
import { pinState } from './pins.ts';
import { idReply, restrictions, route, signedIn } from './route.ts';
import { studyViewers } from './study-viewers.ts';

export const customerRights = z.object({
  super_admin: z.boolean(),
  customer_admin: z.boolean(),
  customer_id: uuid.nullable(),
});

export const currentUser = z.object({
  id: uuid,
  email: z.string(),
  firstName: z.string(),
  lastName: z.string(),
  avatarLink: z.string().nullable(),
  roles: z.array(z.string()),
  permission: z.array(z.string()),
  customerId: uuid.nullable(),
  customer: reference.nullable(),
  customerRights,
  /** Other viewers of the studies of the clinic. An older server does not name them. */
  viewers: studyViewers.default([]),
  twoFactorEnabled: z.boolean(),
  /** Of the two factors. An older server names neither and has no passkeys. */
  hasAuthenticator: z.boolean().optional(),
  passkeys: z.number().int().default(0),
  /** Of the caller; `none` for another account. */
  pin: pinState.default('none'),
  /** BankID can unlock the caller's sessions; false for another account. */
  bankId: z.boolean().default(false),
  /** Recovery codes that are not used yet; 0 when two-factor is off. */
  recoveryCodesLeft: z.number().int(),
  /** The rules for the account. An older server, which may still reply during an upgrade, does not name them. */
  policy: accountPolicy.default(noPolicy),
  /** Of the session of this call. */
  restriction: z.enum(restrictions).nullable().default(null),
});
export type CurrentUser = z.infer<typeof currentUser>;

/** Information about the signed-in account, or (with user.get_info) about another one. */
export const accountInfo = route({
  method: 'GET',
  path: '/api/Account/info',
  query: z.object({ id: uuid.optional() }),
  access: signedIn,
  allowedWhen: restrictions,
  reply: currentUser,
});

/** The part of the reply of `/connect/userinfo` that a session check compares. */
export const userInfo = z.object({ sub: uuid, name: z.string(), permission: z.array(z.string()) });

/** The first super administrator and the first clinic of an empty installation, by the one-time key that the server printed. */
export const firstAdministrator = route({
  method: 'POST',
  path: '/api/Account/first_administrator',
  access: 'anyone',
  body: z.strictObject({
    key: z.string().min(20).max(100),
    email,
    firstName: bounded('firstName'),
    lastName: bounded('lastName'),
    password,
    organisationName: bounded('organisationName'),
  }),
  reply: idReply,
});
