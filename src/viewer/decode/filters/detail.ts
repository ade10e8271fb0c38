import { type RowFilter, rowStart } from './plane.ts';

/** Binomial smoothing kernel over 5 x 5 pixels (1 4 6 4 1). */
const smoothedRow: RowFilter = (plane, row, out) => {
  const { values, stride, width } = plane;
  const start = rowStart(plane, row);
  const column = (at: number) =>
    (values[at - 2 * stride] ?? 0) +
    4 * (values[at - stride] ?? 0) +
    6 * (values[at] ?? 0) +
    4 * (values[at + stride] ?? 0) +
    (values[at + 2 * stride] ?? 0);
  let a = column(start - 2);
  let b = column(start - 1);
  let c = column(start);
  let d = column(start + 1);
  for (let at = 0; at < width; at++) {
    const e = column(start + at + 2);
    out[at] = (a + 4 * b + 6 * c + 4 * d + e) / 256;
    a = b;
    b = c;
    c = d;
    d = e;
  }
};

/** Above 0 unsharp masking: value + 2 x sharpness x (value - smoothed); below 0 a mix with the smoothed image, -1 is fully smoothed. */
export const detailFilter =
  (sharpness: number): RowFilter =>
  (plane, row, out) => {
    smoothedRow(plane, row, out);
    const start = rowStart(plane, row);
    const part = sharpness > 0 ? 1 + 2 * sharpness : 1 + sharpness;
    for (let column = 0; column < out.length; column++) {
      const smooth = out[column] ?? 0;
      out[column] = smooth + part * ((plane.values[start + column] ?? 0) - smooth);
    }
  };
