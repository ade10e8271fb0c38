import { canCall } from '../../../contract/can-call.ts';
import { allClaims, type Claim, canReadOwnClinic, hasClaim, isLimit } from '../../../contract/claims.ts';
import { azureGet } from '../../../contract/configuration.ts';
import { customerCreate, customerDelete, customerUpdate, reassignUser } from '../../../contract/customers.ts';
import { getImage } from '../../../contract/images.ts';
import { studyMoveAll } from '../../../contract/merge.ts';
import { patientCreate } from '../../../contract/patients.ts';
import { patientDelete } from '../../../contract/recycle-bin.ts';
import { roleCreate, roleDelete, roles, roleUpdate } from '../../../contract/roles.ts';
import type { Access } from '../../../contract/route.ts';
import { studyDelete } from '../../../contract/studies.ts';
import {
  accountCreate,
  accountDelete,
  accountUpdate,
  changeUserStatus,
  superAdministrators,
} from '../../../contract/users.ts';
import { templateCreate, viewsetCreate, viewsetDelete, viewsetUnmount } from '../../../contract/viewsets.ts';
import { landingPath } from '../../machines/session/session.rules.ts';
import { clinicUsersPath } from '../app/paths.ts';
import { headerOffers, missingClaim, missingUsersClaim } from '../app/rights.ts';

type Permissions = readonly string[];
type Rule = (permissions: Permissions) => boolean;

/** The preview assumes that users of the role work in this clinic. */
const own = { id: 'own', name: '' };
const another = 'another';

const called =
  ({ access }: { readonly access: Access }): Rule =>
  (permissions) =>
    canCall({ permissions }, access);
const holding =
  (...claims: readonly Claim[]): Rule =>
  (permissions) =>
    missingClaim(permissions, ...claims) === null;
const unlimited =
  (claim: Claim): Rule =>
  (permissions) =>
    !hasClaim(permissions, claim);
const offered =
  (name: keyof ReturnType<typeof headerOffers>): Rule =>
  (permissions) =>
    headerOffers(permissions, own.id, own.id)[name];
const usersOf =
  (clinicId: string): Rule =>
  (permissions) =>
    missingUsersClaim(permissions, clinicId, own.id) === null;

/** Pages and actions of the product with the rule that the views and the server apply. */
const parts = {
  pages: {
    patients: () => true,
    gallery: offered('galleryTab'),
    imports: (permissions) => offered('imports')(permissions) && unlimited('disable.new_study')(permissions),
    clinics: holding('customer.get'),
    ownUsers: usersOf(own.id),
    otherUsers: usersOf(another),
    superAdministrators: called(superAdministrators),
    roles: called(roles),
    log: offered('log'),
    recycleBin: holding('feature.recycle_bin'),
    protectedListed: holding('feature.protected_identity'),
  },
  records: {
    imageOpen: called(getImage),
    patientCreate: called(patientCreate),
    studyCreate: unlimited('disable.new_study'),
    mountCreate: called(viewsetCreate),
    templateCreate: called(templateCreate),
    imageDetach: called(viewsetUnmount),
    imageMove: unlimited('disable.move_view_set'),
    studyMove: called(studyMoveAll),
    patientDelete: called(patientDelete),
    studyDelete: called(studyDelete),
    mountDelete: called(viewsetDelete),
  },
  users: {
    userCreate: called(accountCreate),
    userUpdate: called(accountUpdate),
    userStatus: called(changeUserStatus),
    userDelete: called(accountDelete),
    userMove: called(reassignUser),
  },
  clinics: {
    otherClinics: holding('customer.get_byid'),
    clinicCreate: called(customerCreate),
    clinicUpdate: called(customerUpdate),
    clinicDelete: called(customerDelete),
    azure: called(azureGet),
  },
  roles: { roleCreate: called(roleCreate), roleUpdate: called(roleUpdate), roleDelete: called(roleDelete) },
} as const satisfies Record<string, Record<string, Rule>>;

export type Part = keyof typeof parts;
export type Action = { [P in Part]: keyof (typeof parts)[P] & string }[Part];

/** Missing claims: any one of them, or all (`together`). A limiting claim would have to be removed. */
export interface MissingClaims {
  readonly claims: readonly Claim[];
  readonly together: boolean;
}

const hasIts = (permissions: Permissions, claim: Claim): boolean => hasClaim(permissions, claim) !== isLimit(claim);
const granted = (permissions: Permissions, claim: Claim): Permissions =>
  isLimit(claim) ? permissions.filter((other) => other !== claim) : [...permissions, claim];

/** Searches the one claim, else the pair of claims, that would allow it. Null: already allowed. */
export const missingClaimsFor = (permissions: Permissions, rule: Rule): MissingClaims | null => {
  if (rule(permissions)) return null;
  const absent = allClaims.filter((claim) => !hasIts(permissions, claim));
  const single = absent.filter((claim) => rule(granted(permissions, claim)));
  if (single.length > 0) return { claims: single, together: false };
  const pair = absent
    .flatMap((first, index) => absent.slice(index + 1).map((second) => [first, second] as const))
    .find(([first, second]) => rule(granted(granted(permissions, first), second)));
  return { claims: pair ?? [], together: true };
};

export interface Seen {
  readonly part: Part;
  readonly actions: readonly { readonly action: Action; readonly missing: MissingClaims | null }[];
}

/** Returns what is missing for signing in; null: nothing. */
export const missingForSignIn = (permissions: Permissions): MissingClaims | null =>
  missingClaimsFor(permissions, canReadOwnClinic);

/** Returns all pages and actions with what is missing for a user with these claims. Nothing is allowed without signing in. */
export const seenAs = (permissions: Permissions): readonly Seen[] => {
  const signIn = missingForSignIn(permissions);
  return (Object.keys(parts) as Part[]).map((part) => ({
    part,
    actions: (Object.entries(parts[part]) as [Action, Rule][]).map(([action, rule]) => ({
      action,
      missing: signIn ?? missingClaimsFor(permissions, rule),
    })),
  }));
};

/** Returns the header items in a clinic and before one is chosen. */
export const headerSeenAs = (permissions: Permissions) => ({
  inClinic: headerOffers(permissions, own.id, own.id),
  before: headerOffers(permissions, null, null),
});

export type Landing = 'clinics' | 'ownUsers' | 'patients';

/** Start page after sign-in. */
export const landingSeenAs = (permissions: Permissions): Landing => {
  const path = landingPath({ permission: [...permissions], clinic: own });
  if (path === '/customers') return 'clinics';
  return path === clinicUsersPath(own.id) ? 'ownUsers' : 'patients';
};
