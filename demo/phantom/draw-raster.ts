import type { Raster } from '../raster.ts';
import type { CtRecipe, Recipe } from '../recipe.ts';
import { drawCephalometric } from './cephalometric.ts';
import { drawCtSlice } from './ct-slice.ts';
import { drawIntraOral } from './intra-oral.ts';
import { drawPanoramic } from './panoramic.ts';
import { drawPhotograph } from './photograph.ts';

/** Stored value of a CT image = Hounsfield units - intercept. */
export const CT_INTERCEPT = -1000;
/** Stored outside the circular field of view (Pixel Padding Value). */
export const CT_PADDING = -2000;

/** White to black and back, for receptors that store dark where dense. */
const inverted = (pixels: Uint16Array, maximum: number): Uint16Array => pixels.map((value) => maximum - value);

const storedHounsfield = (recipe: CtRecipe): Int16Array =>
  Int16Array.from(drawCtSlice(recipe), (value) =>
    Number.isNaN(value) ? CT_PADDING : Math.round(Math.max(-1024, Math.min(3071, value))) - CT_INTERCEPT,
  );

/** The pixels of a recipe, as its receptor stores them. */
export const drawRaster = (recipe: Recipe): Raster => {
  const { columns, rows } = recipe;
  switch (recipe.kind) {
    case 'intra-oral': {
      const bright = drawIntraOral(recipe);
      const pixels = recipe.photometric === 'MONOCHROME1' ? inverted(bright, 4095) : bright;
      return { kind: 'grey', columns, rows, pixels, bitsStored: 12 };
    }
    case 'panoramic':
      return { kind: 'grey', columns, rows, pixels: drawPanoramic(recipe), bitsStored: recipe.bitsStored };
    case 'cephalometric':
      return { kind: 'grey', columns, rows, pixels: drawCephalometric(recipe), bitsStored: 12 };
    case 'ct-slice':
      return { kind: 'grey', columns, rows, pixels: storedHounsfield(recipe), bitsStored: 16 };
    case 'photograph':
      return { kind: 'colour', columns, rows, pixels: drawPhotograph(recipe) };
  }
};
