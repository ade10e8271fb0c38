import type { CurrentUser } from '../../../contract/account.ts';
import { mayDo } from '../../../contract/claims.ts';
import { type Failure, isRefusedAs } from '../../services/failure.ts';

export interface Clinic {
  readonly id: string;
  readonly name: string;
}

/**
 * Why somebody has to sign in anew. `rights`: they were changed meanwhile, in either direction. `inactive`: the account was deactivated.
 * `expired`: nobody was here for longer than a sign-in lasts. `refused`: the archive takes this sign-in no more (a new password, signed out
 * everywhere, two-factor changed).
 */
export type SessionProblem = 'rights' | 'inactive' | 'expired' | 'refused';

export const problemOf = (failure: Failure): SessionProblem =>
  isRefusedAs(failure, 'account-inactive') ? 'inactive' : 'refused';

/** What the sign-in knows once everything is loaded. `permission` is the token's own list. */
export interface Account {
  readonly user: CurrentUser;
  readonly permission: readonly string[];
  readonly clinic: Clinic | null;
  readonly knownClaims: readonly string[];
}

/** Any difference in either direction counts; order and repetition do not. */
export const samePermissions = (one: readonly string[], other: readonly string[]): boolean => {
  const [first, second] = [new Set(one), new Set(other)];
  return first.size === second.size && [...first].every((name) => second.has(name));
};

export const isSuperAdministrator = (user: CurrentUser | null): boolean => user?.customerRights.super_admin === true;

/** Only who may list clinics may choose among them. */
export const mayChooseClinic = (permission: readonly string[]): boolean => mayDo(permission, 'customer.get');

const isSignInPage = (place: string) => /^\/(authorization|auth|setup)(\/|\?|$)/.test(place);

/** Everybody may read it, on the way to where they want to be. */
const isHelp = (place: string) => /^\/help(\?|$)/.test(place);

/**
 * Where the visitor wants to be, after entering a place. Sign-in pages are no destination, and the help is none while there is another; the start
 * page means "where my work begins".
 */
export const wantedPlace = (wanted: string | null, entered: string): string | null => {
  if (isSignInPage(entered)) return wanted;
  if (isHelp(entered)) return wanted ?? entered;
  return entered === '/' ? null : entered;
};

/**
 * Where somebody begins who has just signed in: at the clinics who may list them, at the people of the own clinic who may read those, and
 * everybody else at the search.
 */
export const landingPlace = ({ permission, clinic }: Pick<Account, 'permission' | 'clinic'>): string => {
  if (mayChooseClinic(permission)) return '/customers';
  const readsPeople = mayDo(permission, 'user.get') && mayDo(permission, 'customer.get_itself');
  return readsPeople && clinic ? `/customers/${clinic.id}/employeers` : '/';
};

/** Where somebody goes whose account is known: to where they wanted to be. Who has just signed in has done with the help. */
export const firstPlace = (
  account: Pick<Account, 'permission' | 'clinic'>,
  wanted: string | null,
  isNew: boolean,
): string => {
  if (isNew) return wanted === null || isHelp(wanted) ? landingPlace(account) : wanted;
  return wanted ?? '/';
};

/** Where one goes on after a clinic was chosen or left: to its patients, or to the clinics for who may choose another. */
export const homePlace = ({ permission, clinic }: Pick<Account, 'permission' | 'clinic'>): string =>
  mayChooseClinic(permission) && !clinic ? '/customers' : '/';
