import type { ServiceScope } from '../../../contract/service-scopes.ts';
import type { Principal } from './principal.ts';

/** A service account that calls. Read from the database for each request, as `Principal` is. */
export interface ServiceCaller {
  readonly serviceAccountId: string;
  /** Clinics whose data it may use, at least one; none that is deleted. */
  readonly clinics: readonly string[];
  /** Those of the account that the token has too. */
  readonly scopes: readonly ServiceScope[];
}

/**
 * Returns a service account as the caller of a request about a clinic. It has no claims: no right of an administrator, and no limit (`disable.*`). The
 * access log names it by its id, in place of that of a user.
 */
export const principalOfService = (
  { serviceAccountId, clinics }: ServiceCaller,
  requestedId: string | null,
): Principal => ({
  accountId: serviceAccountId,
  customerId: clinics.find((id) => id === requestedId) ?? clinics[0] ?? null,
  role: '',
  permissions: [],
  closedClinics: [],
  grantId: '',
});
