/** Larger than any sum of gains. */
const forbidden = 1e6;

/**
 * Returns the assignment of rows to columns with the greatest total gain (Kuhn-Munkres with potentials, after e-maxx: O(rows² · columns)).
 * `gain[row][column]` is null for a forbidden pair. Each column is used at most once; a row may stay unassigned.
 * @returns the column of each row, or null
 */
export const bestAssignment = (
  gain: readonly (readonly (number | null)[])[],
  columns: number,
): readonly (number | null)[] => {
  const rows = gain.length;
  // Each row gets a dummy column with zero gain, so that it stays unassigned rather than take a forbidden column.
  const width = columns + rows;
  const cost = (row: number, column: number): number => {
    if (column >= columns) return column - columns === row ? 0 : forbidden;
    const value = gain[row]?.[column] ?? null;
    return value === null ? forbidden : -value;
  };
  const at = (numbers: readonly number[], index: number): number => numbers[index] ?? 0;
  const rowPotential = Array<number>(rows + 1).fill(0);
  const columnPotential = Array<number>(width + 1).fill(0);
  /** Row (from 1) assigned to a column (from 1); 0: none. */
  const rowOf = Array<number>(width + 1).fill(0);
  const from = Array<number>(width + 1).fill(0);

  for (let row = 1; row <= rows; row += 1) {
    rowOf[0] = row;
    let column = 0;
    const least = Array<number>(width + 1).fill(Number.POSITIVE_INFINITY);
    const seen = Array<boolean>(width + 1).fill(false);
    do {
      seen[column] = true;
      const current = at(rowOf, column);
      let delta = Number.POSITIVE_INFINITY;
      let next = 0;
      for (let other = 1; other <= width; other += 1) {
        if (seen[other]) continue;
        const reduced = cost(current - 1, other - 1) - at(rowPotential, current) - at(columnPotential, other);
        if (reduced < at(least, other)) {
          least[other] = reduced;
          from[other] = column;
        }
        if (at(least, other) < delta) {
          delta = at(least, other);
          next = other;
        }
      }
      for (let other = 0; other <= width; other += 1) {
        if (seen[other]) {
          rowPotential[at(rowOf, other)] = at(rowPotential, at(rowOf, other)) + delta;
          columnPotential[other] = at(columnPotential, other) - delta;
        } else least[other] = at(least, other) - delta;
      }
      column = next;
    } while (at(rowOf, column) !== 0);
    while (column !== 0) {
      const previous = at(from, column);
      rowOf[column] = at(rowOf, previous);
      column = previous;
    }
  }

  const result = Array<number | null>(rows).fill(null);
  for (let column = 1; column <= columns; column += 1) {
    const row = at(rowOf, column);
    if (row > 0 && (gain[row - 1]?.[column - 1] ?? null) !== null) result[row - 1] = column - 1;
  }
  return result;
};
