import type { Restriction } from '../../../contract/route.ts';

/** The authenticated caller, read from the database for each request, so that a revoked right takes effect at once. */
export interface Principal {
  /** Of a user, or of a service account on the routes that serve them (`service-caller.ts`). */
  readonly accountId: string;
  /** Null for a super administrator, who has no clinic. */
  readonly customerId: string | null;
  readonly role: string;
  readonly permissions: readonly string[];
  /** Deleted clinics, for callers with access to all clinics: their data is not accessible. */
  readonly closedClinics: readonly string[];
  /** Session of this request; used to end all other sessions. */
  readonly grantId: string;
  /** Why the session may call only a few routes. */
  readonly restriction?: Restriction | null;
}
