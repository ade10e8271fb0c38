import type { BufferImageSource } from 'pixi.js';
import type { LookupTable } from '../../../dicom/image-model.ts';
import type { TablePalette } from '../shaders/palette/uniforms.ts';
import type { WindowUniforms } from '../shaders/window/uniforms.ts';
import type { Gpu } from './gpu.ts';

/** Lookup tables of a display, by their names in the shaders. */
export type TableTextures = Readonly<Record<string, BufferImageSource>>;

interface Tables {
  /**
   * Acquires the tables of these uniforms and releases the previous ones; `unbind` is called before the release. Returns the same
   * object while the tables are the same.
   */
  readonly use: (uniforms: WindowUniforms, unbind: () => void) => TableTextures;
  readonly dispose: () => void;
}

/** Manages the lookup tables and the palette of one image. */
export const createTables = ({ luts, palettes }: Gpu): Tables => {
  let modality: LookupTable | null = null;
  let voi: LookupTable | null = null;
  let palette: TablePalette | null = null;
  let textures: TableTextures = {};

  const exchange = (
    nextModality: LookupTable | null,
    nextVoi: LookupTable | null,
    nextPalette: TablePalette | null,
    unbind: () => void,
  ) => {
    if (nextModality === modality && nextVoi === voi && nextPalette === palette) return textures;
    const next = {
      ...(nextModality && { uModalityLut: luts.acquire(nextModality) }),
      ...(nextVoi && { uVoiLut: luts.acquire(nextVoi) }),
      ...(nextPalette && { uPalette: palettes.acquire(nextPalette) }),
    };
    unbind();
    if (modality) luts.release(modality);
    if (voi) luts.release(voi);
    if (palette) palettes.release(palette);
    modality = nextModality;
    voi = nextVoi;
    palette = nextPalette;
    textures = next;
    return textures;
  };

  return {
    use: (uniforms, unbind) =>
      exchange(
        uniforms.modality.kind === 'lut' ? uniforms.modality.lut : null,
        uniforms.voi.kind === 'lut' ? uniforms.voi.lut : null,
        uniforms.palette === 'grey' ? null : uniforms.palette,
        unbind,
      ),
    dispose: () => exchange(null, null, null, () => undefined),
  };
};
