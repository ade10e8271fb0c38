import { describe, expect, test } from 'vitest';
import { palettes } from '../../contract/displays.ts';
import { type Colour, colourLightness, lightnessOf } from '../../src/viewer/shaders/palette/oklch.ts';
import { coloured } from '../../src/viewer/shaders/palette/reference.ts';

const greyValues = Array.from({ length: 256 }, (_, index) => index / 255);
const coloursOf = (palette: (typeof palettes)[number]): readonly Colour[] =>
  greyValues.map((grey) => coloured(grey, palette));

describe('palettes', () => {
  test('grey is the identity', () => {
    for (const grey of [0, 0.1234567, 0.5, 1]) expect(coloured(grey, 'grey')).toEqual([grey, grey, grey]);
  });

  test.each(palettes)(
    '%s begins with black, ends with white, and is as light as the grey that it replaces',
    (palette) => {
      const colours = coloursOf(palette);
      expect(colours[0]).toEqual([0, 0, 0]);
      for (const channel of colours.at(-1) ?? []) expect(channel).toBeCloseTo(1, 2);
      colours.forEach((colour, index) => {
        expect(Math.abs(colourLightness(colour) - lightnessOf(index / 255))).toBeLessThan(0.02);
      });
    },
  );

  test.each(palettes)('%s grows lighter with each grey value and has no steps', (palette) => {
    const colours = coloursOf(palette);
    for (let index = 8; index < colours.length; index++) {
      const [before, now] = [colours[index - 8], colours[index]];
      if (!before || !now) throw new Error('no colour');
      expect(colourLightness(now)).toBeGreaterThan(colourLightness(before));
      const step = Math.max(...now.map((channel, at) => Math.abs(channel - (before[at] ?? 0))));
      expect(step).toBeLessThan(0.3);
    }
  });

  test('all palettes differ', () => {
    const middles = palettes.map((palette) => coloured(0.5, palette));
    for (const [at, one] of middles.entries())
      for (const other of middles.slice(at + 1))
        expect(Math.max(...one.map((channel, index) => Math.abs(channel - (other[index] ?? 0))))).toBeGreaterThan(0.02);
  });

  test('colours are interpolated between entries', () => {
    const [below, between, above] = [100 / 255, 100.5 / 255, 101 / 255].map((grey) => coloured(grey, 'spectrum'));
    if (!below || !between || !above) throw new Error('no colour');
    for (const channel of [0, 1, 2] as const)
      expect(between[channel]).toBeCloseTo((below[channel] + above[channel]) / 2, 10);
  });
});
