import type { Display } from '../../scene/scene.ts';
import { fromOklch, largestChroma, lightnessOf } from './oklch.ts';

export const paletteEntries = 256;

export type TablePalette = Exclude<Display['palette'], 'grey'>;

/** Hue in degrees of black and of white, and chroma, in OKLCh. */
const paths: Readonly<Record<TablePalette, { readonly from: number; readonly to: number; readonly chroma: number }>> = {
  hot: { from: 20, to: 110, chroma: 0.25 },
  cool: { from: 290, to: 200, chroma: 0.25 },
  spectrum: { from: 315, to: 75, chroma: 0.25 },
  bone: { from: 255, to: 235, chroma: 0.035 },
};

const tables = new Map<TablePalette, Uint8Array>();

/** Entries each way over which the chroma is levelled. */
const reach = 18;

/** The numbers up to `reach` beside an entry, itself among them. */
const around = (numbers: readonly number[], entry: number) =>
  numbers.slice(Math.max(0, entry - reach), entry + reach + 1);

/**
 * No more colourful than sRGB can be, nor than its neighbours: along the edge of what sRGB can show a palette would have ridges that look
 * like edges of the picture. The mean of least numbers is never more than the number itself.
 */
const levelled = (most: readonly number[]): readonly number[] => {
  const least = most.map((_, entry) => Math.min(...around(most, entry)));
  return least.map((_, entry) => {
    const near = around(least, entry);
    return near.reduce((sum, one) => sum + one, 0) / near.length;
  });
};

const build = (palette: TablePalette): Uint8Array => {
  const { from, to, chroma } = paths[palette];
  const stops = Array.from({ length: paletteEntries }, (_, entry) => {
    const part = entry / (paletteEntries - 1);
    return { lightness: lightnessOf(part), hue: from + (to - from) * part };
  });
  const chromas = levelled(stops.map(({ lightness, hue }) => Math.min(chroma, largestChroma(lightness, hue))));
  const table = new Uint8Array(paletteEntries * 4);
  stops.forEach(({ lightness, hue }, entry) => {
    const colour = fromOklch(lightness, chromas[entry] ?? 0, hue);
    table.set([...colour.map((channel) => Math.round(channel * 255)), 255], entry * 4);
  });
  return table;
};

/**
 * The colours of a palette from black to white, 256 of red, green, blue and 255. Each is as light (OKLab) as the grey that it
 * stands for, so that what was brighter stays brighter; only its hue tells more.
 */
export const paletteTable = (palette: TablePalette): Uint8Array => {
  const found = tables.get(palette) ?? build(palette);
  tables.set(palette, found);
  return found;
};
