import type { Raster } from '../raster.ts';
import type { Recipe } from '../recipe.ts';
import { drawIntraOral } from './intra-oral.ts';

/** White to black and back, for receptors that store dark where dense. */
const inverted = (pixels: Uint16Array, maximum: number): Uint16Array => pixels.map((value) => maximum - value);

/** The pixels of a recipe. */
export const drawRaster = (recipe: Recipe): Raster => {
  const { columns, rows } = recipe;
  switch (recipe.kind) {
    case 'intra-oral': {
      const bright = drawIntraOral(recipe);
      const pixels = recipe.photometric === 'MONOCHROME1' ? inverted(bright, 4095) : bright;
      return { kind: 'grey', columns, rows, pixels, bitsStored: 12 };
    }
    default:
      throw new Error(`${recipe.kind} is not drawn yet`);
  }
};
