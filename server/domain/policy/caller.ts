import type { ServiceScope } from '../../../contract/service-accounts.ts';
import { canUseClinic } from './can-use-clinic.ts';
import type { Principal } from './principal.ts';

/** A program that calls with a token of its own. Read from the database for each request, as `Principal` is. */
export interface ServicePrincipal {
  readonly serviceAccountId: string;
  /** Clinics whose data it may use; none that is deleted. */
  readonly clinics: readonly string[];
  /** Those of the account that the token has too. */
  readonly scopes: readonly ServiceScope[];
}

/** The caller of a route that serves users and service accounts. */
export type Caller = Principal | ServicePrincipal;

export const isService = (caller: Caller): caller is ServicePrincipal => 'serviceAccountId' in caller;

/** Returns the id by which the access log names the caller (`Access.accountId`). */
export const loggedIdOf = (caller: Caller): string => (isService(caller) ? caller.serviceAccountId : caller.accountId);

/** Returns the claims of a user. A service account has none: no right of an administrator, and no limit (`disable.*`). */
export const permissionsOf = (caller: Caller): readonly string[] => (isService(caller) ? [] : caller.permissions);

/** Returns whether the caller may access the data of a clinic. */
export const callerCanUseClinic = (caller: Caller, customerId: string): boolean =>
  isService(caller) ? caller.clinics.includes(customerId) : canUseClinic(caller, customerId);

/** Returns whether the caller's token allows it. What users may do depends on their claims alone. */
export const hasScope = (caller: Caller, scope: ServiceScope): boolean =>
  !isService(caller) || caller.scopes.includes(scope);
