import { z } from 'zod';

/** Claim groups and their names. A claim on the wire is `group.name`. */
export const claimGroups = {
  customer: ['create', 'delete', 'get', 'get_byid', 'get_itself', 'update'],
  role: ['create', 'delete', 'get', 'update'],
  user: ['change_status', 'create', 'delete', 'get', 'get_any', 'get_info', 'get_sa', 'reassign_customer', 'update'],
  feature: ['recycle_bin', 'protected_identity'],
  disable: [
    'acquisition_settings',
    'delete_study',
    'delete_view_set',
    'detach_image',
    'move_study',
    'move_view_set',
    'new_patient',
    'new_series',
    'new_study',
    'new_template',
    'open',
    'settings',
  ],
} as const;

export type ClaimGroup = keyof typeof claimGroups;
export type Claim = { [Group in ClaimGroup]: `${Group}.${(typeof claimGroups)[Group][number]}` }[ClaimGroup];

const isGroup = (name: string): name is ClaimGroup => Object.hasOwn(claimGroups, name);

export const isClaim = (text: string): text is Claim => {
  const [group = '', name = ''] = text.split('.');
  return isGroup(group) && (claimGroups[group] as readonly string[]).includes(name);
};

export const allClaims: readonly Claim[] = Object.entries(claimGroups)
  .flatMap(([group, names]) => names.map((name) => `${group}.${name}`))
  .filter(isClaim);

/** A claim that denies something to its holder. */
export const isLimit = (claim: string): boolean => claim.startsWith('disable.');

export const claim = z.enum(allClaims);

/** The three built-in roles, highest first; the index is the rank. A user sees roles whose rank number is at least their own. */
export const roleNames = ['SuperAdmin', 'CustomerAdmin', 'Doctor'] as const;
export type RoleName = (typeof roleNames)[number];

const adminClaims: readonly Claim[] = allClaims.filter((name) => !isLimit(name));

export const defaultClaims: Readonly<Record<RoleName, readonly Claim[]>> = {
  SuperAdmin: adminClaims,
  CustomerAdmin: [
    'customer.get_itself',
    'customer.update',
    'role.get',
    'user.change_status',
    'user.create',
    'user.delete',
    'user.get',
    'user.get_any',
    'user.get_info',
    'user.update',
    'feature.recycle_bin',
    'feature.protected_identity',
  ],
  Doctor: ['customer.get_itself', 'user.get_any', 'user.get_info', 'disable.settings', 'disable.new_template'],
};

/** The claims that a new role starts with: users of a clinic cannot sign in without reading it. */
export const signInClaims: readonly Claim[] = ['customer.get_itself'];

export const hasClaim = (permissions: readonly string[], claim: Claim): boolean => permissions.includes(claim);

/** Returns whether a user of a clinic can read it, without which the pages behind the sign-in cannot be shown. */
export const canReadOwnClinic = (permissions: readonly string[]): boolean =>
  hasClaim(permissions, 'customer.get_itself') || hasClaim(permissions, 'customer.get_byid');
