import { patientDelete } from '../../../contract/bin.ts';
import { allClaims, type Claim, isLimit, mayDo } from '../../../contract/claims.ts';
import { azureGet } from '../../../contract/configuration.ts';
import { customerCreate, customerDelete, customerUpdate, reassignUser } from '../../../contract/customers.ts';
import { getImage } from '../../../contract/images.ts';
import { mayCall } from '../../../contract/may-call.ts';
import { studyMoveAll } from '../../../contract/merge.ts';
import { patientCreate } from '../../../contract/patients.ts';
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
import { landingPlace } from '../../machines/session/session.rules.ts';
import { headerOffers, missing, missingForPeople } from '../page-rights.ts';
import { peoplePath } from '../places.ts';

type Permissions = readonly string[];
type Rule = (permissions: Permissions) => boolean;

/** Whoever holds the role works in this clinic, in the preview. */
const own = { id: 'own', name: '' };
const another = 'another';

const called =
  ({ access }: { readonly access: Access }): Rule =>
  (permissions) =>
    mayCall({ permissions }, access);
const holding =
  (...claims: readonly Claim[]): Rule =>
  (permissions) =>
    missing(permissions, ...claims) === null;
const unlimited =
  (claim: Claim): Rule =>
  (permissions) =>
    !mayDo(permissions, claim);
const offered =
  (name: keyof ReturnType<typeof headerOffers>): Rule =>
  (permissions) =>
    headerOffers(permissions, own.id, own.id)[name];
const peopleOf =
  (clinicId: string): Rule =>
  (permissions) =>
    missingForPeople(permissions, clinicId, own.id) === null;

/** What somebody can see and do in the product, and the rule by which pages, buttons and the archive itself let them. */
const parts = {
  pages: {
    patients: () => true,
    gallery: offered('galleryTab'),
    imports: offered('imports'),
    clinics: holding('customer.get'),
    ownPeople: peopleOf(own.id),
    otherPeople: peopleOf(another),
    superAdministrators: called(superAdministrators),
    roles: called(roles),
    log: offered('log'),
    recycleBin: holding('feature.recycle_bin'),
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
  people: {
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
export type Deed = { [P in Part]: keyof (typeof parts)[P] & string }[Part];

/** Why not: claims of which one would do, or (`together`) that are all needed. A limit among them would have to go. */
export interface Lacking {
  readonly claims: readonly Claim[];
  readonly together: boolean;
}

const hasIts = (permissions: Permissions, claim: Claim): boolean => mayDo(permissions, claim) !== isLimit(claim);
const granted = (permissions: Permissions, claim: Claim): Permissions =>
  isLimit(claim) ? permissions.filter((held) => held !== claim) : [...permissions, claim];

/** Tries what would help: one right more, or else two of them. Null: it is allowed as things are. */
export const lackingFor = (permissions: Permissions, rule: Rule): Lacking | null => {
  if (rule(permissions)) return null;
  const absent = allClaims.filter((claim) => !hasIts(permissions, claim));
  const single = absent.filter((claim) => rule(granted(permissions, claim)));
  if (single.length > 0) return { claims: single, together: false };
  const pair = absent
    .flatMap((first, place) => absent.slice(place + 1).map((second) => [first, second] as const))
    .find(([first, second]) => rule(granted(granted(permissions, first), second)));
  return { claims: pair ?? [], together: true };
};

export interface Seen {
  readonly part: Part;
  readonly deeds: readonly { readonly deed: Deed; readonly lacking: Lacking | null }[];
}

/** Everything that there is to do in the product, as somebody with these rights finds it. */
export const seenAs = (permissions: Permissions): readonly Seen[] =>
  (Object.keys(parts) as Part[]).map((part) => ({
    part,
    deeds: (Object.entries(parts[part]) as [Deed, Rule][]).map(([deed, rule]) => ({
      deed,
      lacking: lackingFor(permissions, rule),
    })),
  }));

/** What stands at the top of their pages: in a clinic, and before one is chosen. */
export const barSeenAs = (permissions: Permissions) => ({
  inClinic: headerOffers(permissions, own.id, own.id),
  before: headerOffers(permissions, null, null),
});

export type Landing = 'clinics' | 'ownPeople' | 'patients';

/** The page on which they begin after signing in. */
export const landingSeenAs = (permissions: Permissions): Landing => {
  const place = landingPlace({ permission: [...permissions], clinic: own });
  if (place === '/customers') return 'clinics';
  return place === peoplePath(own.id) ? 'ownPeople' : 'patients';
};
