import type { ImagePoint } from '../../../contract/displays.ts';
import type {
  PresentationState,
  StateGraphic,
  StateShutter,
  StateText,
} from '../../../contract/presentation-states.ts';
import { type Affine, applied, imageToStage, type Point, type Rectangle } from '../scene/camera.ts';
import { lineHeight, textHeight } from '../scene/mark-text.ts';
import { isForFrame } from '../scene/presented-image.ts';
import { markStyle } from './mark-style.ts';
import { paintBitmapShutter } from './paint-bitmap-shutter.ts';
import type { PlacedPlanes } from './paint-planes.ts';

type Context = CanvasRenderingContext2D | OffscreenCanvasRenderingContext2D;

/** Sizes of lines and texts. */
export interface Lettering {
  /** Device pixels per CSS pixel. */
  readonly ratio: number;
  readonly fontFamily: string;
}

/** Neither the colour of marks nor a grey of the image. */
const plainColour = '#a9d6ff';
const filledAlpha = 0.35;
const ovalPoints = 96;
/** Width of an image in CSS pixels below which its texts cannot be read. */
const readableSide = 200;

type ToStage = (point: ImagePoint) => Point;

const polygon = (points: readonly Point[], isClosed = true): Path2D => {
  const path = new Path2D();
  for (const [index, { x, y }] of points.entries()) {
    if (index === 0) path.moveTo(x, y);
    else path.lineTo(x, y);
  }
  if (isClosed) path.closePath();
  return path;
};

const circle = ({ x, y }: Point, radius: number): Path2D => {
  const path = new Path2D();
  path.arc(x, y, radius, 0, 2 * Math.PI);
  return path;
};

const distance = (one: Point, other: Point): number => Math.hypot(one.x - other.x, one.y - other.y);

const shutterPath = (shutter: StateShutter, toStage: ToStage): Path2D => {
  if (shutter.shape === 'polygon') return polygon(shutter.points.map(toStage));
  if (shutter.shape === 'circle') {
    const { centre, radius } = shutter;
    return circle(toStage(centre), distance(toStage(centre), toStage([centre[0] + radius, centre[1]])));
  }
  const { from, to } = shutter;
  return polygon([toStage(from), toStage([to[0], from[1]]), toStage(to), toStage([from[0], to[1]])]);
};

/** A smooth line through points (Catmull-Rom); closed where it ends at its start. */
const curvePath = (points: readonly Point[]): Path2D => {
  const [start = { x: 0, y: 0 }] = points;
  const last = points.at(-1) ?? start;
  const isClosed = points.length > 3 && distance(start, last) === 0;
  const at = (index: number): Point => {
    if (index < 0) return (isClosed ? points.at(-2) : start) ?? start;
    return points[index] ?? (isClosed ? (points[1] ?? last) : last);
  };
  const path = new Path2D();
  path.moveTo(start.x, start.y);
  for (let index = 0; index + 1 < points.length; index++) {
    const [before, from, to, after] = [at(index - 1), at(index), at(index + 1), at(index + 2)];
    path.bezierCurveTo(
      from.x + (to.x - before.x) / 6,
      from.y + (to.y - before.y) / 6,
      to.x - (after.x - from.x) / 6,
      to.y - (after.y - from.y) / 6,
      to.x,
      to.y,
    );
  }
  return path;
};

/** The points are the ends of one axis, then of the other. */
const ellipsePath = (points: readonly Point[]): Path2D => {
  const [a = { x: 0, y: 0 }, b = a, c = a, d = c] = points;
  const centre = { x: (a.x + b.x) / 2, y: (a.y + b.y) / 2 };
  const outline = Array.from({ length: ovalPoints }, (_, index) => {
    const angle = (2 * Math.PI * index) / ovalPoints;
    const [cosine, sine] = [Math.cos(angle) / 2, Math.sin(angle) / 2];
    return {
      x: centre.x + (b.x - a.x) * cosine + (d.x - c.x) * sine,
      y: centre.y + (b.y - a.y) * cosine + (d.y - c.y) * sine,
    };
  });
  return polygon(outline);
};

const graphicPath = ({ kind, points }: StateGraphic, toStage: ToStage, ratio: number): Path2D => {
  const onStage = points.map(toStage);
  const [first = { x: 0, y: 0 }, second = first] = onStage;
  if (kind === 'point') return circle(first, markStyle.handleRadius * ratio);
  if (kind === 'circle') return circle(first, distance(first, second));
  if (kind === 'ellipse') return ellipsePath(onStage);
  return kind === 'curve' ? curvePath(onStage) : polygon(onStage, false);
};

/** A light colour has a dark outline, a dark one a light outline. */
const haloOf = (colour: string): string => {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => Number.parseInt(colour.slice(at, at + 2), 16));
  return red * 0.3 + green * 0.59 + blue * 0.11 < 80 ? 'rgba(255, 255, 255, 0.85)' : markStyle.halo;
};

const strokeTwice = (context: Context, path: Path2D, colour: string, ratio: number): void => {
  for (const [width, stroke] of [
    [markStyle.haloWidth, haloOf(colour)],
    [markStyle.lineWidth, colour],
  ] as const) {
    context.lineWidth = width * ratio;
    context.strokeStyle = stroke;
    context.stroke(path);
  }
};

