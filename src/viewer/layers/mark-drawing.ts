import type { OverlayState } from '../gesture/overlay-store.ts';
import type { StageImage } from '../gesture/target.ts';
import { applied, imageToStage, type Point, type Rectangle } from '../scene/camera.ts';
import {
  type MarkPoint,
  measured,
  measuredText,
  measurementScaleOf,
  type StageTexts,
  widthsBetween,
} from '../scene/measure.ts';

/** One line with its text, in CSS pixels from the corner of the image rectangle. */
export interface MarkDrawing {
  readonly key: string;
  readonly kind: 'length' | 'angle' | 'calibrate' | 'region';
  readonly points: readonly Point[];
  readonly chosen: boolean;
  readonly text: string;
  /** Start of the text baseline. */
  readonly at: Point;
  /** Accessible name. */
  readonly name: string;
}

/** Drawings over one image; `box` in CSS pixels of the stage. */
export interface ImageMarks {
  readonly id: string;
  readonly box: Rectangle;
  readonly drawings: readonly MarkDrawing[];
}

export interface MarkWords {
  readonly words: StageTexts;
  readonly locale: string;
}

export const textHeight = 13;
/** Approximate maximum character width at `textHeight`. */
const characterWidth = 7.2;
const beside = 10;

/** Positions the text beside the last point, away from the line, or below it when there is no space; clamped to the rectangle. */
const textAt = (points: readonly Point[], text: string, { width, height }: Rectangle): Point => {
  const [before, last = { x: 0, y: 0 }] = points.slice(-2);
  const { x, y } = last;
  const length = text.length * characterWidth;
  const goesRight = !before || x >= before.x;
  const outside = goesRight ? x + beside : x - beside - length;
  const isBeside = outside >= 0 && outside + length <= width;
  const left = isBeside ? outside : x - length / 2;
  const below = y + beside + textHeight < height ? y + beside + textHeight : y - beside;
  return {
    x: Math.max(4, Math.min(left, width - length - 4)),
    y: Math.max(textHeight + 2, Math.min(isBeside ? y - beside / 2 : below, height - 6)),
  };
};

const cornersOf = ([left, top]: MarkPoint, [right, bottom]: MarkPoint): readonly MarkPoint[] => [
  [left, top],
  [right, top],
  [right, bottom],
  [left, bottom],
];

/** Returns the drawings of measurements, draft and region of one image; `ratio` is device pixels per CSS pixel. */
export const marksOf = (
  subject: StageImage,
  { draft, chosen, region }: OverlayState,
  ratio: number,
  { words, locale }: MarkWords,
): ImageMarks => {
  const { id, image, rectangle, marks, calibration } = subject;
  const toStage = imageToStage(subject.camera, rectangle, subject.orientation);
  const onScreen = ([x, y]: MarkPoint): Point => {
    const point = applied(toStage, { x, y });
    return { x: (point.x - rectangle.x) / ratio, y: (point.y - rectangle.y) / ratio };
  };
  const box = {
    x: rectangle.x / ratio,
    y: rectangle.y / ratio,
    width: rectangle.width / ratio,
    height: rectangle.height / ratio,
  };
  const yardstick = measurementScaleOf(image, calibration);
  const drawing = (
    key: string,
    kind: MarkDrawing['kind'],
    points: readonly MarkPoint[],
    isChosen: boolean,
    text: string,
  ): MarkDrawing => {
    const places = points.map(onScreen);
    const called = { length: words.length, angle: words.angle, calibrate: words.calibration, region: '' }[kind];
    return {
      key,
      kind,
      points: places,
      chosen: isChosen,
      text,
      at: textAt(places, text, box),
      name: text ? `${called}: ${text}` : called,
    };
  };

  const drawings = marks
    .filter(({ frame }) => frame === image.frame)
    .map((mark) => {
      const isChosen = chosen?.imageId === id && chosen.markId === mark.id;
      const text = measuredText(measured(mark, yardstick), words, locale);
      return drawing(mark.id, mark.kind, mark.points, isChosen, text);
    });
  if (draft?.imageId === id) drawings.push(drawing('draft', draft.kind, draft.points, true, draftText()));
  if (region?.imageId === id) drawings.push(drawing('region', 'region', cornersOf(region.from, region.to), false, ''));
  return { id, box, drawings };

  function draftText(): string {
    const [first, second, third] = draft?.points ?? [];
    if (!draft || !first || !second) return '';
    if (draft.kind === 'calibrate') {
      const value = widthsBetween(first, second, image.pixelAspect);
      return measuredText({ value, unit: 'px', spacingSource: 'patient' }, words, locale);
    }
    if (draft.kind === 'length')
      return measuredText(measured({ kind: 'length', points: [first, second] }, yardstick), words, locale);
    return third
      ? measuredText(measured({ kind: 'angle', points: [first, second, third] }, yardstick), words, locale)
      : '';
  }
};
