import type { ImageDescription, SpacingKind, UltrasoundRegion } from './image-model.ts';

/**
 * Source of a length: the calibration by the user, a kind of pixel spacing of the file, or 'none' (pixels). 'region': a calibrated region of an
 * ultrasound image; 'outside': the mark is in none. 'unknown': not loaded yet, so no length may be shown.
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
  /** 180° minus the angle between two lines, which have no direction. */
  readonly supplement?: number;
}

/** Point in image pixels; 0, 0 is the top left corner of the top left pixel of the stored image. */
export type MarkPoint = [number, number];

/** Calibration by a known length in the image. Null: not calibrated; 'unknown': not loaded yet. */
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

const contains = ({ left, top, right, bottom }: UltrasoundRegion, [x, y]: MarkPoint) =>
  x >= left && y >= top && x <= right && y <= bottom;

/** Returns the pixel size of the region that contains all points; null when there is none, or when another region at a point has another size. */
const pixelInRegion = (regions: readonly UltrasoundRegion[], points: readonly MarkPoint[]) => {
  const regionsAtPoints = regions.filter((region) => points.some((point) => contains(region, point)));
  const pixel = regionsAtPoints.find((region) => points.every((point) => contains(region, point)))?.pixel ?? null;
  const agree = regionsAtPoints.every(
    ({ pixel: other }) => other?.columnMm === pixel?.columnMm && other?.rowMm === pixel?.rowMm,
  );
  return agree ? pixel : null;
};

/**
 * Returns the scale of measurements: a calibration by the user takes precedence over the file; a length in pixels is in pixel widths.
 * @param points of the mark; needed only for ultrasound images, whose regions each have their own scale
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
export const lengthBetween = (from: MarkPoint, to: MarkPoint, scale: MeasurementScale): number => {
  const { x, y } = stepOf(from, to, scale);
  return Math.hypot(x, y);
};

/** Returns the angle at `vertex` in degrees, 0 to 180; 0 when one of the arms has no length. */
export const angleAt = (from: MarkPoint, vertex: MarkPoint, to: MarkPoint, scale: MeasurementScale): number => {
  const one = stepOf(vertex, from, scale);
  const other = stepOf(vertex, to, scale);
  return Math.abs((Math.atan2(one.x * other.y - one.y * other.x, one.x * other.x + one.y * other.y) * 180) / Math.PI);
};

/** Returns the angle between two lines in degrees, 0 to 90; 0 when one of them has no length. */
export const angleBetween = (points: readonly MarkPoint[], scale: MeasurementScale): number => {
  const [from, to, otherFrom, otherTo] = points;
  if (!from || !to || !otherFrom || !otherTo) return 0;
  const otherEndAtFrom: MarkPoint = [from[0] + otherTo[0] - otherFrom[0], from[1] + otherTo[1] - otherFrom[1]];
  const angle = angleAt(to, from, otherEndAtFrom, scale);
  return Math.min(angle, 180 - angle);
};

/** Returns the distance from the first to the second point in percent of that from the first to the third; null when the second distance is 0. */
export const ratioOf = (points: readonly MarkPoint[], scale: MeasurementScale): number | null => {
  const [first, second, third] = points;
  if (!first || !second || !third) return null;
  const whole = lengthBetween(first, third, scale);
  return whole === 0 ? null : (lengthBetween(first, second, scale) / whole) * 100;
};

/** Returns the sum of the lengths between successive points, in the unit of the scale. */
export const lengthAlong = (points: readonly MarkPoint[], scale: MeasurementScale): number =>
  points.slice(1).reduce((sum, to, index) => sum + lengthBetween(points[index] ?? to, to, scale), 0);

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
  scale: MeasurementScale,
): Measured | null => {
  const { unit, spacingSource } = scale;
  const [first, second, third] = points;
  if (!first || !second) return null;
  if (kind === 'length' || kind === 'polyline') return { value: lengthAlong(points, scale), unit, spacingSource };
  if (!third) return null;
  if (kind === 'angle') return { value: angleAt(first, second, third, scale), unit: '°', spacingSource };
  if (kind === 'area') return { value: areaOf(points, scale), unit: `${unit}²`, spacingSource };
  if (kind === 'lineAngle' && points.length === 4) {
    const value = angleBetween(points, scale);
    return { value, unit: '°', spacingSource, supplement: 180 - value };
  }
  const ratio = kind === 'ratio' ? ratioOf(points, scale) : null;
  return ratio === null ? null : { value: ratio, unit: '%', spacingSource };
};
