import { margin, type Plane, type RowFilter, rowStart } from './plane.ts';

/** Returns the sorted values of each column of `2 * radius + 1` pixels about a row, one column after another. */
const sortedColumns = ({ values, stride }: Plane, row: number, radius: number, sorted: Float32Array): void => {
  const size = 2 * radius + 1;
  const top = (row + margin - radius) * stride;
  for (let column = 0; column < stride; column++) {
    const base = column * size;
    for (let taken = 0; taken < size; taken++) {
      const value = values[top + taken * stride + column] ?? 0;
      let place = base + taken;
      while (place > base && (sorted[place - 1] ?? 0) > value) {
        sorted[place] = sorted[place - 1] ?? 0;
        place--;
      }
      sorted[place] = value;
    }
  }
};

/** Median of `2 * radius + 1` pixels squared. Columns are sorted once per row; for each pixel they are merged up to the median. */
const medianOf = (radius: 1 | 2): RowFilter => {
  const size = 2 * radius + 1;
  const middle = (size * size + 1) / 2;
  const heads = new Int32Array(size);
  let sorted = new Float32Array(0);
  return (plane, row, out) => {
    if (sorted.length !== plane.stride * size) sorted = new Float32Array(plane.stride * size);
    sortedColumns(plane, row, radius, sorted);
    for (let column = 0; column < out.length; column++) {
      const first = (column + margin - radius) * size;
      for (let i = 0; i < size; i++) heads[i] = first + i * size;
      let value = 0;
      for (let taken = 0; taken < middle; taken++) {
        let lowest = 0;
        value = Number.POSITIVE_INFINITY;
        for (let i = 0; i < size; i++) {
          const head = heads[i] ?? 0;
          const here = head < first + (i + 1) * size ? (sorted[head] ?? 0) : Number.POSITIVE_INFINITY;
          if (here < value) {
            value = here;
            lowest = i;
          }
        }
        heads[lowest] = (heads[lowest] ?? 0) + 1;
      }
      out[column] = value;
    }
  };
};

/** Mixes two filters: 0 is the first alone, 1 the second alone. */
const mixed = (one: RowFilter | null, other: RowFilter, part: number): RowFilter => {
  let second = new Float32Array(0);
  return (plane, row, out) => {
    if (second.length !== out.length) second = new Float32Array(out.length);
    if (one) one(plane, row, out);
    else out.set(plane.values.subarray(rowStart(plane, row), rowStart(plane, row) + plane.width));
    other(plane, row, second);
    for (let column = 0; column < out.length; column++) {
      const own = out[column] ?? 0;
      out[column] = own + part * ((second[column] ?? 0) - own);
    }
  };
};

/**
 * Median filter with continuous strength: 0 is off, 0.5 the median of 3 x 3 pixels, 1 that of 5 x 5, interpolated in between.
 */
export const medianFilter = (strength: number): RowFilter => {
  if (strength === 0.5) return medianOf(1);
  if (strength >= 1) return medianOf(2);
  return strength < 0.5 ? mixed(null, medianOf(1), 2 * strength) : mixed(medianOf(1), medianOf(2), 2 * strength - 1);
};
