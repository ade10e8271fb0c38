import type { ImageDescription, SpacingKind, UltrasoundRegion } from './image-model.ts';

/**
 * Source of the pixel spacing: a calibration by the user, one of those of the file, or none (lengths in pixels). 'region': calibrated regions of an
 * ultrasound image, 'outside': a mark that is not in one of them. 'unknown': not loaded yet, so no length may be shown.
 */
export type SpacingSource = SpacingKind | 'calibrated' | 'region' | 'outside' | 'none' | 'unknown';

/** Width and height of one image pixel, in `unit`. */
export interface MeasurementScale {
  readonly across: number;
  readonly down: number;
  readonly unit: 'mm' | 'px';
  readonly spacingSource: SpacingSource;
}

export interface Measured {
  readonly value: number;
  readonly unit: 'mm' | 'px' | 'mm²' | 'px²' | '°' | '%';
  readonly spacingSource: SpacingSource;
  /** The other angle between two lines, in degrees: lines have no direction. */
  readonly supplement?: number;
}

/** In image pixels: 0, 0 is the top left corner of the first pixel of the stored picture. */
export type MarkPoint = [number, number];

/** By a known length in the image; null: none, 'unknown': not loaded yet. */
export type KnownCalibration = { readonly mmPerPixel: number } | null | 'unknown';

/** Returns Pixel Aspect Ratio, or the ratio of the pixel spacing; only one of them may be present (PS3.3 C.7.6.3.1.7). */
export const pixelAspectOf = ({
  pixelAspectRatio,
  spacing,
}: Pick<ImageDescription, 'pixelAspectRatio' | 'spacing'>): number => {
  if (pixelAspectRatio) return pixelAspectRatio.vertical / pixelAspectRatio.horizontal;
  return spacing && spacing.rowMm > 0 && spacing.columnMm > 0 ? spacing.rowMm / spacing.columnMm : 1;
};

interface MeasurableImage {
  readonly frame: number;
  readonly pixelAspect: number;
  readonly description: Pick<ImageDescription, 'spacing' | 'frames' | 'ultrasoundRegions'>;
}

const holds = ({ left, top, right, bottom }: UltrasoundRegion, [x, y]: MarkPoint) =>
  x >= left && y >= top && x <= right && y <= bottom;

/** Returns the pixel size where all points are: that of every region that any of them is in, and of one that has them all; else null. */
const pixelInRegion = (regions: readonly UltrasoundRegion[], points: readonly MarkPoint[]) => {
  const touched = regions.filter((region) => points.some((point) => holds(region, point)));
  const pixel = touched.find((region) => points.every((point) => holds(region, point)))?.pixel ?? null;
  const agree = touched.every(
    ({ pixel: other }) => other?.columnMm === pixel?.columnMm && other?.rowMm === pixel?.rowMm,
  );
  return agree ? pixel : null;
};

/**
 * Returns the scale of measurements: a calibration by the user takes precedence over the file; lengths in pixels count pixel widths.
 * @param points of the mark, where an ultrasound image has regions with their own scales; without them 'region' has no size
 */
export const measurementScaleOf = (
  { frame, pixelAspect, description }: MeasurableImage,
  calibration: KnownCalibration,
  points: readonly MarkPoint[] = [],
): MeasurementScale => {
  if (calibration === 'unknown') return { across: 1, down: pixelAspect, unit: 'px', spacingSource: 'unknown' };
  if (calibration) {
    const { mmPerPixel } = calibration;
    return { across: mmPerPixel, down: mmPerPixel * pixelAspect, unit: 'mm', spacingSource: 'calibrated' };
  }
  const { ultrasoundRegions } = description;
  if (ultrasoundRegions.length > 0) {
    const pixel = pixelInRegion(ultrasoundRegions, points);
    if (pixel) return { across: pixel.columnMm, down: pixel.rowMm, unit: 'mm', spacingSource: 'region' };
    return { across: 1, down: pixelAspect, unit: 'px', spacingSource: points.length > 0 ? 'outside' : 'region' };
  }
  const spacing = description.frames?.[frame - 1]?.spacing ?? description.spacing;
  if (spacing) return { across: spacing.columnMm, down: spacing.rowMm, unit: 'mm', spacingSource: spacing.kind };
  return { across: 1, down: pixelAspect, unit: 'px', spacingSource: 'none' };
};

