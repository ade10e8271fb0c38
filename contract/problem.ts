import { z } from 'zod';

/** Every way in which the archive refuses a call. The browser translates the code; it never reads a message. */
export const problemCodes = [
  'not-signed-in',
  'no-right',
  'not-found',
  'invalid-request',
  'too-large',
  'too-many-files',
  'too-deep',
  'too-many-requests',
  'conflict',
  'email-taken',
  'user-not-found',
  'incorrect-login',
  'account-inactive',
  'link-expired',
  'code-needed',
  'incorrect-code',
  'sign-in-expired',
  'sign-in-cancelled',
  'sign-in-not-verified',
  'no-account',
  'method-away',
  'method-not-offered',
  'cannot-send-email',
  'personal-number-taken',
  'study-of-another-patient',
  'image-of-another-patient',
  'import-not-found',
  'import-wrong-step',
  'nothing-to-import',
  'mismatch-not-confirmed',
  'image-has-no-pixels',
  'image-not-readable',
  'object-store-away',
  'own-account',
  'own-clinic',
  'own-rank',
  'own-role',
  'last-super-administrator',
  'cannot-move-user',
  'role-name-taken',
  'role-built-in',
  'role-in-use',
  'picture-not-readable',
  'internal',
] as const;

export const problemCode = z.enum(problemCodes);
export type ProblemCode = z.infer<typeof problemCode>;

/** One refused field: the key of the field and what the message needs (lengths, for example). Never a patient's data. */
export const errorItem = z.object({
  fieldKey: z.string(),
  vars: z.record(z.string(), z.union([z.string(), z.number()])).optional(),
});
export type ErrorItem = z.infer<typeof errorItem>;

/** The body of every reply of status 400 and above. */
export const problem = z.object({
  code: problemCode,
  errors: z.array(errorItem).optional(),
  /** Of `no-right`: claims of which one would do, or the limit (`disable.*`) that stands in the way, so that a person can be told what is missing. */
  claims: z.array(z.string()).optional(),
});
export type Problem = z.infer<typeof problem>;
