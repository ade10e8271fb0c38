import { expect, it } from 'vitest';
import { defaultClaims } from '../../contract/claims.ts';
import { headerOffers, missingClaim, missingUsersClaim } from '../../src/views/app/rights.ts';

const [own, other] = ['own', 'other'];

it('names the first right that is missing', () => {
  expect(missingClaim(['user.get'], 'user.get', 'customer.get')).toBe('customer.get');
  expect(missingClaim(['user.get', 'customer.get'], 'user.get', 'customer.get')).toBeNull();
});

it('requires different claims for the users of the own and of other clinics', () => {
  const rights = ['user.get', 'customer.get_itself'];
  expect(missingUsersClaim(rights, own, own)).toBeNull();
  expect(missingUsersClaim(rights, other, own)).toBe('customer.get_byid');
  expect(missingUsersClaim(['user.get', 'customer.get_byid'], own, own)).toBe('customer.get_itself');
  expect(missingUsersClaim([], own, own)).toBe('user.get');
});

it('shows each of the three roles its own header items', () => {
  const shown = (offers: ReturnType<typeof headerOffers>) =>
    Object.entries(offers)
      .filter(([, isOffered]) => isOffered)
      .map(([name]) => name);
  expect(shown(headerOffers(defaultClaims.SuperAdmin, null, null))).toEqual([
    'clinicsList',
    'superAdministrators',
    'roles',
    'azure',
    'log',
    'systemStatus',
    'damaged',
  ]);
  expect(shown(headerOffers(defaultClaims.SuperAdmin, other, null))).toEqual([
    'clinicTab',
    'patientTab',
    'galleryTab',
    'orders',
    'retention',
    'monitorCheck',
    'imports',
    'clinicChip',
    'superAdministrators',
    'roles',
    'azure',
    'log',
    'systemStatus',
    'damaged',
  ]);
  expect(shown(headerOffers(defaultClaims.CustomerAdmin, own, own))).toEqual([
    'clinicTab',
    'patientTab',
    'galleryTab',
    'orders',
    'retention',
    'monitorCheck',
    'imports',
    'clinicChip',
    'roles',
    'log',
    'damaged',
  ]);
  // Users who may not see the clinic's users get no tab for them.
  expect(shown(headerOffers(defaultClaims.Doctor, own, own))).toEqual([
    'patientTab',
    'galleryTab',
    'orders',
    'monitorCheck',
    'imports',
  ]);
});

it('hides only the settings from limited users', () => {
  const offers = headerOffers(defaultClaims.SuperAdmin, null, null);
  expect(headerOffers([...defaultClaims.SuperAdmin, 'disable.settings'], null, null)).toEqual({
    ...offers,
    azure: false,
  });
});
