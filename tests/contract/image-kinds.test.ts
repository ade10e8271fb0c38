import { expect, it } from 'vitest';
import { imageKindOf } from '../../contract/image-kinds.ts';
import { allTeeth, jawOf, permanentRows, sideOf } from '../../contract/teeth.ts';

it.each([
  ['IO', [17, 16, 47, 46], 'bitewing'],
  ['CR', [24, 25, 34, 35], 'bitewing'],
  ['IO', [17, 16], 'periapical'],
  ['IO', [11, 21], 'periapical'],
  ['DX', [85, 84], 'periapical'],
  // An anterior bitewing crosses the midline.
  ['IO', [11, 21, 41, 31], 'bitewing'],
  ['DX', [18, 28, 38, 48], 'panoramic'],
  ['PX', [], 'panoramic'],
  ['PX', [36], 'panoramic'],
  ['XC', [11], 'photograph'],
  ['CT', [36], 'slice'],
  ['IO', [], 'intraoral'],
  ['DX', [], 'other'],
])('%s of the teeth %j is %s', (modality, teeth, kind) => {
  expect(imageKindOf(modality, teeth)).toBe(kind);
});

it('knows jaw and side of every tooth as rows and columns of the chart do', () => {
  const [upper = [], lower = []] = permanentRows;
  expect(upper.every((tooth) => jawOf(tooth) === 'upper')).toBe(true);
  expect(lower.every((tooth) => jawOf(tooth) === 'lower')).toBe(true);
  for (const row of permanentRows) {
    expect(row.slice(0, 8).map(sideOf)).toEqual(Array(8).fill('R'));
    expect(row.slice(8).map(sideOf)).toEqual(Array(8).fill('L'));
  }
  expect(allTeeth.filter((tooth) => jawOf(tooth) === 'upper')).toHaveLength(26);
  expect(allTeeth.filter((tooth) => sideOf(tooth) === 'L')).toHaveLength(26);
  expect([55, 65, 75, 85].map((tooth) => [jawOf(tooth), sideOf(tooth)])).toEqual([
    ['upper', 'R'],
    ['upper', 'L'],
    ['lower', 'L'],
    ['lower', 'R'],
  ]);
});
