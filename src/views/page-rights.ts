import { type Claim, mayDo } from '../../contract/claims.ts';

type Permissions = readonly string[];

/** The first of these claims that is missing; null when all are there. */
export const missing = (permission: Permissions, ...wanted: readonly Claim[]): Claim | null =>
  wanted.find((claim) => !mayDo(permission, claim)) ?? null;

/** What a person lacks for the page of a clinic's people; null when nothing. `ownClinicId`: the clinic that they belong to. */
export const missingForPeople = (permission: Permissions, clinicId: string, ownClinicId: string | null): Claim | null =>
  missing(permission, 'user.get', clinicId === ownClinicId ? 'customer.get_itself' : 'customer.get_byid');

/** What the header offers. `clinicId`: the clinic that is open. */
export const headerOffers = (permission: Permissions, clinicId: string | null, ownClinicId: string | null) => {
  const may = (claim: Claim) => mayDo(permission, claim);
  const hasTabs = clinicId !== null && may('user.get_any');
  return {
    /** The tab leads to the clinic's people: only who would be let in gets it. */
    clinicTab: hasTabs && missingForPeople(permission, clinicId, ownClinicId) === null,
    patientTab: hasTabs,
    galleryTab: hasTabs,
    imports: clinicId !== null,
    clinicsList: clinicId === null && may('user.get_sa') && may('customer.get'),
    clinicChip: clinicId !== null && (may('user.get_sa') || may('user.get')),
    superAdministrators: may('user.get_sa'),
    roles: may('role.get'),
    azure: may('user.get_sa') && !may('disable.settings'),
    log: may('user.get'),
  };
};
