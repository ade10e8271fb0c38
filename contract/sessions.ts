import { z } from 'zod';
import { failedBankId, pendingBankId, startedBankId } from './bank-id-orders.ts';
import { bounds, moment } from './bounds.ts';
import { passkeyAssertion, passkeyRequest } from './passkey-messages.ts';
import { pin } from './pins.ts';
import { emptyBody, emptyReply, route, signedIn } from './route.ts';
import { signInMethod } from './sign-in.ts';

export const session = z.object({
  id: z.string(),
  /** `User-Agent` of the sign-in; empty for sessions of earlier versions. */
  device: z.string(),
  /** Network address of the sign-in; empty for sessions of earlier versions. */
  address: z.string(),
  /** Another program of the clinic that signs in here; null for Dentarium itself. */
  program: z.string().nullable(),
  method: signInMethod.nullable(),
  signedInAt: moment.nullable(),
  /** To the minute. */
  lastUsedAt: moment.nullable(),
  /** The session of this call. */
  isCurrent: z.boolean(),
});
export type Session = z.infer<typeof session>;

/** Sessions of the caller, last used first. */
export const sessionsGet = route({
  method: 'GET',
  path: '/api/Account/sessions',
  access: signedIn,
  reply: z.array(session),
});

/** Ends one session of the caller, or with null all but that of this call. Fails with `not-found`. */
export const sessionsEnd = route({
  method: 'POST',
  path: '/api/Account/end_sessions',
  access: signedIn,
  body: z.strictObject({ id: z.string().min(1).max(100).nullable() }),
  reply: emptyReply,
});

/** Locks the session of this call: other calls fail with `session-locked` until it is unlocked. */
export const sessionLock = route({
  method: 'POST',
  path: '/api/Account/lock',
  access: signedIn,
  allowedWhen: ['session-locked', 'two-factor-needed'],
  body: emptyBody,
  reply: emptyReply,
});

/** How users prove at a locked page that they are still there. */
export const unlockBody = z.union([
  z.strictObject({ password: z.string().min(1).max(bounds.password[1]) }),
  z.strictObject({ pin }),
  /** Reply to the challenge of `sessionUnlockOptions`. */
  z.strictObject({ passkey: passkeyAssertion }),
  /** The completed order of `sessionBankIdCollect`, which is used up. */
  z.strictObject({ bankId: z.literal(true) }),
]);
export type UnlockBody = z.infer<typeof unlockBody>;
/** What a user chooses at the lock: the browser then asks for the passkey. */
export type UnlockBy = Exclude<UnlockBody, { passkey: unknown }> | 'passkey';

/** Starts unlocking the session by a passkey of its user. Fails with `not-found` without one, and with `passkey-unavailable`. */
export const sessionUnlockOptions = route({
  method: 'POST',
  path: '/api/Account/unlock_options',
  access: signedIn,
  allowedWhen: ['session-locked'],
  body: emptyBody,
  reply: passkeyRequest,
});

/** Starts a BankID order for unlocking; an earlier one of the session is cancelled. Fails with `method-not-offered`, `method-away`, and `not-found` without a Swedish personal number. */
export const sessionBankIdStart = route({
  method: 'POST',
  path: '/api/Account/unlock_bankid',
  access: signedIn,
  allowedWhen: ['session-locked'],
  body: emptyBody,
  reply: startedBankId,
});

/** Polled every one or two seconds. `complete` says that a person was identified, not who: `sessionUnlock` checks it. */
export const sessionBankIdCollect = route({
  method: 'POST',
  path: '/api/Account/unlock_bankid/collect',
  access: signedIn,
  allowedWhen: ['session-locked'],
  body: emptyBody,
  reply: z.discriminatedUnion('status', [pendingBankId, failedBankId, z.object({ status: z.literal('complete') })]),
});

export const sessionBankIdCancel = route({
  method: 'POST',
  path: '/api/Account/unlock_bankid/cancel',
  access: signedIn,
  allowedWhen: ['session-locked'],
  body: emptyBody,
  reply: emptyReply,
});

/**
 * Unlocks the session. Fails with `incorrect-password`, `incorrect-pin`, `incorrect-passkey` or `incorrect-bankid`, which count as a failed sign-in; with
 * `pin-unavailable` without a PIN and after five wrong ones, until the session was unlocked otherwise; by PIN with `conflict` when it is not locked.
 */
export const sessionUnlock = route({
  method: 'POST',
  path: '/api/Account/unlock',
  access: signedIn,
  allowedWhen: ['session-locked'],
  body: unlockBody,
  reply: emptyReply,
});