const stepOf = ([x, y]: MarkPoint, [toX, toY]: MarkPoint, { across, down }: MeasurementScale) => ({
  x: (toX - x) * across,
  y: (toY - y) * down,
});

/** Returns the distance between two image points, in the unit of the scale. */
export const lengthBetween = (from: MarkPoint, to: MarkPoint, yardstick: MeasurementScale): number => {
  const { x, y } = stepOf(from, to, yardstick);
  return Math.hypot(x, y);
};

/** Returns the angle at `vertex` in degrees, 0 to 180; 0 when one of the arms has no length. */
export const angleAt = (from: MarkPoint, vertex: MarkPoint, to: MarkPoint, yardstick: MeasurementScale): number => {
  const one = stepOf(vertex, from, yardstick);
  const other = stepOf(vertex, to, yardstick);
  return Math.abs((Math.atan2(one.x * other.y - one.y * other.x, one.x * other.x + one.y * other.y) * 180) / Math.PI);
};

/** Returns the angle between two lines in degrees, 0 to 90; 0 when one of them has no length. */
export const angleBetween = (points: readonly MarkPoint[], yardstick: MeasurementScale): number => {
  const [from, to, otherFrom, otherTo] = points;
  if (!from || !to || !otherFrom || !otherTo) return 0;
  const moved: MarkPoint = [from[0] + otherTo[0] - otherFrom[0], from[1] + otherTo[1] - otherFrom[1]];
  const angle = angleAt(to, from, moved, yardstick);
  return Math.min(angle, 180 - angle);
};

/** Returns the distance from the first to the second point in percent of that from the first to the third; null when that is 0. */
export const ratioOf = (points: readonly MarkPoint[], yardstick: MeasurementScale): number | null => {
  const [first, second, third] = points;
  if (!first || !second || !third) return null;
  const whole = lengthBetween(first, third, yardstick);
  return whole === 0 ? null : (lengthBetween(first, second, yardstick) / whole) * 100;
};

/** Returns the sum of the lengths between successive points, in the unit of the scale. */
export const lengthAlong = (points: readonly MarkPoint[], yardstick: MeasurementScale): number =>
  points.slice(1).reduce((sum, to, index) => sum + lengthBetween(points[index] ?? to, to, yardstick), 0);

/** Returns the area of a polygon, in the square of the unit of the scale (shoelace formula). */
export const areaOf = (points: readonly MarkPoint[], { across, down }: MeasurementScale): number => {
  const doubled = points.reduce((sum, [x, y], index) => {
    const [nextX, nextY] = points[(index + 1) % points.length] ?? [x, y];
    return sum + x * nextY - nextX * y;
  }, 0);
  return (Math.abs(doubled) / 2) * across * down;
};

/** Returns the measured value of a mark; null for marks that measure nothing. */
export const measured = (
  { kind, points }: { readonly kind: string; readonly points: readonly MarkPoint[] },
  yardstick: MeasurementScale,
): Measured | null => {
  const { unit, spacingSource } = yardstick;
  const [first, second, third] = points;
  if (!first || !second) return null;
  if (kind === 'length' || kind === 'polyline') return { value: lengthAlong(points, yardstick), unit, spacingSource };
  if (!third) return null;
  if (kind === 'angle') return { value: angleAt(first, second, third, yardstick), unit: '°', spacingSource };
  if (kind === 'area') return { value: areaOf(points, yardstick), unit: `${unit}²`, spacingSource };
  if (kind === 'lineAngle' && points.length === 4) {
    const value = angleBetween(points, yardstick);
    return { value, unit: '°', spacingSource, supplement: 180 - value };
  }
  const ratio = kind === 'ratio' ? ratioOf(points, yardstick) : null;
  return ratio === null ? null : { value: ratio, unit: '%', spacingSource };
};
