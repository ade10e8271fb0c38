import type { MarkPoint } from './measure.ts';
import type { Mark } from './scene.ts';

const samePoints = (one: readonly MarkPoint[], other: readonly MarkPoint[]): boolean =>
  one.length === other.length &&
  one.every(([x, y], index) => {
    const point = other[index];
    return point !== undefined && point[0] === x && point[1] === y;
  });

export const sameMarks = (one: readonly Mark[], other: readonly Mark[]): boolean =>
  one === other ||
  (one.length === other.length &&
    one.every((mark, index) => {
      const twin = other[index];
      return (
        twin !== undefined &&
        twin.id === mark.id &&
        twin.kind === mark.kind &&
        twin.frame === mark.frame &&
        samePoints(mark.points, twin.points) &&
        (mark.kind === 'text' && twin.kind === 'text' ? mark.text === twin.text : true)
      );
    }));
