import type { Display } from '../../scene/scene.ts';
import { type Colour, fromOklch, lightnessOf } from './oklch.ts';

export const paletteEntries = 256;

export type TablePalette = Exclude<Display['palette'], 'grey'>;

/** Hue in degrees of black and of white, and chroma, in OKLCh. */
const paths: Readonly<Record<TablePalette, { readonly from: number; readonly to: number; readonly chroma: number }>> = {
  hot: { from: 20, to: 110, chroma: 0.25 },
  cool: { from: 290, to: 200, chroma: 0.25 },
  spectrum: { from: 315, to: 75, chroma: 0.3 },
  bone: { from: 255, to: 235, chroma: 0.035 },
};

const tables = new Map<TablePalette, Uint8Array>();

const build = (palette: TablePalette): Uint8Array => {
  const { from, to, chroma } = paths[palette];
  const table = new Uint8Array(paletteEntries * 4);
  for (let entry = 0; entry < paletteEntries; entry++) {
    const part = entry / (paletteEntries - 1);
    const colour: Colour = fromOklch(lightnessOf(part), chroma, from + (to - from) * part);
    table.set([...colour.map((channel) => Math.round(channel * 255)), 255], entry * 4);
  }
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
