import { useSelector } from '@xstate/react';
import { type Claim, hasClaim } from '../../../contract/claims.ts';
import { type SessionActor, selectPermission } from '../../machines/session/session.machine.ts';
import { useFailureText } from '../language/failure-text.ts';

type Permissions = readonly string[];

/** Returns the first of these claims that is missing; null when all are present. */
export const missingClaim = (permission: Permissions, ...claims: readonly Claim[]): Claim | null =>
  claims.find((claim) => !hasClaim(permission, claim)) ?? null;

/** Returns the claim missing for a clinic's user list; null when none. `ownClinicId`: the user's clinic. */
export const missingUsersClaim = (
  permission: Permissions,
  clinicId: string,
  ownClinicId: string | null,
): Claim | null =>
  missingClaim(permission, 'user.get', clinicId === ownClinicId ? 'customer.get_itself' : 'customer.get_byid');

/** Returns which header items are shown. `clinicId`: the open clinic. */
export const headerOffers = (permission: Permissions, clinicId: string | null, ownClinicId: string | null) => {
  const has = (claim: Claim) => hasClaim(permission, claim);
  const hasTabs = clinicId !== null && has('user.get_any');
  return {
    /** The tab links to the clinic's users, so it needs the same claims. */
    clinicTab: hasTabs && missingUsersClaim(permission, clinicId, ownClinicId) === null,
    patientTab: hasTabs,
    galleryTab: hasTabs,
    orders: clinicId !== null && !has('disable.new_study'),
    retention: clinicId !== null && has('customer.update'),
    monitorCheck: clinicId !== null && !has('disable.open'),
    imports: clinicId !== null,
    clinicsList: clinicId === null && has('user.get_sa') && has('customer.get'),
    clinicChip: clinicId !== null && (has('user.get_sa') || has('user.get')),
    superAdministrators: has('user.get_sa'),
    roles: has('role.get'),
    azure: has('user.get_sa') && !has('disable.settings'),
    log: has('user.get'),
    systemStatus: has('user.get_sa'),
    damaged: has('user.get'),
  };
};

/** For each action on a clinic's records why it is disabled, in the user's language; null when it is allowed. */
export interface RecordRights {
  /** Open the recycle bin. */
  readonly recycleBin: string | null;
  /** Delete and restore a patient. */
  readonly patient: string | null;
  /** Delete and restore a study, series or image. */
  readonly study: string | null;
  /** Delete and restore a mount. */
  readonly viewset: string | null;
  /** Move studies to another patient. */
  readonly merge: string | null;
}

/** Returns the claim that prevents deleting a whole patient; null when none does. */
const claimBlockingPatient = (permission: readonly string[]): Claim | null =>
  missingClaim(permission, 'feature.recycle_bin') ??
  (permission.includes('disable.delete_study') ? 'disable.delete_study' : null);

export const useRecordRights = (session: SessionActor): RecordRights => {
  const failureText = useFailureText();
  const permission = useSelector(session, selectPermission);
  const reasonFor = (claim: Claim | null) =>
    claim && failureText({ kind: 'refused', code: 'no-right', claims: [claim] });
  const limit = (claim: Claim) => (permission.includes(claim) ? claim : null);
  return {
    recycleBin: reasonFor(missingClaim(permission, 'feature.recycle_bin')),
    patient: reasonFor(claimBlockingPatient(permission)),
    study: reasonFor(limit('disable.delete_study')),
    viewset: reasonFor(limit('disable.delete_view_set')),
    merge: reasonFor(limit('disable.move_study')),
  };
};
