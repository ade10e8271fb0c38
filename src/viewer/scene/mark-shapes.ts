import type { MarkPoint } from './measure.ts';
import type { Mark, MarkTool } from './scene.ts';

/** What is drawn of a mark: lines in image points, of which a closed one ends at its start. */
export interface Outline {
  readonly lines: readonly (readonly MarkPoint[])[];
  readonly closed: boolean;
}

interface Shape {
  readonly kind: MarkTool;
  readonly points: readonly MarkPoint[];
}

/** Segments of an ellipse: at 1,000 pixels it is off by less than a third of a pixel. */
const ellipseSegments = 96;

const cornersOf = ([from, to]: readonly MarkPoint[]): readonly MarkPoint[] =>
  from && to ? [from, [to[0], from[1]], to, [from[0], to[1]]] : [];

const ellipseOf = ([from, to]: readonly MarkPoint[]): readonly MarkPoint[] => {
  if (!from || !to) return [];
  const centre = [(from[0] + to[0]) / 2, (from[1] + to[1]) / 2] as const;
  const radii = [(to[0] - from[0]) / 2, (to[1] - from[1]) / 2] as const;
  return Array.from({ length: ellipseSegments }, (_, index): MarkPoint => {
    const angle = (index / ellipseSegments) * 2 * Math.PI;
    return [centre[0] + radii[0] * Math.cos(angle), centre[1] + radii[1] * Math.sin(angle)];
  });
};

export const outlineOf = ({ kind, points }: Shape): Outline => {
  if (kind === 'rectangle') return { lines: [cornersOf(points)], closed: true };
  if (kind === 'ellipse') return { lines: [ellipseOf(points)], closed: true };
  if (kind === 'lineAngle') return { lines: [points.slice(0, 2), points.slice(2)], closed: false };
  if (kind === 'ratio') return { lines: [points.slice(0, 2), points.filter((_, index) => index !== 1)], closed: false };
  return { lines: [points], closed: kind === 'area' };
};

/** Returns the points of a mark that can be dragged. A freehand line is only moved as a whole. */
export const handlesOf = ({ kind, points }: Shape): readonly MarkPoint[] => {
  if (kind === 'rectangle' || kind === 'ellipse') return cornersOf(points);
  return kind === 'freehand' ? [] : points;
};

/** The number of points must be right for the kind. */
export const withPoints = (mark: Mark, points: readonly MarkPoint[]): Mark => ({ ...mark, points }) as Mark;

/** Returns the mark with one of its handles at a point. */
export const withHandle = (mark: Mark, handle: number, [x, y]: MarkPoint): Mark => {
  const [from, to] = mark.points;
  if ((mark.kind === 'rectangle' || mark.kind === 'ellipse') && from && to) {
    // Corners in the order of `cornersOf`: each shares a column with one stored corner and a row with one.
    const first: MarkPoint = [handle === 0 || handle === 3 ? x : from[0], handle < 2 ? y : from[1]];
    const second: MarkPoint = [handle === 1 || handle === 2 ? x : to[0], handle < 2 ? to[1] : y];
    return withPoints(mark, [first, second]);
  }
  return withPoints(
    mark,
    mark.points.map((own, index): MarkPoint => (index === handle ? [x, y] : own)),
  );
};

const within = (by: number, values: readonly number[], size: number): number =>
  Math.min(size - Math.max(...values), Math.max(-Math.min(...values), by));

/** Returns the mark moved by image pixels, as far as all of it stays inside the image. */
export const movedBy = (
  mark: Mark,
  by: { readonly x: number; readonly y: number },
  { width, height }: { readonly width: number; readonly height: number },
): Mark => {
  const points: readonly MarkPoint[] = mark.points;
  const right = within(
    by.x,
    points.map(([x]) => x),
    width,
  );
  const down = within(
    by.y,
    points.map(([, y]) => y),
    height,
  );
  return withPoints(
    mark,
    points.map(([x, y]): MarkPoint => [x + right, y + down]),
  );
};
