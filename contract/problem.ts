import { z } from 'zod';

/** All error codes of the archive. The browser translates the code; it never reads a message. */
export const problemCodes = [
  'not-signed-in',
  /** The session is locked: `/api/Account/unlock` unlocks it. */
  'session-locked',
  /** Clinic or role require two-factor authentication, which the user must set up first. */
  'two-factor-needed',
  'no-right',
  'not-found',
  'invalid-request',
  /** The client accepts none of the media types of the reply. */
  'not-acceptable',
  'too-large',
  'too-many-files',
  'too-deep',
  'too-many-requests',
  'conflict',
  /** An order of images has begun or ended, so its values stay. */
  'order-not-scheduled',
  'email-taken',
  'device-taken',
  'user-not-found',
  'incorrect-login',
  /** Of one's own, asked again before a change. */
  'incorrect-password',
  'account-inactive',
  'link-expired',
  /** Of a shared link: id, secret or code is wrong, or it has ended. */
  'shared-link-invalid',
  /** The clinic does not share images by link. */
  'sharing-off',
  'code-needed',
  'incorrect-code',
  /** The passkey is not one of the account, or its reply could not be verified. */
  'incorrect-passkey',
  /** Browsers allow passkeys only at a name over HTTPS, and at localhost. */
  'passkey-unavailable',
  /** Not of the user of the session. */
  'incorrect-bankid',
  'incorrect-pin',
  /** The account has no PIN, or the session used up its attempts: it is unlocked otherwise. */
  'pin-unavailable',
  /** The change needs a recent proof of the user: password, code or passkey. */
  'proof-needed',
  'sign-in-expired',
  'sign-in-cancelled',
  'sign-in-not-verified',
  'no-account',
  'method-away',
  'method-not-offered',
  'cannot-send-email',
  /** The archive has no mail server. */
  'mail-not-configured',
  'personal-number-taken',
  'study-of-another-patient',
  'image-of-another-patient',
  'import-not-found',
  'import-wrong-step',
  'nothing-to-import',
  'mismatch-not-confirmed',
  'image-has-no-pixels',
  'image-not-readable',
  /** The content of the stored file has changed. */
  'image-damaged',
  /** The stored file is missing. */
  'image-missing',
  'object-store-away',
  'own-account',
  'own-clinic',
  /** The clinic was deleted too long ago. */
  'restore-expired',
  /** Of a patient: the last entry is not old enough, or the clinic never destroys. */
  'retention-not-ended',
  /** Another account must decide about it. */
  'own-proposal',
  'own-rank',
  'own-role',
  'last-super-administrator',
  'cannot-move-user',
  'role-name-taken',
  'role-built-in',
  'role-in-use',
  'picture-not-readable',
  'database-unavailable',
  'storage-unavailable',
  /** No space on the disk of the image files or of the database. */
  'storage-full',
  'internal',
] as const;

export const problemCode = z.enum(problemCodes);
export type ProblemCode = z.infer<typeof problemCode>;

/** One invalid field: its key and the parameters of the message (lengths, for example). Never patient data. */
export const errorItem = z.object({
  fieldKey: z.string(),
  vars: z.record(z.string(), z.union([z.string(), z.number()])).optional(),
});
export type ErrorItem = z.infer<typeof errorItem>;

/** The body of every reply of status 400 and above. */
export const problem = z.object({
  code: problemCode,
  errors: z.array(errorItem).optional(),
  /** For `no-right`: the claims of which one is required, or the limit (`disable.*`) that denies access, to show what is missing. */
  claims: z.array(z.string()).optional(),
  /** Names the request in the server's log; the same as the header `x-request-id`. */
  requestId: z.string().optional(),
});
export type Problem = z.infer<typeof problem>;
