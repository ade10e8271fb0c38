import { expect, it } from 'vitest';
import { defaultClaims } from '../../contract/claims.ts';
import { headerOffers, missing, missingForPeople } from '../../src/views/page-rights.ts';

const [own, other] = ['own', 'other'];

it('names the first right that is missing', () => {
  expect(missing(['user.get'], 'user.get', 'customer.get')).toBe('customer.get');
  expect(missing(['user.get', 'customer.get'], 'user.get', 'customer.get')).toBeNull();
});

it('asks for another right at the people of the own clinic than at those of another', () => {
  const rights = ['user.get', 'customer.get_itself'];
  expect(missingForPeople(rights, own, own)).toBeNull();
  expect(missingForPeople(rights, other, own)).toBe('customer.get_byid');
  expect(missingForPeople(['user.get', 'customer.get_byid'], own, own)).toBe('customer.get_itself');
  expect(missingForPeople([], own, own)).toBe('user.get');
});

it('offers each of the three roles its own header', () => {
  const shown = (offers: ReturnType<typeof headerOffers>) =>
    Object.entries(offers)
      .filter(([, isOffered]) => isOffered)
      .map(([name]) => name);
  expect(shown(headerOffers(defaultClaims.SuperAdmin, null, null))).toEqual([
    ...['clinicsList', 'superAdministrators', 'roles', 'azure', 'log'],
  ]);
  expect(shown(headerOffers(defaultClaims.SuperAdmin, other, null))).toEqual([
    ...[
      'clinicTab',
      'patientTab',
      'galleryTab',
      'imports',
      'clinicChip',
      'superAdministrators',
      'roles',
      'azure',
      'log',
    ],
  ]);
  expect(shown(headerOffers(defaultClaims.CustomerAdmin, own, own))).toEqual([
    ...['clinicTab', 'patientTab', 'galleryTab', 'imports', 'clinicChip', 'roles', 'log'],
  ]);
  // Whoever may not see the people of the clinic is not led to them.
  expect(shown(headerOffers(defaultClaims.Doctor, own, own))).toEqual(['patientTab', 'galleryTab', 'imports']);
});

it('takes the settings of the program away from who is limited, and nothing else', () => {
  const offers = headerOffers(defaultClaims.SuperAdmin, null, null);
  expect(headerOffers([...defaultClaims.SuperAdmin, 'disable.settings'], null, null)).toEqual({
    ...offers,
    azure: false,
  });
});
