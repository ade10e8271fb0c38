import { z } from 'zod';
import { emptyBody, emptyReply, route, signedIn } from './route.ts';

/** Digits of a PIN, at least and at most. */
export const pinDigits = [4, 12] as const;

export const pin = z.string().regex(new RegExp(`^[0-9]{${pinDigits.join(',')}}$`));

/** The PIN of an account: `blocked` when the session of the call used up its attempts. */
export const pinState = z.enum(['none', 'usable', 'blocked']);
export type PinState = z.infer<typeof pinState>;

/** Sets or changes the PIN that unlocks the caller's sessions. Fails with `proof-needed`, and for a PIN that is easily guessed with `invalid-request`. */
export const pinSet = route({
  method: 'POST',
  path: '/auth/api/pin/set',
  access: signedIn,
  body: z.strictObject({ pin }),
  reply: emptyReply,
});

/** Removes the PIN. Fails with `proof-needed`, `not-found`. */
export const pinRemove = route({
  method: 'POST',
  path: '/auth/api/pin/remove',
  access: signedIn,
  body: emptyBody,
  reply: emptyReply,
});
