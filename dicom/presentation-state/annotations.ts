import type { DataSet } from '../data-set.ts';
import { tags } from '../tags.ts';
import type { Frames, StateAnnotation, StateGraphic, StatePoint, StateText } from './model.ts';
import { partIsFor } from './references.ts';
import { colourOfCieLab, colourOfPValue, colourOfRgb } from './state-colour.ts';

/** Converts two coordinates of the file with their units to image pixels. */
export type ToImage = (at: StatePoint, frames: Frames) => StatePoint;

/** More than any state of a real image has, so that a file cannot stop the page. */
const maxObjects = 2000;
const maxPoints = 100_000;

const kinds = {
  POINT: { kind: 'point', least: 1 },
  POLYLINE: { kind: 'polyline', least: 2 },
  INTERPOLATED: { kind: 'curve', least: 2 },
  CIRCLE: { kind: 'circle', least: 2 },
  ELLIPSE: { kind: 'ellipse', least: 4 },
} as const;

type UnitsOf = (item: DataSet, tag: number) => ((at: StatePoint) => StatePoint) | null;

const graphicOf = (item: DataSet, unitsOf: UnitsOf): StateGraphic | null => {
  const type = item.code(tags.graphicType);
  const convert = unitsOf(item, tags.graphicUnits);
  if (type === null || !(type in kinds) || !convert) return null;
  const { kind, least } = kinds[type as keyof typeof kinds];
  const data = item.numbers(tags.graphicData, 'FL');
  const points = Array.from({ length: Math.floor(data.length / 2) }, (_, index) =>
    convert([data[index * 2] ?? Number.NaN, data[index * 2 + 1] ?? Number.NaN]),
  );
  if (points.length < least || !points.flat().every(Number.isFinite)) return null;
  return { kind, points, filled: item.code(tags.graphicFilled) === 'Y' };
};

const pointOf = (item: DataSet, tag: number, convert: ((at: StatePoint) => StatePoint) | null): StatePoint | null => {
  const [x, y] = item.numbers(tag, 'FL');
  return convert && x !== undefined && y !== undefined && Number.isFinite(x + y) ? convert([x, y]) : null;
};

const textOf = (item: DataSet, unitsOf: UnitsOf): StateText | null => {
  const text = item.text(tags.unformattedText)?.replace(/\r\n?/g, '\n') ?? null;
  const boxUnits = unitsOf(item, tags.boundingBoxUnits);
  const from = pointOf(item, tags.boundingBoxTopLeft, boxUnits);
  const to = pointOf(item, tags.boundingBoxBottomRight, boxUnits);
  const anchor = pointOf(item, tags.anchorPoint, unitsOf(item, tags.anchorPointUnits));
  const box = from && to ? ([from, to] satisfies StateText['box']) : null;
  if (text === null || (!box && !anchor)) return null;
  const justification = item.code(tags.boundingBoxJustification);
  const align = justification === 'RIGHT' ? 'right' : justification === 'CENTER' ? 'center' : 'left';
  return { text, box, align, anchor, isAnchored: item.code(tags.anchorPointVisibility) === 'Y' };
};

interface Layer {
  readonly order: number;
  readonly colour: string | null;
}

const layersOf = (dataSet: DataSet): ReadonlyMap<string, Layer> =>
  new Map(
    dataSet.sequence(tags.graphicLayerSequence).map((item) => {
      const grey = item.number(tags.graphicLayerGrey, 'US');
      const colour =
        colourOfCieLab(item.numbers(tags.graphicLayerCieLab, 'US')) ??
        colourOfRgb(item.numbers(tags.graphicLayerRgb, 'US')) ??
        (grey === null ? null : colourOfPValue(grey));
      return [item.code(tags.graphicLayer) ?? '', { order: item.number(tags.graphicLayerOrder, 'IS') ?? 0, colour }];
    }),
  );

const annotationOf = (item: DataSet, frames: Frames, colour: string | null, toImage: ToImage) => {
  const unitsOf: UnitsOf = (object, tag) => {
    const units = object.code(tag);
    if (units === 'PIXEL') return (at) => at;
    return units === 'DISPLAY' ? (at) => toImage(at, frames) : null;
  };
  const graphicItems = item.sequence(tags.graphicObjectSequence);
  const textItems = item.sequence(tags.textObjectSequence);
  const graphics = graphicItems.map((one) => graphicOf(one, unitsOf)).filter((one) => one !== null);
  const texts = textItems.map((one) => textOf(one, unitsOf)).filter((one) => one !== null);
  const isComplete =
    graphics.length === graphicItems.length &&
    texts.length === textItems.length &&
    !item.has(tags.compoundGraphicSequence);
  return { annotation: { frames, colour, graphics, texts }, isComplete };
};

/**
 * Reads the annotations that are for an image, those of the lowest layer first (PS3.3 C.10.5, C.10.7). `isComplete` false when one cannot
 * be shown.
 */
export const readAnnotations = (dataSet: DataSet, sopInstanceUid: string, toImage: ToImage) => {
  const layers = layersOf(dataSet);
  const annotations: { readonly order: number; readonly annotation: StateAnnotation }[] = [];
  let isComplete = true;
  let objects = 0;
  let points = 0;
  for (const item of dataSet.sequence(tags.graphicAnnotationSequence)) {
    const place = partIsFor(item, sopInstanceUid);
    if (!place) continue;
    const layer = layers.get(item.code(tags.graphicLayer) ?? '');
    const read = annotationOf(item, place.frames, layer?.colour ?? null, toImage);
    const { graphics, texts } = read.annotation;
    objects += graphics.length + texts.length;
    points += graphics.reduce((sum, one) => sum + one.points.length, 0);
    const fits = objects <= maxObjects && points <= maxPoints;
    if (fits) annotations.push({ order: layer?.order ?? 0, annotation: read.annotation });
    isComplete &&= read.isComplete && fits;
  }
  const ordered = annotations.toSorted((one, other) => one.order - other.order);
  return { annotations: ordered.map(({ annotation }) => annotation), isComplete };
};
