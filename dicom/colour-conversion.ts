type Samples = Uint8Array | Uint16Array | Uint32Array;

/** Plane after plane to R G B R G B (Planar Configuration 1, PS3.3 C.7.6.3.1.3). */
export const interleavePlanes = <T extends Samples>(planes: T, pixels: number): T => {
  const out = planes.slice() as T;
  for (let plane = 0; plane < 3; plane++) {
    for (let index = 0; index < pixels; index++) out[index * 3 + plane] = planes[plane * pixels + index] ?? 0;
  }
  return out;
};

/** Native YBR_FULL_422: Y1 Y2 Cb Cr for each two pixels of a row; chroma belongs to the first of them. */
export const expand422 = (packed: Uint8Array, rows: number, columns: number): Uint8Array => {
  const out = new Uint8Array(rows * columns * 3);
  let at = 0;
  for (let row = 0; row < rows; row++) {
    for (let column = 0; column < columns; column += 2, at += 4) {
      for (let half = 0; half < 2 && column + half < columns; half++) {
        const target = (row * columns + column + half) * 3;
        out[target] = packed[at + half] ?? 0;
        out[target + 1] = packed[at + 2] ?? 0;
        out[target + 2] = packed[at + 3] ?? 0;
      }
    }
  }
  return out;
};

/** YBR_FULL to RGB in place (PS3.3 C.7.6.3.1.2, CCIR 601 with full range). */
export const ybrFullToRgb = (samples: Samples, bits: number): void => {
  const largest = 2 ** bits - 1;
  const middle = 2 ** (bits - 1);
  const clamped = (value: number) => (value < 0 ? 0 : value > largest ? largest : Math.round(value));
  for (let at = 0; at + 2 < samples.length; at += 3) {
    const y = samples[at] ?? 0;
    const cb = (samples[at + 1] ?? 0) - middle;
    const cr = (samples[at + 2] ?? 0) - middle;
    samples[at] = clamped(y + 1.402 * cr);
    samples[at + 1] = clamped(y - 0.344136 * cb - 0.714136 * cr);
    samples[at + 2] = clamped(y + 1.772 * cb);
  }
};
