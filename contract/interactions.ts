import { z } from 'zod';
import { failedBankId, pendingBankId, startedBankId } from './bank-id-orders.ts';
import { email, uuid } from './bounds.ts';
import { passkeyAssertion, passkeyRequest, secondFactor } from './passkey-messages.ts';
import { emptyBody, emptyReply, route } from './route.ts';
import { mailLanguage, signInMethod, type upstreamMethod } from './sign-in.ts';

/*
 * An interaction is one authorization request that waits for the user (OpenID Connect Core section 3.1.2.3). Its cookie, scoped to
 * `/interaction/:uid`, identifies the browser that started it: without the cookie every call fails with `sign-in-expired`.
 */

const uid = z.object({ uid: z.string().regex(/^[\w-]{10,64}$/) });

/** The next step after a method has identified the user. */
export const interactionOutcome = z.discriminatedUnion('outcome', [
  /** Signed in: the browser is redirected there. */
  z.object({ outcome: z.literal('finished'), redirectTo: z.string() }),
  /** The person has several accounts, for example in two clinics. */
  z.object({
    outcome: z.literal('choose-account'),
    accounts: z.array(z.object({ id: uuid, role: z.string(), clinic: z.string().nullable() })),
  }),
  /** The account requires two factors, and the method was only one. */
  z.object({ outcome: z.literal('code-needed'), factors: z.array(secondFactor).default(['authenticator']) }),
]);
export type InteractionOutcome = z.infer<typeof interactionOutcome>;

export const interactionGet = route({
  method: 'GET',
  path: '/interaction/:uid/details',
  params: uid,
  access: 'anyone',
  reply: z.object({
    clientName: z.string(),
    /** That the client asked for. */
    method: signInMethod.nullable(),
    /** The pending step after an external provider or a page reload. */
    pending: interactionOutcome.nullable(),
  }),
});

export const interactionPassword = route({
  method: 'POST',
  path: '/interaction/:uid/password',
  params: uid,
  access: 'anyone',
  body: z.strictObject({ username: z.string().max(320), password: z.string().max(100) }),
  reply: interactionOutcome,
});

/** The code of the authenticator, or a recovery code, after `code-needed`. */
export const interactionCode = route({
  method: 'POST',
  path: '/interaction/:uid/code',
  params: uid,
  access: 'anyone',
  body: z.strictObject({ code: z.string().max(40) }),
  reply: interactionOutcome,
});

/** Starts the call of a passkey: to sign in, or as second factor after `code-needed`. */
export const interactionPasskeyOptions = route({
  method: 'POST',
  path: '/interaction/:uid/passkey_options',
  params: uid,
  access: 'anyone',
  body: emptyBody,
  reply: passkeyRequest,
});

/** The reply of the passkey. Fails with `incorrect-passkey`; each call needs new options. */
export const interactionPasskey = route({
  method: 'POST',
  path: '/interaction/:uid/passkey',
  params: uid,
  access: 'anyone',
  body: z.strictObject({ response: passkeyAssertion }),
  reply: interactionOutcome,
});

/** The choice after `choose-account`. */
export const interactionAccount = route({
  method: 'POST',
  path: '/interaction/:uid/account',
  params: uid,
  access: 'anyone',
  body: z.strictObject({ id: uuid }),
  reply: interactionOutcome,
});

/** Cancels: the client receives `access_denied` (RFC 6749 section 4.1.2.1). */
export const interactionAbort = route({
  method: 'POST',
  path: '/interaction/:uid/abort',
  params: uid,
  access: 'anyone',
  body: emptyBody,
  reply: z.object({ redirectTo: z.string() }),
});

/** Starts an order; an earlier one of the same interaction is cancelled. */
export const bankIdStart = route({
  method: 'POST',
  path: '/interaction/:uid/bankid',
  params: uid,
  access: 'anyone',
  body: emptyBody,
  reply: startedBankId,
});

/** Polled every one or two seconds. */
export const bankIdCollect = route({
  method: 'POST',
  path: '/interaction/:uid/bankid/collect',
  params: uid,
  access: 'anyone',
  body: emptyBody,
  reply: z.discriminatedUnion('status', [
    pendingBankId,
    failedBankId,
    z.object({ status: z.literal('complete'), next: interactionOutcome }),
  ]),
});

export const bankIdCancel = route({
  method: 'POST',
  path: '/interaction/:uid/bankid/cancel',
  params: uid,
  access: 'anyone',
  body: emptyBody,
  reply: emptyReply,
});

/** Sends a code to the telephone of that account. The reply is the same when there is none. */
export const smsRequest = route({
  method: 'POST',
  path: '/interaction/:uid/sms',
  params: uid,
  access: 'anyone',
  body: z.strictObject({ email, language: mailLanguage }),
  reply: z.object({ goodForSeconds: z.number().int(), againInSeconds: z.number().int() }),
});

export const smsVerify = route({
  method: 'POST',
  path: '/interaction/:uid/sms/verify',
  params: uid,
  access: 'anyone',
  body: z.strictObject({ code: z.string().max(40) }),
  reply: interactionOutcome,
});

/** The browser navigates there and is redirected to the external provider. */
export const upstreamPath = (uid: string, method: z.infer<typeof upstreamMethod>): string =>
  `/interaction/${encodeURIComponent(uid)}/upstream/${method}`;
/** The redirect URI of this archive at an external provider. */
export const upstreamCallbackPath = (method: z.infer<typeof upstreamMethod>): string => `/connect/upstream/${method}`;
