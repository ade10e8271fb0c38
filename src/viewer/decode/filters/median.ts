import { margin, type Plane, type RowFilter, rowStart } from './plane.ts';

/** Writes the sorted values of each column of `2 * radius + 1` pixels centred on a row to `sorted`, column after column. */
const sortColumns = ({ values, stride }: Plane, row: number, radius: number, sorted: Float32Array): void => {
  const size = 2 * radius + 1;
  const top = (row + margin - radius) * stride;
  for (let column = 0; column < stride; column++) {
    const base = column * size;
    for (let count = 0; count < size; count++) {
      const value = values[top + count * stride + column] ?? 0;
      let position = base + count;
      while (position > base && (sorted[position - 1] ?? 0) > value) {
        sorted[position] = sorted[position - 1] ?? 0;
        position--;
      }
      sorted[position] = value;
    }
  }
};

/** Returns the median filter of a square with a side of `2 * radius + 1` pixels. Columns are sorted once per row and merged up to the median for each pixel. */
const medianOf = (radius: 1 | 2): RowFilter => {
  const size = 2 * radius + 1;
  const middle = (size * size + 1) / 2;
  const heads = new Int32Array(size);
  let sorted = new Float32Array(0);
  return (plane, row, out) => {
    if (sorted.length !== plane.stride * size) sorted = new Float32Array(plane.stride * size);
    sortColumns(plane, row, radius, sorted);
    for (let column = 0; column < out.length; column++) {
      const first = (column + margin - radius) * size;
      for (let i = 0; i < size; i++) heads[i] = first + i * size;
      let value = 0;
      for (let count = 0; count < middle; count++) {
        let lowest = 0;
        value = Number.POSITIVE_INFINITY;
        for (let i = 0; i < size; i++) {
          const head = heads[i] ?? 0;
          const candidate = head < first + (i + 1) * size ? (sorted[head] ?? 0) : Number.POSITIVE_INFINITY;
          if (candidate < value) {
            value = candidate;
            lowest = i;
          }
        }
        heads[lowest] = (heads[lowest] ?? 0) + 1;
      }
      out[column] = value;
    }
  };
};

/** Returns the weighted mean of two filters; a null `first` is the unfiltered row, `weight` 1 the second alone. */
const blend = (first: RowFilter | null, second: RowFilter, weight: number): RowFilter => {
  let values = new Float32Array(0);
  return (plane, row, out) => {
    if (values.length !== out.length) values = new Float32Array(out.length);
    if (first) first(plane, row, out);
    else out.set(plane.values.subarray(rowStart(plane, row), rowStart(plane, row) + plane.width));
    second(plane, row, values);
    for (let column = 0; column < out.length; column++) {
      const value = out[column] ?? 0;
      out[column] = value + weight * ((values[column] ?? 0) - value);
    }
  };
};

/**
 * Returns a median filter with continuous strength: 0 is off, 0.5 the median of 3 x 3 pixels, 1 that of 5 x 5, interpolated in between.
 */
export const medianFilter = (strength: number): RowFilter => {
  if (strength === 0.5) return medianOf(1);
  if (strength >= 1) return medianOf(2);
  return strength < 0.5 ? blend(null, medianOf(1), 2 * strength) : blend(medianOf(1), medianOf(2), 2 * strength - 1);
};
