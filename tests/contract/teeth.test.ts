import { describe, expect, it } from 'vitest';
import { allTeeth, fromWireTooth, toWireTooth, wireQuadrants } from '../../contract/teeth.ts';

describe('teeth', () => {
  it('are 32 permanent and 20 deciduous ones', () => {
    expect(allTeeth).toHaveLength(52);
    expect(new Set(allTeeth).size).toBe(52);
  });

  it.each(allTeeth.map((iso) => [iso]))('%i survives the way to the wire and back', (iso) => {
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

  it.each([0, 9, 19, 49, 56, 90, 99, 1.5])('refuse %d', (number) => {
    expect(() => toWireTooth(number)).toThrow(RangeError);
  });

  it('refuse a wire code that is no tooth', () => {
    expect(() => fromWireTooth({ quadrant: 1, position: 9, deciduous: false })).toThrow(RangeError);
    expect(() => fromWireTooth({ quadrant: 2, position: 6, deciduous: true })).toThrow(RangeError);
  });
});
