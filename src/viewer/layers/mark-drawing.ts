import type { Draft, MarkReference, OverlayState } from '../gesture/overlay-store.ts';
import type { StageImage } from '../gesture/target.ts';
import { applied, imageToStage, type Point, type Rectangle } from '../scene/camera.ts';
import { handlesOf, outlineOf } from '../scene/mark-shapes.ts';
import { characterWidth, linesOf, textCorner, textHeight } from '../scene/mark-text.ts';
import {
  type MarkPoint,
  markText,
  measured,
  measuredText,
  measurementScaleOf,
  type StageTexts,
  widthsBetween,
} from '../scene/measure.ts';
import type { Mark, MarkTool } from '../scene/scene.ts';

/** One mark with its text, in CSS pixels from the corner of the image rectangle. */
export interface MarkDrawing {
  readonly key: string;
  readonly kind: MarkTool | 'region';
  /** Lines of points; closed ones end at their start. */
  readonly lines: readonly (readonly Point[])[];
  readonly closed: boolean;
  readonly handles: readonly Point[];
  /** The point that arrow keys move. */
  readonly cross: Point | null;
  readonly chosen: boolean;
  readonly textLines: readonly string[];
  /** Author and time, below the text; '' while it is not asked for. */
  readonly author: string;
  /** Start of the first text baseline. */
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

const beside = 10;
/** The ends of what is measured between a few points are always shown. */
const withEnds: readonly MarkDrawing['kind'][] = ['length', 'angle', 'calibrate', 'lineAngle', 'ratio', 'profile'];

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

/** Positions the text of a mark; a text mark has its top left corner at its point. */
const placeText = (
  kind: MarkDrawing['kind'],
  points: readonly Point[],
  lines: readonly string[],
  box: Rectangle,
): Point => {
  const [first] = points;
  if (kind !== 'text' || !first) return textAt(points, lines.join(''), box);
  const corner = textCorner(first, lines, box);
  return { x: corner.x, y: corner.y + textHeight };
};

/** Returns the drawings of marks, draft and region of one image; `ratio` is device pixels per CSS pixel. */
export const marksOf = (
  subject: StageImage,
  { draft, chosen, hovered, region }: OverlayState,
  ratio: number,
  { words, locale }: MarkWords,
): ImageMarks => {
  const { id, image, rectangle, marks, authorTexts, calibration } = subject;
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
  const scaleOf = (points: readonly MarkPoint[]) => measurementScaleOf(image, calibration, points);
  const drawing = (
    key: string,
    shape: { readonly kind: MarkTool; readonly points: readonly MarkPoint[] },
    isChosen: boolean,
    text: string,
    author = '',
  ): MarkDrawing => {
    const { kind } = shape;
    const { lines, closed } = outlineOf(shape);
    const handles = handlesOf(shape).map(onScreen);
    const textLines = kind === 'text' ? linesOf(text) : text === '' ? [] : [text];
    const called = words.kinds[kind];
    return {
      key,
      kind,
      lines: lines.map((line) => line.map(onScreen)),
      closed,
      handles: isChosen || withEnds.includes(kind) ? handles : [],
      cross: null,
      chosen: isChosen,
      textLines,
      author,
      at: placeText(kind, shape.points.map(onScreen), textLines, box),
      name: [text ? `${called}: ${text}` : called, author].filter(Boolean).join(', '),
    };
  };
  const isNamed = (mark: Mark, reference: MarkReference | null) =>
    reference?.imageId === id && reference.markId === mark.id;

  const drawings = marks
    .filter(({ frame, id: markId }) => frame === image.frame && draft?.changed?.markId !== markId)
    .map((mark) => {
      const isChosen = isNamed(mark, chosen);
      const author = isChosen || isNamed(mark, hovered) ? authorTexts[mark.id] : '';
      return drawing(mark.id, mark, isChosen, markText(mark, scaleOf(mark.points), words, locale), author);
    });
  if (draft?.imageId === id && !(draft.kind === 'text' && draft.done)) {
    const last = draft.byKeys && !draft.done ? draft.points.at(-1) : undefined;
    const drawn = drawing('draft', draft, true, draftText(draft));
    const cross = last ? onScreen(last) : null;
    // A handle would cover what is under the point.
    const handles = drawn.handles.filter(({ x, y }) => x !== cross?.x || y !== cross.y);
    drawings.push({ ...drawn, handles, cross });
  }
  if (region?.imageId === id) {
    const corners = outlineOf({ kind: 'rectangle', points: [region.from, region.to] });
    const lines = corners.lines.map((line) => line.map(onScreen));
    const texts = { textLines: [], author: '', at: { x: 0, y: 0 }, name: '' };
    drawings.push({
      key: 'region',
      kind: 'region',
      lines,
      closed: true,
      handles: [],
      cross: null,
      chosen: false,
      ...texts,
    });
  }
  return { id, box, drawings };

  function draftText({ kind, points }: Draft): string {
    const [first, second] = points;
    if (kind === 'calibrate' && first && second) {
      const value = widthsBetween(first, second, image.pixelAspect);
      return measuredText({ value, unit: 'px', spacingSource: 'patient' }, words, locale);
    }
    // The pointer holds the last point.
    if (kind === 'ratio' && points.length <= words.ratioPoints.length)
      return words.ratioPoints[points.length - 1] ?? '';
    const value = measured({ kind, points }, scaleOf(points));
    return value ? measuredText(value, words, locale) : '';
  }
};
