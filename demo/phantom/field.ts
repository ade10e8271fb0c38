/** Attenuation along the beam, sampled at the resolution of a sensor rather than at its pixel count. */
export interface Field {
  readonly width: number;
  readonly height: number;
  readonly mmPerSample: number;
  /** Line integral of attenuation, in units where 1 mm of dentine counts 1. */
  readonly absorption: Float32Array;
  /** 1 inside a root: for the periodontal space around it. */
  readonly roots: Uint8Array;
  /** Fraction of the jaw's thickness that a root occupies, 0..1. */
  readonly cover: Float32Array;
}

export const fieldOf = (widthMm: number, heightMm: number, mmPerSample: number): Field => {
  const width = Math.ceil(widthMm / mmPerSample) + 1;
  const height = Math.ceil(heightMm / mmPerSample) + 1;
  const size = width * height;
  return {
    width,
    height,
    mmPerSample,
    absorption: new Float32Array(size),
    roots: new Uint8Array(size),
    cover: new Float32Array(size),
  };
};

/** Softens the field by a quarter, half, quarter of each neighbour: focal spot and screen (geometric unsharpness). */
export const soften = (field: Field): void => {
  const { width, height, absorption } = field;
  const line = new Float32Array(width);
  for (let row = 0; row < height; row++) {
    const start = row * width;
    for (let column = 0; column < width; column++) {
      const here = absorption[start + column] ?? 0;
      line[column] =
        (absorption[start + Math.max(0, column - 1)] ?? 0) * 0.25 +
        here * 0.5 +
        (absorption[start + Math.min(width - 1, column + 1)] ?? 0) * 0.25;
    }
    absorption.set(line, start);
  }
  const above = absorption.slice(0, width);
  for (let row = 1; row < height - 1; row++) {
    const start = row * width;
    for (let column = 0; column < width; column++) {
      const here = absorption[start + column] ?? 0;
      absorption[start + column] =
        (above[column] ?? 0) * 0.25 + here * 0.5 + (absorption[start + width + column] ?? 0) * 0.25;
      above[column] = here;
    }
  }
};
