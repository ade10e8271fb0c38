import {
  annotation,
  type ImagePoint,
  type Mark,
  type Measurement,
  type StoredAnnotation,
} from '../../../contract/displays.ts';
import type { FrameMarks } from '../../../dicom/display-objects/model.ts';

type Graphic = FrameMarks['graphics'][number];
type Text = FrameMarks['texts'][number];

const polyline = (...points: ImagePoint[]): Graphic => ({ kind: 'polyline', points });

const closed = (points: readonly ImagePoint[]): Graphic => {
  const [first] = points;
  return polyline(...points, ...(first ? [first] : []));
};

/** The head of an arrow, of a fifth of its length. */
const arrowHead = ([x1, y1]: ImagePoint, [x2, y2]: ImagePoint): Graphic => {
  const length = Math.hypot(x2 - x1, y2 - y1) / 5;
  const angle = Math.atan2(y2 - y1, x2 - x1);
  const side = (turn: number): ImagePoint => [
    x2 - length * Math.cos(angle + turn),
    y2 - length * Math.sin(angle + turn),
  ];
  return polyline(side(Math.PI / 7), [x2, y2], side(-Math.PI / 7));
};

const corners = ([x1, y1]: ImagePoint, [x2, y2]: ImagePoint): ImagePoint[] => [
  [x1, y1],
  [x2, y1],
  [x2, y2],
  [x1, y2],
];

/** The ends of the longer axis, then of the other (PS3.3 C.10.5.1.2). */
const ellipse = ([x1, y1]: ImagePoint, [x2, y2]: ImagePoint): Graphic => {
  const [x, y] = [(x1 + x2) / 2, (y1 + y2) / 2];
  const across: ImagePoint[] = [
    [Math.min(x1, x2), y],
    [Math.max(x1, x2), y],
  ];
  const along: ImagePoint[] = [
    [x, Math.min(y1, y2)],
    [x, Math.max(y1, y2)],
  ];
  const isWide = Math.abs(x2 - x1) >= Math.abs(y2 - y1);
  return { kind: 'ellipse', points: isWide ? [...across, ...along] : [...along, ...across] };
};

const graphicsOf = (mark: Exclude<Mark, { kind: 'text' }>): Graphic[] => {
  switch (mark.kind) {
    case 'arrow':
      return [polyline(...mark.points), arrowHead(...mark.points)];
    case 'rectangle':
      return [closed(corners(...mark.points))];
    case 'ellipse':
      return [ellipse(...mark.points)];
    case 'area':
      return [closed(mark.points)];
    case 'lineAngle':
      return [polyline(mark.points[0], mark.points[1]), polyline(mark.points[2], mark.points[3])];
    case 'ratio':
      return [polyline(mark.points[0], mark.points[1]), polyline(mark.points[0], mark.points[2])];
    default:
      return [polyline(...mark.points)];
  }
};

const measured: readonly Mark['kind'][] = ['length', 'angle', 'polyline', 'lineAngle', 'ratio', 'profile', 'area'];

const framed = (frame: number, marks: readonly Mark[]): FrameMarks => ({
  frame,
  graphics: marks.flatMap((mark) => (mark.kind === 'text' ? [] : graphicsOf(mark))),
  texts: marks.flatMap((mark): Text[] => (mark.kind === 'text' ? [{ text: mark.text, at: mark.points[0] }] : [])),
});

/** Returns the graphics and texts of marks by frame, and whether some of them have numbers or are not known. */
export const markGraphics = (marks: readonly Measurement[], stored: readonly StoredAnnotation[]) => {
  const known = stored.map((one) => annotation.safeParse(one).data).filter((one) => one !== undefined);
  const all: readonly Mark[] = [...marks, ...known];
  return {
    marks: [...Map.groupBy(all, ({ frame }) => frame)].map(([frame, group]) => framed(frame, group)),
    hasValues: all.some(({ kind }) => measured.includes(kind)),
    hasUnknown: known.length < stored.length,
  };
};
