import { signInMethods } from '../../contract/sign-in.ts';

/** `pin`: of a locked session. `session`: a token that was used before, so that its session was ended. `service`: the secret of a service account. */
export const failedMethods = [...signInMethods, 'pin', 'session', 'service'] as const;
export type FailedMethod = (typeof failedMethods)[number];

export const failureReasons = [
  'incorrect-login',
  'incorrect-code',
  'incorrect-passkey',
  'incorrect-bankid',
  'incorrect-pin',
  /** The signature counter went backwards: the passkey may have been copied. */
  'passkey-counter',
  'account-inactive',
  'no-account',
  'sign-in-not-verified',
  /** Of a service account: the id or the secret is wrong. */
  'incorrect-secret',
  /** Of a service account: it has expired or was revoked. */
  'service-ended',
] as const;
export type FailureReason = (typeof failureReasons)[number];

/** What is blocked after too many failures: the password of an account, an address, the codes of an account, or a service account at an address. */
export const lockoutKinds = ['account', 'address', 'code', 'service'] as const;
export type LockoutKind = (typeof lockoutKinds)[number];

/** Is notified of failed sign-ins; never learns whose they are. */
export interface SignInListener {
  failed(method: FailedMethod, reason: FailureReason): void;
  /** An attempt was rejected unchecked. */
  blocked(kind: LockoutKind): void;
}

export const noSignInListener: SignInListener = { failed: () => undefined, blocked: () => undefined };
