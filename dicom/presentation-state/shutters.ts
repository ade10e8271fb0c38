import type { DataSet } from '../data-set.ts';
import { tags } from '../tags.ts';
import { readBitmapShutter } from './bitmap-shutter.ts';
import type { ImageSize, StatePoint, StateShutter } from './model.ts';
import { colourOfCieLab, colourOfPValue } from './state-colour.ts';

/** Middle of a pixel that is named by row and column, from 1. */
const middle = (row: number, column: number): StatePoint => [column - 0.5, row - 0.5];

/** The pixels of the edges stay visible, so that edges 1 and Columns cover nothing. */
const rectangle = (dataSet: DataSet): StateShutter | null => {
  const edge = (tag: number) => dataSet.number(tag, 'IS');
  const [left, right] = [edge(tags.shutterLeftEdge), edge(tags.shutterRightEdge)];
  const [upper, lower] = [edge(tags.shutterUpperEdge), edge(tags.shutterLowerEdge)];
  if (left === null || right === null || upper === null || lower === null) return null;
  return { shape: 'rectangle', from: [left - 1, upper - 1], to: [right, lower] };
};

const circle = (dataSet: DataSet): StateShutter | null => {
  const [row, column] = dataSet.numbers(tags.centerOfCircularShutter, 'IS');
  const radius = dataSet.number(tags.radiusOfCircularShutter, 'IS');
  if (row === undefined || column === undefined || !Number.isFinite(row + column) || radius === null) return null;
  return { shape: 'circle', centre: middle(row, column), radius: radius + 0.5 };
};

const polygon = (dataSet: DataSet): StateShutter | null => {
  const vertices = dataSet.numbers(tags.verticesOfPolygonalShutter, 'IS');
  const points = Array.from({ length: Math.floor(vertices.length / 2) }, (_, index) =>
    middle(vertices[index * 2] ?? Number.NaN, vertices[index * 2 + 1] ?? Number.NaN),
  );
  if (points.length < 3 || !points.flat().every(Number.isFinite)) return null;
  return { shape: 'polygon', points };
};

const readers = { RECTANGULAR: rectangle, CIRCULAR: circle, POLYGONAL: polygon } as const;

/** Reads the display shutters (PS3.3 C.7.6.11, C.7.6.15) for an image. `isComplete` false when one cannot be read. */
export const readShutters = (dataSet: DataSet, image: ImageSize) => {
  const shapes = dataSet.codes(tags.shutterShape).filter((shape) => shape !== '');
  const { bitmap, isRead } = readBitmapShutter(dataSet, image);
  const read = shapes.map((shape) => (shape in readers ? readers[shape as keyof typeof readers](dataSet) : null));
  const shutters = read.filter((one) => one !== null);
  const colour =
    colourOfCieLab(dataSet.numbers(tags.shutterPresentationColor, 'US')) ??
    colourOfPValue(dataSet.number(tags.shutterPresentationValue, 'US') ?? 0);
  const bitmaps = isRead ? shapes.filter((shape) => shape === 'BITMAP').length : 0;
  return { shutters, bitmap, colour, isComplete: shutters.length + bitmaps === shapes.length };
};
