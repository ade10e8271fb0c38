import { describe, expect, it } from 'vitest';
import { allClaims, defaultClaims, isLimit, signInClaims } from '../../contract/claims.ts';
import { canToggle, copied, countChanges, isAllowed, withAllowed } from '../../src/views/roles/roles.ts';
import {
  type Action,
  headerSeenAs,
  landingSeenAs,
  missingForSignIn,
  seenAs,
} from '../../src/views/roles/see-as.rules.ts';

const missingOf = (claims: readonly string[]) =>
  new Map(seenAs(claims).flatMap(({ actions }) => actions.map(({ action, missing }) => [action, missing] as const)));
const shut = (claims: readonly string[]): Action[] =>
  [...missingOf(claims)].filter(([, missing]) => missing !== null).map(([action]) => action);

describe('the preview of a role', () => {
  it('allows nothing to a role that cannot sign in, and names what that needs', () => {
    const missing = missingOf(['user.get', 'role.get']);
    const signIn = { claims: ['customer.get_byid', 'customer.get_itself'], together: false };
    expect([...missing.values()]).toEqual([...missing.values()].map(() => signIn));
    expect(missingForSignIn(['customer.get_byid'])).toBeNull();
  });

  it('allows everything to a system administrator, and almost nothing to a role that can only sign in', () => {
    expect(shut(defaultClaims.SuperAdmin)).toEqual([]);
    const open = [...missingOf(signInClaims)].filter(([, missing]) => missing === null).map(([action]) => action);
    expect(open).toEqual([
      'patients',
      'imports',
      'imageOpen',
      'patientCreate',
      'studyCreate',
      'mountCreate',
      'templateCreate',
      'imageDetach',
      'imageMove',
      'studyMove',
      'studyDelete',
      'mountDelete',
    ]);
  });

  it('disables what a limiting claim forbids, and names it', () => {
    const missing = missingOf([...defaultClaims.CustomerAdmin, 'disable.delete_study', 'disable.move_view_set']);
    expect(missing.get('studyDelete')).toEqual({ claims: ['disable.delete_study'], together: false });
    expect(missing.get('imageMove')).toEqual({ claims: ['disable.move_view_set'], together: false });
    expect(missing.get('mountDelete')).toBeNull();
    expect(missing.get('imports')).toBeNull();
    const withoutStudies = missingOf([...defaultClaims.Doctor, 'disable.new_study']);
    expect(withoutStudies.get('imports')).toEqual({ claims: ['disable.new_study'], together: false });
    expect(missing.get('patientDelete')).toEqual({ claims: ['disable.delete_study'], together: false });
  });

  it('disables under each limit what it forbids, and nothing else', () => {
    const all = allClaims.filter((claim) => !isLimit(claim));
    const limits = allClaims.filter(isLimit);
    expect(limits).toHaveLength(12);
    expect(Object.fromEntries(limits.map((limit) => [limit, shut([...all, limit])]))).toEqual({
      // A claim of the interface without a function in this product.
      'disable.acquisition_settings': [],
      'disable.delete_study': ['patientDelete', 'studyDelete'],
      'disable.delete_view_set': ['mountDelete'],
      'disable.detach_image': ['imageDetach'],
      'disable.move_study': ['studyMove'],
      'disable.move_view_set': ['imageMove'],
      'disable.new_patient': ['patientCreate'],
      'disable.new_series': ['mountCreate'],
      'disable.new_study': ['imports', 'studyCreate'],
      'disable.new_template': ['templateCreate'],
      'disable.open': ['imageOpen'],
      'disable.settings': ['azure'],
    });
  });

  it('disables settings and merging under a limit, and the gallery without its tab', () => {
    const limited = missingOf([...defaultClaims.SuperAdmin, 'disable.settings', 'disable.move_study']);
    expect(limited.get('azure')).toEqual({ claims: ['disable.settings'], together: false });
    expect(limited.get('studyMove')).toEqual({ claims: ['disable.move_study'], together: false });
    expect(missingOf(signInClaims).get('gallery')).toEqual({ claims: ['user.get_any'], together: false });
    expect(missingOf(defaultClaims.Doctor).get('gallery')).toBeNull();
  });

  it('names the missing claim, or two when both are needed', () => {
    const missing = missingOf(defaultClaims.Doctor);
    expect(missing.get('ownUsers')).toEqual({ claims: ['user.get'], together: false });
    expect(missing.get('otherUsers')).toEqual({ claims: ['customer.get_byid', 'user.get'], together: true });
    expect(missing.get('roleDelete')).toEqual({ claims: ['role.delete'], together: false });
  });

  it('names claims that really allow the action', () => {
    for (const role of ['CustomerAdmin', 'Doctor'] as const)
      for (const [action, missing] of missingOf([...defaultClaims[role], ...allClaims.filter(isLimit)])) {
        if (!missing) continue;
        expect(missing.claims.length).toBeGreaterThan(0);
        const all = [...defaultClaims[role], ...allClaims.filter(isLimit)];
        const helped = [
          ...all.filter((claim) => !missing.claims.includes(claim)),
          ...missing.claims.filter((claim) => !isLimit(claim)),
        ];
        expect(missingOf(helped).get(action), action).toBeNull();
      }
  });

  it('shows the start page and header', () => {
    expect(landingSeenAs(defaultClaims.SuperAdmin)).toBe('clinics');
    expect(landingSeenAs(defaultClaims.CustomerAdmin)).toBe('ownUsers');
    expect(landingSeenAs(defaultClaims.Doctor)).toBe('patients');
    expect(headerSeenAs(defaultClaims.Doctor).inClinic).toMatchObject({
      patientTab: true,
      galleryTab: true,
      clinicTab: false,
      roles: false,
    });
    expect(headerSeenAs(defaultClaims.SuperAdmin).before.clinicsList).toBe(true);
  });
});

describe('claim check boxes', () => {
  it('mean "allowed", also for limiting claims', () => {
    expect(isAllowed(['user.get'], 'user.get')).toBe(true);
    expect(isAllowed([], 'disable.open')).toBe(true);
    expect(withAllowed([], 'disable.open', false)).toEqual(['disable.open']);
    expect(withAllowed(['disable.open', 'user.get'], 'disable.open', true)).toEqual(['user.get']);
    expect(countChanges(['user.get', 'disable.open'], ['role.get', 'user.get'])).toBe(2);
  });

  it('can be cleared and restored, but not granted without the own claim', () => {
    expect(canToggle([], ['user.get'], ['user.get'], 'user.get')).toBe(true);
    expect(canToggle([], ['user.get'], [], 'user.get')).toBe(true);
    expect(canToggle([], [], [], 'user.get')).toBe(false);
    expect(canToggle(['disable.open'], ['disable.open'], ['disable.open'], 'disable.open')).toBe(false);
    expect(canToggle(['disable.open'], [], ['disable.open'], 'disable.open')).toBe(true);
  });

  it("are copied as far as the user has them, with the user's limits", () => {
    expect(copied(['user.get', 'disable.open'], ['user.get', 'role.get', 'disable.settings'])).toEqual({
      claims: ['user.get', 'disable.settings', 'disable.open'],
      lost: 2,
    });
    expect(copied(['disable.open'], [])).toEqual({ claims: ['disable.open'], lost: 0 });
  });
});
