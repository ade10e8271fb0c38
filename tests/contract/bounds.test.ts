import { describe, expect, it } from 'vitest';
import { bounded, dateOnly, dicomUid, isSearchable, password, recordVersion, uuid } from '../../contract/bounds.ts';
import { allClaims, defaultClaims, isClaim } from '../../contract/claims.ts';
import { pathOf } from '../../contract/route.ts';

describe('bounds', () => {
  it.each([
    ['an', false],
    ['ann', true],
    ['a b c', false],
    ['a bo', true],
    ['   ', false],
    ['19850214-1234', true],
  ])('search text "%s" is long enough: %s', (text, expected) => {
    expect(isSearchable(text)).toBe(expected);
  });

  it.each([
    ['Demo-2026!', true],
    ['Åäö-1a', true],
    ['demo-2026!', false],
    ['DEMO-2026!', false],
    ['Demo-demo', false],
    ['Demo20261', false],
    ['D-1a', false],
  ])('password "%s" holds: %s', (text, expected) => {
    expect(password.safeParse(text).success).toBe(expected);
  });

  it('trims a name before checking its length', () => {
    expect(bounded('firstName').safeParse(' Å ').success).toBe(false);
    expect(bounded('firstName').parse(' Åsa ')).toBe('Åsa');
  });

  it.each([
    ['2024-02-29', true],
    ['2026-02-29', false],
    ['0001-01-01', true],
    ['0000-01-01', false],
    ['2026-1-1', false],
  ])('day %s: %s', (day, expected) => {
    expect(dateOnly.safeParse(day).success).toBe(expected);
  });

  it('reads an id in capitals as the id that the database has', () => {
    const id = '3f0a3c1e-6d0b-4d8e-9d55-0a6f6f6f6f6f';
    expect(uuid.parse(id.toUpperCase())).toBe(id);
  });

  it.each([
    [0, true],
    [2_147_483_646, true],
    [2_147_483_647, false],
    [-1, false],
    [1.5, false],
  ])('version %s: %s', (version, expected) => {
    expect(recordVersion.safeParse(version).success).toBe(expected);
  });

  it.each([
    ['1.2.840.10008.1.2', true],
    ['3.1', false],
    ['1.2.', false],
    [`1.${'2'.repeat(63)}`, false],
  ])('UID %s: %s', (uid, expected) => {
    expect(dicomUid.safeParse(uid).success).toBe(expected);
  });
});

describe('claims', () => {
  it('are identified by group and name', () => {
    expect(isClaim('user.get_any')).toBe(true);
    expect(isClaim('user.fly')).toBe(false);
    expect(isClaim('constructor.name')).toBe(false);
    expect(allClaims).toHaveLength(6 + 4 + 9 + 2 + 12);
  });

  it('of the built-in roles do not restrict an administrator', () => {
    expect(defaultClaims.SuperAdmin.some((name) => name.startsWith('disable.'))).toBe(false);
    expect(defaultClaims.Doctor).not.toContain('customer.get');
  });
});

describe('paths', () => {
  it('are filled and encoded', () => {
    expect(pathOf('/resource/patient/:id', { id: 'a/b' })).toBe('/resource/patient/a%2Fb');
    expect(() => pathOf('/resource/patient/:id')).toThrow('"id"');
  });
});
