import { describe, expect, it } from 'vitest';
import { allClaims, defaultClaims, isLimit } from '../../contract/claims.ts';
import { copied, countChanges, isAllowed, mayToggle, withAllowed } from '../../src/views/roles/rights.rules.ts';
import { barSeenAs, type Deed, landingSeenAs, seenAs } from '../../src/views/roles/see-as.rules.ts';

const lackingOf = (claims: readonly string[]) =>
  new Map(seenAs(claims).flatMap(({ deeds }) => deeds.map(({ deed, lacking }) => [deed, lacking] as const)));
const shut = (claims: readonly string[]): Deed[] =>
  [...lackingOf(claims)].filter(([, lacking]) => lacking !== null).map(([deed]) => deed);

describe('the product as a role sees it', () => {
  it('shuts nothing to a system administrator, and nearly everything to nobody’s rights', () => {
    expect(shut(defaultClaims.SuperAdmin)).toEqual([]);
    const open = [...lackingOf([])].filter(([, lacking]) => lacking === null).map(([deed]) => deed);
    expect(open).toEqual([
      ...['patients', 'imports', 'imageOpen', 'patientCreate', 'studyCreate', 'mountCreate', 'templateCreate'],
      ...['imageDetach', 'imageMove', 'studyMove', 'studyDelete', 'mountDelete'],
    ]);
  });

  it('shuts what a limit takes away, and names it', () => {
    const lacking = lackingOf([...defaultClaims.CustomerAdmin, 'disable.delete_study', 'disable.move_view_set']);
    expect(lacking.get('studyDelete')).toEqual({ claims: ['disable.delete_study'], together: false });
    expect(lacking.get('imageMove')).toEqual({ claims: ['disable.move_view_set'], together: false });
    expect(lacking.get('mountDelete')).toBeNull();
    expect(lacking.get('patientDelete')).toEqual({ claims: ['disable.delete_study'], together: false });
  });

  it('shuts the settings and the merging of patients where a limit names them, and the gallery where no tab leads there', () => {
    const limited = lackingOf([...defaultClaims.SuperAdmin, 'disable.settings', 'disable.move_study']);
    expect(limited.get('azure')).toEqual({ claims: ['disable.settings'], together: false });
    expect(limited.get('studyMove')).toEqual({ claims: ['disable.move_study'], together: false });
    expect(lackingOf([]).get('gallery')).toEqual({ claims: ['user.get_any'], together: false });
    expect(lackingOf(defaultClaims.Doctor).get('gallery')).toBeNull();
  });

  it('names the right that is missing, or two where it takes both', () => {
    const lacking = lackingOf(defaultClaims.Doctor);
    expect(lacking.get('ownPeople')).toEqual({ claims: ['user.get'], together: false });
    expect(lacking.get('otherPeople')).toEqual({ claims: ['customer.get_byid', 'user.get'], together: true });
    expect(lacking.get('roleDelete')).toEqual({ claims: ['role.delete'], together: false });
  });

  it('says the truth of what would help: with those claims it is open', () => {
    for (const role of ['CustomerAdmin', 'Doctor'] as const)
      for (const [deed, lacking] of lackingOf([...defaultClaims[role], ...allClaims.filter(isLimit)])) {
        if (!lacking) continue;
        expect(lacking.claims.length).toBeGreaterThan(0);
        const all = [...defaultClaims[role], ...allClaims.filter(isLimit)];
        const helped = [
          ...all.filter((claim) => !lacking.claims.includes(claim)),
          ...lacking.claims.filter((claim) => !isLimit(claim)),
        ];
        expect(lackingOf(helped).get(deed), deed).toBeNull();
      }
  });

  it('begins where they begin, under what stands at the top of their pages', () => {
    expect(landingSeenAs(defaultClaims.SuperAdmin)).toBe('clinics');
    expect(landingSeenAs(defaultClaims.CustomerAdmin)).toBe('ownPeople');
    expect(landingSeenAs(defaultClaims.Doctor)).toBe('patients');
    expect(barSeenAs(defaultClaims.Doctor).inClinic).toMatchObject({
      patientTab: true,
      galleryTab: true,
      clinicTab: false,
      roles: false,
    });
    expect(barSeenAs(defaultClaims.SuperAdmin).before.clinicsList).toBe(true);
  });
});

describe('ticks', () => {
  it('mean "may", also for what takes something away', () => {
    expect(isAllowed(['user.get'], 'user.get')).toBe(true);
    expect(isAllowed([], 'disable.open')).toBe(true);
    expect(withAllowed([], 'disable.open', false)).toEqual(['disable.open']);
    expect(withAllowed(['disable.open', 'user.get'], 'disable.open', true)).toEqual(['user.get']);
    expect(countChanges(['user.get', 'disable.open'], ['role.get', 'user.get'])).toBe(2);
  });

  it('are free to take, and to give back, but not to give what one lacks', () => {
    expect(mayToggle([], ['user.get'], ['user.get'], 'user.get')).toBe(true);
    expect(mayToggle([], ['user.get'], [], 'user.get')).toBe(true);
    expect(mayToggle([], [], [], 'user.get')).toBe(false);
    expect(mayToggle(['disable.open'], ['disable.open'], ['disable.open'], 'disable.open')).toBe(false);
    expect(mayToggle(['disable.open'], [], ['disable.open'], 'disable.open')).toBe(true);
  });

  it('are copied as far as the copier has them, with the limits that they are under', () => {
    expect(copied(['user.get', 'disable.open'], ['user.get', 'role.get', 'disable.settings'])).toEqual({
      claims: ['user.get', 'disable.settings', 'disable.open'],
      lost: 2,
    });
    expect(copied(['disable.open'], [])).toEqual({ claims: ['disable.open'], lost: 0 });
  });
});
