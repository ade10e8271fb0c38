import type { Display } from '../../scene/scene.ts';
import { paletteEntries, paletteTable } from './uniforms.ts';

/** A grey (0 to 1) as red, green and blue (0 to 1 each). palette.glsl in TypeScript. */
export const coloured = (grey: number, palette: Display['palette']): readonly [number, number, number] => {
  if (palette === 'grey') return [grey, grey, grey];
  const table = paletteTable(palette);
  const at = Math.min(1, Math.max(0, grey)) * (paletteEntries - 1);
  const below = Math.min(Math.floor(at), paletteEntries - 2);
  const channel = (index: number) => {
    const one = table[below * 4 + index] ?? 0;
    const other = table[below * 4 + 4 + index] ?? 0;
    return (one + (other - one) * (at - below)) / 255;
  };
  return [channel(0), channel(1), channel(2)];
};