const paintGraphic = (context: Context, graphic: StateGraphic, toStage: ToStage, colour: string, ratio: number) => {
  const path = graphicPath(graphic, toStage, ratio);
  if (graphic.filled || graphic.kind === 'point') {
    context.globalAlpha = graphic.kind === 'point' ? 1 : filledAlpha;
    context.fillStyle = colour;
    context.fill(path);
    context.globalAlpha = 1;
  }
  strokeTwice(context, path, colour, ratio);
};

/** The upright box of two opposite corners on the stage, whatever the rotation. */
const boxOf = ([from, to]: readonly [Point, Point]): Rectangle => ({
  x: Math.min(from.x, to.x),
  y: Math.min(from.y, to.y),
  width: Math.abs(to.x - from.x),
  height: Math.abs(to.y - from.y),
});

const nearestIn = ({ x, y, width, height }: Rectangle, point: Point): Point => ({
  x: Math.min(Math.max(point.x, x), x + width),
  y: Math.min(Math.max(point.y, y), y + height),
});

/** Moves a text that begins on the picture so far that it stays on it. */
const keptInside = (at: Rectangle, picture: Rectangle): Point => ({
  x: Math.max(picture.x, Math.min(at.x, picture.x + picture.width - at.width)),
  y: Math.max(picture.y, Math.min(at.y, picture.y + picture.height - at.height)),
});

const paintText = (
  context: Context,
  { text, box, align, anchor, isAnchored }: StateText,
  toStage: ToStage,
  colour: string,
  ratio: number,
  picture: Rectangle,
): void => {
  const lines = text.split('\n');
  const width = Math.max(...lines.map((line) => context.measureText(line).width));
  const height = lines.length * lineHeight * ratio;
  const target = anchor && toStage(anchor);
  const place = box
    ? boxOf([toStage(box[0]), toStage(box[1])])
    : { x: (target?.x ?? 0) + 8 * ratio, y: (target?.y ?? 0) - height / 2, width, height };
  const free = place.width - width;
  const left = place.x + (align === 'left' ? 0 : align === 'right' ? free : free / 2);
  const isOn = nearestIn(picture, place).x === place.x && nearestIn(picture, place).y === place.y;
  const corner = isOn ? keptInside({ x: left, y: place.y, width, height }, picture) : { x: left, y: place.y };
  if (target && isAnchored) {
    const from = nearestIn({ ...corner, width, height }, target);
    strokeTwice(context, polygon([from, target], false), colour, ratio);
  }
  for (const [index, line] of lines.entries()) {
    const y = corner.y + (index * lineHeight + textHeight) * ratio;
    context.lineWidth = markStyle.textHaloWidth * ratio;
    context.strokeStyle = haloOf(colour);
    context.strokeText(line, corner.x, y);
    context.fillStyle = colour;
    context.fillText(line, corner.x, y);
  }
};

const clipped = (context: Context, { x, y, width, height }: Rectangle, paint: () => void): void => {
  context.save();
  context.beginPath();
  context.rect(x, y, width, height);
  context.clip();
  paint();
  context.restore();
};

const stageTransform = ({ camera, orientation, rectangle }: PlacedPlanes): Affine =>
  imageToStage(camera, rectangle, orientation);

/** Covers what the shutters of the state that an image is shown with leave out, onto a canvas of device pixels. */
export const paintShutters = (context: Context, placed: PlacedPlanes): void => {
  const { image, rectangle } = placed;
  const { presentation } = image;
  if (!presentation || (presentation.shutters.length === 0 && !presentation.bitmapShutter)) return;
  const transform = stageTransform(placed);
  const toStage: ToStage = ([x, y]) => applied(transform, { x, y });
  // One device pixel beyond the image: its partly covered edge pixels would shine through.
  const edge = 1 / placed.camera.scale;
  const [right, bottom] = [image.width + edge, image.height + edge];
  const corners: readonly ImagePoint[] = [
    [-edge, -edge],
    [right, -edge],
    [right, bottom],
    [-edge, bottom],
  ];
  clipped(context, rectangle, () => {
    context.clip(polygon(corners.map(toStage)));
    context.fillStyle = presentation.shutterColour;
    for (const shutter of presentation.shutters) {
      const covered = new Path2D();
      covered.rect(rectangle.x, rectangle.y, rectangle.width, rectangle.height);
      covered.addPath(shutterPath(shutter, toStage));
      context.fill(covered, 'evenodd');
    }
    paintBitmapShutter(context, placed, transform);
  });
};

const paintAll = (
  context: Context,
  { annotations }: PresentationState,
  { image, rectangle }: PlacedPlanes,
  toStage: ToStage,
  { ratio, fontFamily }: Lettering,
): void => {
  context.lineCap = 'round';
  context.lineJoin = 'round';
  context.font = `${markStyle.textWeight} ${textHeight * ratio}px ${fontFamily}`;
  for (const { graphics, texts, colour } of annotations.filter((one) => isForFrame(one, image.frame))) {
    for (const graphic of graphics) paintGraphic(context, graphic, toStage, colour ?? plainColour, ratio);
    if (rectangle.width < readableSide * ratio) continue;
    for (const text of texts) paintText(context, text, toStage, colour ?? plainColour, ratio, rectangle);
  }
};

/** Paints the annotations of the state that an image is shown with onto a canvas of device pixels. Texts stay upright. */
export const paintAnnotations = (context: Context, placed: PlacedPlanes, lettering: Lettering): void => {
  const { presentation } = placed.image;
  if (!presentation) return;
  const transform = stageTransform(placed);
  const toStage: ToStage = ([x, y]) => applied(transform, { x, y });
  clipped(context, placed.rectangle, () => paintAll(context, presentation, placed, toStage, lettering));
};
