import { describe, expect, it } from 'vitest';
import {
  allTeeth,
  chartRows,
  deciduousRows,
  fromWireTooth,
  jawOf,
  permanentRows,
  permanentTeeth,
  type Sextant,
  sextantOf,
  sextants,
  successorOf,
  toothName,
  toothNotations,
  toothOf,
  toWireTooth,
  wireQuadrants,
} from '../../contract/teeth.ts';

describe('teeth', () => {
  it('are 32 permanent and 20 deciduous ones', () => {
    expect(allTeeth).toHaveLength(52);
    expect(new Set(allTeeth).size).toBe(52);
  });

  it.each(allTeeth.map((iso) => [iso]))('%i is decoded to itself after encoding', (iso) => {
    expect(fromWireTooth(toWireTooth(iso))).toBe(iso);
  });

  it('have a wire code that is not ISO 3950 in the lower jaw', () => {
    expect(toWireTooth(46)).toEqual({ quadrant: wireQuadrants.rl, position: 6, deciduous: false });
    expect(wireQuadrants.rl).toBe(3);
    expect(toWireTooth(36)).toEqual({ quadrant: wireQuadrants.ll, position: 6, deciduous: false });
    expect(toWireTooth(85)).toEqual({ quadrant: wireQuadrants.rl, position: 5, deciduous: true });
    expect(toWireTooth(11).quadrant).toBe(1);
    expect(toWireTooth(21).quadrant).toBe(2);
  });

  it.each([0, 9, 19, 49, 56, 90, 99, 1.5])('reject %d', (number) => {
    expect(() => toWireTooth(number)).toThrow(RangeError);
  });

  it('throw for an invalid wire code', () => {
    expect(() => fromWireTooth({ quadrant: 1, position: 9, deciduous: false })).toThrow(RangeError);
    expect(() => fromWireTooth({ quadrant: 2, position: 6, deciduous: true })).toThrow(RangeError);
  });
});

/** Rows as a dentist writes them, facing the patient: the patient's right at the left. Copied from a chart, not computed. */
const chart = {
  fdi: [
    '18 17 16 15 14 13 12 11 21 22 23 24 25 26 27 28',
    '48 47 46 45 44 43 42 41 31 32 33 34 35 36 37 38',
    '55 54 53 52 51 61 62 63 64 65',
    '85 84 83 82 81 71 72 73 74 75',
  ],
  universal: [
    '1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16',
    '32 31 30 29 28 27 26 25 24 23 22 21 20 19 18 17',
    'A B C D E F G H I J',
    'T S R Q P O N M L K',
  ],
  palmer: [
    '8┘ 7┘ 6┘ 5┘ 4┘ 3┘ 2┘ 1┘ └1 └2 └3 └4 └5 └6 └7 └8',
    '8┐ 7┐ 6┐ 5┐ 4┐ 3┐ 2┐ 1┐ ┌1 ┌2 ┌3 ┌4 ┌5 ┌6 ┌7 ┌8',
    'E┘ D┘ C┘ B┘ A┘ └A └B └C └D └E',
    'E┐ D┐ C┐ B┐ A┐ ┌A ┌B ┌C ┌D ┌E',
  ],
} as const;

describe('tooth notations', () => {
  const rows = [...permanentRows, ...deciduousRows];

  it('are charted as seen facing the patient, every tooth once', () => {
    expect(rows.map((row) => row.join(' '))).toEqual(chart.fdi);
    expect(new Set(rows.flat()).size).toBe(52);
  });

  describe.each(toothNotations)('%s', (notation) => {
    const expected = chart[notation].flatMap((row) => row.split(' '));

    it.each(rows.flat().map((iso, index) => [iso, expected[index] ?? '']))(
      'writes %i as %s, and reads it back',
      (iso, name) => {
        expect(toothName(iso, notation)).toBe(name);
        expect(toothOf(name, notation)).toBe(iso);
      },
    );

    it('throws for an invalid tooth', () => {
      for (const iso of [0, 19, 49, 56, 99]) expect(() => toothName(iso, notation)).toThrow(RangeError);
      for (const name of ['', '33X', 'Z', '99']) expect(() => toothOf(name, notation)).toThrow(RangeError);
    });
  });

  it('are case-insensitive', () => {
    expect(toothOf('a', 'universal')).toBe(55);
    expect(toothOf('e┘', 'palmer')).toBe(55);
  });
});

describe('the place of a tooth', () => {
  it('is that of its permanent successor, which for deciduous molars is a premolar', () => {
    expect([51, 53, 54, 55, 65, 75, 85].map(successorOf)).toEqual([11, 13, 14, 15, 25, 35, 45]);
    expect(permanentTeeth.map(successorOf)).toEqual(permanentTeeth);
  });

  it.each([
    ['upper-right', [18, 17, 16, 15, 14, 55, 54]],
    ['upper-front', [13, 12, 11, 21, 22, 23, 53, 52, 51, 61, 62, 63]],
    ['upper-left', [24, 25, 26, 27, 28, 64, 65]],
    ['lower-left', [34, 35, 36, 37, 38, 74, 75]],
    ['lower-front', [33, 32, 31, 41, 42, 43, 73, 72, 71, 81, 82, 83]],
    ['lower-right', [44, 45, 46, 47, 48, 84, 85]],
  ] as const satisfies [Sextant, number[]][])('has the sextant %s', (sextant, teeth) => {
    expect(allTeeth.filter((tooth) => sextantOf(tooth) === sextant).toSorted()).toEqual([...teeth].sort());
    expect(teeth.map(jawOf)).toEqual(teeth.map(() => sextant.split('-')[0]));
  });

  it('belongs to one of six sextants, and to one place of the chart', () => {
    expect(new Set(allTeeth.map(sextantOf))).toEqual(new Set(sextants));
    expect(chartRows.flat().toSorted()).toEqual([...allTeeth].sort());
    expect(chartRows.map((row) => row[0])).toEqual([18, 55, 85, 48]);
  });

  it.each([0, 19, 49, 56, 99])('is no place for %d', (number) => {
    for (const rule of [successorOf, jawOf, sextantOf]) expect(() => rule(number)).toThrow(RangeError);
  });
});
