import type { ProblemCode } from '../contract/problem.ts';
import type { Failure } from '../src/services/failure.ts';
import { archive, type Proof, service, views } from './proofs.ts';

/** Every kind of failure that a call can end with: where it comes from. */
export const failureKinds = {
  offline: service('call', 'is offline when nobody answers'),
  refused: service('call', 'tells a refusal by its code and its fields'),
  drift: service('call', 'tells a reply that breaks the contract from everything else'),
  unexpected: views('sign-in-list', 'is never shown a code that is no code of ours'),
} as const satisfies Record<Failure['kind'], Proof>;

/** Every code with which the archive refuses: the test in which it does so. What a person reads then is tested for all of them at once. */
export const refusals = {
  'not-signed-in': archive('access', 'exists, and lets in only whom the contract names'),
  'no-right': archive('reassign', 'needs its right'),
  'not-found': archive('customers', 'happens once, however many ask'),
  'invalid-request': archive('access', 'refuses parameters that are none'),
  'too-large': archive('upload', 'a file that is too large is refused'),
  'too-many-files': archive('upload', 'more files than an import may have'),
  'too-deep': archive('upload', 'more files than an import may have'),
  'too-many-requests': archive('password', 'refuses what would wait too long'),
  conflict: archive('employees', 'of a person who was changed meanwhile is told'),
  'email-taken': archive('employees', 'has an e-mail address that nobody else has'),
  'user-not-found': archive('employees-pictures', 'is given by those alone who may change the person'),
  'incorrect-login': archive('password', 'is stopped for an address, whatever the names'),
  'account-inactive': archive('sms', 'of an account that was made inactive meanwhile'),
  'link-expired': archive('resource', 'a link that was changed, or is over, opens nothing'),
  'code-needed': archive('interaction', 'still needs the code of the chosen one'),
  'incorrect-code': archive('sms', 'ends after five minutes'),
  'sign-in-expired': archive('upstream-way-back', 'ends after its time'),
  'sign-in-cancelled': archive('upstream', 'may be left without signing in'),
  'sign-in-not-verified': archive('upstream-way-back', 'is that of the provider who was asked'),
  'no-account': archive('upstream', 'is not taken about a guest of the directory'),
  'method-away': archive('upstream-away', 'is told on leaving'),
  'method-not-offered': archive('sms', 'without any, codes are not offered'),
  'cannot-send-email': archive('mail', 'that is away is told at once to whoever waits'),
  'personal-number-taken': archive('edit', 'does not get the number of another'),
  'study-of-another-patient': archive('import-clinic', 'a study that the archive has under another patient'),
  'image-of-another-patient': archive('viewset-display', 'only images and viewsets of one patient within reach'),
  'import-not-found': archive('import', 'an import that nobody wants is withdrawn'),
  'import-wrong-step': archive('import', 'an upload that is sent again is one file'),
  'nothing-to-import': archive('problems', 'an import into which no file came'),
  'mismatch-not-confirmed': archive('import', 'a file that names somebody else waits'),
  'image-has-no-pixels': archive('rendition', 'there is no frame beyond the last'),
  'image-not-readable': archive('download', 'are refused before the first byte'),
  'object-store-away': archive('aws', 'that is away makes an import wait'),
  'own-account': archive('employees-rights', 'changes their own role or status'),
  'own-clinic': archive('customers', 'is refused when somebody changed it meanwhile'),
  'own-rank': archive('roles', 'is of a rank below the creator’s'),
  'own-role': archive('roles', 'of one’s own, of one’s own rank or above'),
  'last-super-administrator': archive('employees-races', 'stays, when somebody else than'),
  'cannot-move-user': archive('reassign', 'is refused for super administrators'),
  'role-name-taken': archive('roles', 'has a name of its own, of 3 to 256 characters'),
  'role-built-in': archive('roles', 'that is built in keeps its name and rank'),
  'role-in-use': archive('roles', 'needs a replacement while somebody holds it'),
  'picture-not-readable': archive('employees-pictures', 'a few bytes that claim to be an enormous picture'),
  internal: archive('problems', 'a fault on our own side is told by its code'),
} as const satisfies Record<ProblemCode, Proof>;
