import type { BufferImageSource } from 'pixi.js';
import type { LookupTable } from '../../../dicom/image-model.ts';
import type { TablePalette } from '../shaders/palette/uniforms.ts';
import type { WindowUniforms } from '../shaders/window/uniforms.ts';
import type { Gpu } from './gpu.ts';

/** The tables that a display goes through, as the shaders name them. */
export type TableTextures = Readonly<Record<string, BufferImageSource>>;

interface Tables {
  /**
   * Takes the tables of these uniforms and lets go of those before; `leave` is called first, to end their use. The same object as long
   * as they are the same.
   */
  readonly take: (uniforms: WindowUniforms, leave: () => void) => TableTextures;
  readonly dispose: () => void;
}

/** The lookup tables and the palette that one image is shown with. */
export const createTables = ({ luts, palettes }: Gpu): Tables => {
  let modality: LookupTable | null = null;
  let voi: LookupTable | null = null;
  let palette: TablePalette | null = null;
  let textures: TableTextures = {};

  const swap = (
    nextModality: LookupTable | null,
    nextVoi: LookupTable | null,
    nextPalette: TablePalette | null,
    leave: () => void,
  ) => {
    if (nextModality === modality && nextVoi === voi && nextPalette === palette) return textures;
    const next = {
      ...(nextModality && { uModalityLut: luts.hold(nextModality) }),
      ...(nextVoi && { uVoiLut: luts.hold(nextVoi) }),
      ...(nextPalette && { uPalette: palettes.hold(nextPalette) }),
    };
    leave();
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
    take: (uniforms, leave) =>
      swap(
        uniforms.modality.kind === 'lut' ? uniforms.modality.lut : null,
        uniforms.voi.kind === 'lut' ? uniforms.voi.lut : null,
        uniforms.palette === 'grey' ? null : uniforms.palette,
        leave,
      ),
    dispose: () => swap(null, null, null, () => undefined),
  };
};
