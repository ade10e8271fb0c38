import { isColour } from '../colour.ts';
import type { DecodedFrame, ImageDescription } from '../image-model.ts';
import { arrayLike } from '../stored-values.ts';

/** Pictures up to this longer side are not reduced, in image pixels. */
const maxUnreduced = 1280;
/** Maximum longer side of a reduced picture. */
const maxReduced = 1024;

/**
 * Image pixels along a side of the blocks of a reduced picture: 2, 4, ...; 1 when the picture is not reduced, because it is small, or because
 * means of its stored values are meaningless: palette indices, modality LUTs, masks of less than 8 bits.
 */
export const reductionFor = (description: ImageDescription): number => {
  const longSide = Math.max(description.rows, description.columns);
  const meaningless =
    description.palette !== null ||
    (!isColour(description) && description.modality.kind === 'lut') ||
    description.bitsStored < 8;
  if (longSide <= maxUnreduced || meaningless) return 1;
  let reduction = 2;
  while (Math.ceil(longSide / reduction) > maxReduced) reduction *= 2;
  return reduction;
};

type Padding = ImageDescription['padding'];

/**
 * The mean of each block of `reduction` by `reduction` pixels, smaller at the right and lower edges of its codestream; integers are rounded half up. Padding is
 * excluded from the mean: a block of padding keeps its first value, and a mean equal to a padding value is replaced by the first other value of the
 * block.
 */
export const reduced = (frame: DecodedFrame, reduction: number, padding: Padding): DecodedFrame => {
  const { pixels, samples, bits } = frame;
  const { rows: codedRows, columns: codedColumns } = frame.coded ?? frame;
  const rows = Math.ceil(frame.rows / reduction);
  const columns = Math.ceil(frame.columns / reduction);
  const whole = !(pixels instanceof Float32Array) && !(pixels instanceof Float64Array);
  const out = arrayLike(pixels, rows * columns * samples);
  const low = padding?.low ?? Number.POSITIVE_INFINITY;
  const high = padding?.high ?? Number.NEGATIVE_INFINITY;
  for (let row = 0, target = 0; row < rows; row++) {
    const top = row * reduction;
    const bottom = Math.min(codedRows, top + reduction);
    for (let column = 0; column < columns; column++) {
      const left = column * reduction;
      const right = Math.min(codedColumns, left + reduction);
      for (let sample = 0; sample < samples; sample++, target++) {
        let sum = 0;
        let count = 0;
        let first = pixels[(top * frame.columns + left) * samples + sample] ?? 0;
        for (let y = top; y < bottom; y++) {
          let at = (y * frame.columns + left) * samples + sample;
          for (let x = left; x < right; x++, at += samples) {
            const value = pixels[at] ?? 0;
            if (value >= low && value <= high) continue;
            if (count === 0) first = value;
            sum += value;
            count++;
          }
        }
        const mean = whole ? Math.floor(sum / count + 0.5) : sum / count;
        out[target] = count === 0 || (mean >= low && mean <= high) ? first : mean;
      }
    }
  }
  return { rows, columns, samples, bits, pixels: out };
};
