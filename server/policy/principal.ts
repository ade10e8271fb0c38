/** Who is calling, read from the database for this call: a right that was taken away is gone at once. */
export interface Principal {
  readonly accountId: string;
  /** Null for a super administrator, who belongs to no clinic. */
  readonly customerId: string | null;
  readonly role: string;
  readonly permissions: readonly string[];
  /** Clinics that were deleted, for whoever may use all the others: out of reach with whatever belongs to them. */
  readonly closedClinics: readonly string[];
  /** The session of this call. It opens nothing; it is for ending all sessions but this one. */
  readonly grantId: string;
}
