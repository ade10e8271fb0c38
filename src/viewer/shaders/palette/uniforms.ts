import type { Display } from '../../scene/scene.ts';
import { fromOklch, lightnessOf, maxChroma } from './oklch.ts';

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

/** Radius in entries over which the chroma is smoothed. */
const radius = 18;

/** Returns the numbers within `radius` of an entry, itself included. */
const around = (numbers: readonly number[], entry: number) =>
  numbers.slice(Math.max(0, entry - radius), entry + radius + 1);

/**
 * Smooths the largest chroma inside sRGB: along the edge of the gamut a palette would have ridges that look like edges of the image.
 * The mean of local minima never exceeds the limit itself.
 */
const levelled = (maxima: readonly number[]): readonly number[] => {
  const minima = maxima.map((_, entry) => Math.min(...around(maxima, entry)));
  return minima.map((_, entry) => {
    const near = around(minima, entry);
    return near.reduce((sum, one) => sum + one, 0) / near.length;
  });
};

const build = (palette: TablePalette): Uint8Array => {
  const { from, to, chroma } = paths[palette];
  const stops = Array.from({ length: paletteEntries }, (_, entry) => {
    const part = entry / (paletteEntries - 1);
    return { lightness: lightnessOf(part), hue: from + (to - from) * part };
  });
  const chromas = levelled(stops.map(({ lightness, hue }) => Math.min(chroma, maxChroma(lightness, hue))));
  const table = new Uint8Array(paletteEntries * 4);
  stops.forEach(({ lightness, hue }, entry) => {
    const colour = fromOklch(lightness, chromas[entry] ?? 0, hue);
    table.set([...colour.map((channel) => Math.round(channel * 255)), 255], entry * 4);
  });
  return table;
};

/**
 * Returns the 256 colours of a palette from black to white (red, green, blue, 255). Each has the OKLab lightness of the grey that it
 * replaces, so that the order of brightness is preserved.
 */
export const paletteTable = (palette: TablePalette): Uint8Array => {
  const found = tables.get(palette) ?? build(palette);
  tables.set(palette, found);
  return found;
};
