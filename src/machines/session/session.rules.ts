import type { CurrentUser } from '../../../contract/account.ts';
import { hasClaim } from '../../../contract/claims.ts';
import type { SessionEndReason } from '../../../contract/sign-in.ts';
import { type Failure, hasProblemCode } from '../../services/failure.ts';

export interface Clinic {
  readonly id: string;
  readonly name: string;
}

/**
 * Why the user must sign in again. `rights`: role, clinic or permissions changed. `password`, `two-factor`: one of them changed. `inactive`:
 * the account was deactivated. `elsewhere-by-user`: ended by the user in another session. `too-long`: the longest allowed session is over. `expired`: the sign-in timed out. `refused`: the archive rejects the sign-in and does not say why.
 */
export type SessionProblem =
  | 'rights'
  | 'password'
  | 'two-factor'
  | 'inactive'
  | 'elsewhere-by-user'
  | 'by-administrator'
  | 'too-long'
  | 'expired'
  | 'refused';

const problems: Readonly<Record<SessionEndReason, SessionProblem>> = {
  'password-changed': 'password',
  'two-factor-changed': 'two-factor',
  'rights-changed': 'rights',
  'account-inactive': 'inactive',
  'signed-out-elsewhere': 'elsewhere-by-user',
  'ended-by-administrator': 'by-administrator',
  'session-too-long': 'too-long',
};

/** @param otherwise when the archive does not say why */
export const problemOf = (failure: Failure, otherwise: 'expired' | 'refused' = 'refused'): SessionProblem => {
  if (hasProblemCode(failure, 'account-inactive')) return 'inactive';
  const reason = failure.kind === 'refused' ? failure.sessionEnd : undefined;
  return reason ? problems[reason] : otherwise;
};

/** The loaded account. `permission` is the list in the token. */
export interface Account {
  readonly user: CurrentUser;
  readonly permission: readonly string[];
  readonly clinic: Clinic | null;
  readonly knownClaims: readonly string[];
}

/** Compares as sets: order and duplicates do not matter. */
export const samePermissions = (one: readonly string[], other: readonly string[]): boolean => {
  const [first, second] = [new Set(one), new Set(other)];
  return first.size === second.size && [...first].every((name) => second.has(name));
};

export const isSuperAdministrator = (user: CurrentUser | null): boolean => user?.customerRights.super_admin === true;

/** Returns whether the user can choose a clinic: requires the claim to list them. */
export const canChooseClinic = (permission: readonly string[]): boolean => hasClaim(permission, 'customer.get');

const isSignInPage = (path: string) => /^\/(authorization|auth|setup)(\/|\?|$)/.test(path);

/** The help page is public. */
const isHelp = (path: string) => /^\/help(\?|$)/.test(path);

/**
 * Returns the path to open after sign-in. Sign-in pages never count, the help page only if there is no other path; the start page
 * means the user's landing page.
 */
export const pathAfterSignIn = (returnPath: string | null, entered: string): string | null => {
  if (isSignInPage(entered)) return returnPath;
  if (isHelp(entered)) return returnPath ?? entered;
  return entered === '/' ? null : entered;
};

/**
 * Returns the landing page after sign-in: the list of clinics, else the users of the own clinic, else the search, depending on the
 * permissions.
 */
export const landingPath = ({ permission, clinic }: Pick<Account, 'permission' | 'clinic'>): string => {
  if (canChooseClinic(permission)) return '/customers';
  const canReadUsers = hasClaim(permission, 'user.get') && hasClaim(permission, 'customer.get_itself');
  return canReadUsers && clinic ? `/customers/${clinic.id}/employeers` : '/';
};

/** Returns the first path of a session: the requested one. After a new sign-in the help page does not count. */
export const firstLocation = (
  account: Pick<Account, 'permission' | 'clinic'>,
  returnPath: string | null,
  isNew: boolean,
): string => {
  if (isNew) return returnPath === null || isHelp(returnPath) ? landingPath(account) : returnPath;
  return returnPath ?? '/';
};

/** Returns the path after a clinic was chosen or closed: its patients, or the list of clinics. */
export const homePath = ({ permission, clinic }: Pick<Account, 'permission' | 'clinic'>): string =>
  canChooseClinic(permission) && !clinic ? '/customers' : '/';
