import type { Place } from '../../viewer/index.ts';

/**
 * Where pictures lie side by side: in that number of columns that lets them be seen largest. `aspects` are widths by heights of the pictures
 * as they are turned, `stage` that of the room they share. Places in fractions of the stage, row by row.
 */
export const compareGrid = (aspects: readonly number[], stage: number): readonly Place[] => {
  const count = aspects.length;
  const seenIn = (columns: number) => {
    const cell = { width: stage / columns, height: 1 / Math.ceil(count / columns) };
    return aspects
      .map((aspect) => {
        const height = Math.min(cell.height, cell.width / aspect);
        return height * height * aspect;
      })
      .reduce((sum, area) => sum + area, 0);
  };
  const columns = aspects
    .map((_, index) => index + 1)
    .reduce((best, next) => (seenIn(next) > seenIn(best) * 1.001 ? next : best), 1);
  const rows = Math.ceil(count / columns);
  return aspects.map((_, index) => ({
    x: (index % columns) / columns,
    y: Math.floor(index / columns) / rows,
    width: 1 / columns,
    height: 1 / rows,
  }));
};
