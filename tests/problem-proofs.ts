import type { ProblemCode } from '../contract/problem.ts';
import type { Failure } from '../src/services/failure.ts';
import { archive, type Proof, service, views } from './proofs.ts';

/** For every kind of failure of a call, the test that produces it. */
export const failureKinds = {
  offline: service('call', 'is offline when no server replies, and when the reply breaks off'),
  refused: service('call', 'returns the code and the fields of a problem reply'),
  drift: service('call', 'distinguishes a reply that breaks the contract from everything else'),
  unexpected: views('sign-in-list', 'sees no text from an unknown problem code'),
} as const satisfies Record<Failure['kind'], Proof>;

/** For every error code of the archive, the test that produces it. One other test checks the texts of all codes. */
export const problemProofs = {
  'not-signed-in': archive('access', 'exists and admits only the callers that the contract names'),
  'no-right': archive('reassign', 'requires its right'),
  'not-found': archive('customers', 'succeeds for one of several concurrent requests'),
  'invalid-request': archive('access', 'rejects invalid parameters'),
  'not-acceptable': archive('dicomweb-retrieve', 'refuses with 406 what the client does not accept'),
  'too-large': archive('upload', 'a file that is too large is rejected, and nothing of it is stored'),
  'too-many-files': archive(
    'upload',
    'too many files or too deep folders are rejected with separate codes and leave no row',
  ),
  'too-deep': archive('upload', 'too many files or too deep folders are rejected with separate codes and leave no row'),
  'too-many-requests': archive('password', 'rejects requests beyond the queue limit, and continues afterwards'),
  conflict: archive('employees', 'of a user who was changed meanwhile is rejected as a conflict'),
  'device-taken': archive('dicom-devices', 'are of one clinic by title and address, and have one title at a clinic'),
  'email-taken': archive('employees', 'has a unique e-mail address, ignoring case'),
  'user-not-found': archive('employees-pictures', 'can be changed only by users who may change its owner'),
  'incorrect-login': archive('password', 'is blocked for an address, whatever the names'),
  'incorrect-password': archive(
    'own-password',
    'stays with a wrong current one, which is logged and limited like a sign-in',
  ),
  'session-locked': archive('sessions', 'locked, answers only what unlocks it'),
  'two-factor-needed': archive(
    'account-policy',
    'two-factor authentication that is required must be set up before anything else',
  ),
  'account-inactive': archive('sms', 'of an account that was deactivated meanwhile is rejected'),
  'link-expired': archive('resource', 'reject a modified or expired link'),
  'shared-link-invalid': archive('shared-links', 'fails alike for a wrong id, secret or code and after the end'),
  'sharing-off': archive('shared-links', 'is off by default, and a link is then neither made nor opened'),
  'code-needed': archive('interaction', 'still needs the code of the chosen one'),
  'incorrect-code': archive('sms', 'expires after five minutes'),
  'incorrect-passkey': archive('passkey-sign-in', 'refuses a replayed reply, and a challenge of another interaction'),
  'passkey-unavailable': archive(
    'passkeys',
    'is not made where browsers refuse it: at an IP address, and without HTTPS',
  ),
  'incorrect-bankid': archive('bank-id-unlock', 'stays locked for the BankID of another person, which the log names'),
  'incorrect-pin': archive('pins', 'unlocks the locked session of its user, which the log names'),
  'pin-unavailable': archive('pins', 'that was wrong five times unlocks the session only after the password did'),
  'proof-needed': archive('passkeys', 'needs a recent proof: the password, of a user without a second factor'),
  'sign-in-expired': archive('upstream-callback', 'expires'),
  'sign-in-cancelled': archive('upstream', 'may be left without signing in'),
  'sign-in-not-verified': archive('upstream-callback', 'must be that of the requested provider'),
  'no-account': archive('upstream', 'are rejected for a guest of the directory'),
  'method-away': archive('upstream-unreachable', 'is reported when the sign-in starts'),
  'method-not-offered': archive('sms', 'codes are disabled without settings'),
  'cannot-send-email': archive(
    'mailer',
    'reports an unreachable server at once to a waiting caller, and sends nothing later',
  ),
  'mail-not-configured': archive(
    'reset-link',
    'a request by e-mail is rejected without a mail server, alike for every name',
  ),
  'personal-number-taken': archive('edit', "cannot get another patient's number, and the error names the field"),
  'order-not-scheduled': archive(
    'order-edits',
    'an order that has begun or ended is not changed, and the error says so',
  ),
  'study-of-another-patient': archive(
    'import-clinic',
    'a study that the archive holds for another patient waits for the right one',
  ),
  'image-of-another-patient': archive(
    'viewset-display',
    'only images and viewsets of one accessible patient are accepted',
  ),
  'import-not-found': archive('import', 'an import can be cancelled until it is confirmed, and stays cancelled'),
  'import-wrong-step': archive(
    'import',
    'a repeated upload is one file; after the uploads no further file is accepted',
  ),
  'nothing-to-import': archive('problem-replies', 'answers 409 for an import without files'),
  'mismatch-not-confirmed': archive('import', 'a file that names another patient waits for confirmation'),
  'image-has-no-pixels': archive(
    'rendition',
    'returns errors for a frame beyond the last, a report, and a file that cannot be decoded',
  ),
  'image-not-readable': archive('stored-files', 'that is no image is reported as not readable, and not as damaged'),
  'image-damaged': archive('stored-files', 'that is damaged has one code'),
  'image-missing': archive('stored-files', 'that is missing has one code'),
  'object-store-away': archive('aws', 'that is unavailable delays an import without losing anything'),
  'own-account': archive(
    'employees-rights',
    'changes the own role or status or deletes the own account; other own fields are allowed',
  ),
  'restore-expired': archive('deleted-clinics', 'is no longer possible when the days have passed'),
  'retention-not-ended': archive('destruction-orders', 'needs a decision of the authority while the retention goes on'),
  'own-proposal': archive('destruction-orders', 'is decided by another account than the one that proposed it'),
  'own-clinic': archive('customers', 'is rejected when the clinic was changed meanwhile, and for one’s own clinic'),
  'own-rank': archive('roles', 'is of a rank below the creator’s'),
  'own-role': archive('roles', 'of one’s own, of one’s own rank or above'),
  'last-super-administrator': archive('employees-races', 'cannot be removed by a user who is no super administrator'),
  'cannot-move-user': archive(
    'reassign',
    'is rejected for super administrators, for oneself, and into a missing clinic',
  ),
  'role-name-taken': archive('roles', 'has a unique name of 3 to 256 characters, ignoring case'),
  'role-built-in': archive('roles', 'that is built in keeps its name and rank'),
  'role-in-use': archive(
    'roles-in-use',
    'needs a replacement while it has users, and signs them out with the other role',
  ),
  'picture-not-readable': archive('employees-pictures', 'a few bytes that claim to be an enormous picture'),
  'storage-unavailable': archive('files-folder', 'a folder that is %s under a running server'),
  'storage-full': archive(
    'disk-space',
    'a full disk stops every route of an import, which goes on by itself; reading goes on',
  ),
  'database-unavailable': archive(
    'database-unavailable',
    'every concurrent read succeeds or gets 503 while PostgreSQL restarts by %s',
  ),
  internal: archive('problem-replies', 'reports an internal error by its code only'),
} as const satisfies Record<ProblemCode, Proof>;
