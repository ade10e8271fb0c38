import type { ImageDescription } from '../../../dicom/image-model.ts';
import type { Calibration, Mark } from './scene.ts';

/**
 * How far a length may be trusted: by a length that a person knew, by what the file says of the patient, true at the
 * detector only (magnification makes real lengths shorter), or pixels without any measure.
 */
export type Honesty = 'calibrated' | 'patient' | 'detector' | 'none';

/** What one image pixel measures across and down, in `unit`. */
export interface Yardstick {
  readonly across: number;
  readonly down: number;
  readonly unit: 'mm' | 'px';
  readonly honesty: Honesty;
}

export interface Measured {
  readonly value: number;
  readonly unit: 'mm' | 'px' | '°';
  readonly honesty: Honesty;
}

export type MarkPoint = Mark['points'][number];

interface Measurable {
  readonly frame: number;
  readonly pixelAspect: number;
  readonly description: Pick<ImageDescription, 'spacing' | 'frames'>;
}

/** A calibration by a person goes before what the file says; pixels count in widths of a pixel. */
export const yardstickOf = (
  { frame, pixelAspect, description }: Measurable,
  calibration: Calibration | null,
): Yardstick => {
  if (calibration) {
    const { mmPerPixel } = calibration;
    return { across: mmPerPixel, down: mmPerPixel * pixelAspect, unit: 'mm', honesty: 'calibrated' };
  }
  const spacing = description.frames?.[frame - 1]?.spacing ?? description.spacing;
  if (spacing) return { across: spacing.columnMm, down: spacing.rowMm, unit: 'mm', honesty: spacing.kind };
  return { across: 1, down: pixelAspect, unit: 'px', honesty: 'none' };
};

const stepOf = ([x, y]: MarkPoint, [toX, toY]: MarkPoint, { across, down }: Yardstick) => ({
  x: (toX - x) * across,
  y: (toY - y) * down,
});

/** Length of a line between two image points, in the unit of the yardstick. */
export const lengthBetween = (from: MarkPoint, to: MarkPoint, yardstick: Yardstick): number => {
  const { x, y } = stepOf(from, to, yardstick);
  return Math.hypot(x, y);
};

/** Degrees from 0 to 180 between the two arms that meet in `vertex`; 0 where an arm has no length. */
export const angleAt = (from: MarkPoint, vertex: MarkPoint, to: MarkPoint, yardstick: Yardstick): number => {
  const one = stepOf(vertex, from, yardstick);
  const other = stepOf(vertex, to, yardstick);
  return Math.abs((Math.atan2(one.x * other.y - one.y * other.x, one.x * other.x + one.y * other.y) * 180) / Math.PI);
};

export const measured = (mark: Pick<Mark, 'kind' | 'points'>, yardstick: Yardstick): Measured => {
  const [first, second, third] = mark.points;
  if (mark.kind === 'angle' && third)
    return { value: angleAt(first, second, third, yardstick), unit: '°', honesty: yardstick.honesty };
  return { value: lengthBetween(first, second, yardstick), unit: yardstick.unit, honesty: yardstick.honesty };
};

/** How many widths of a pixel a line is long: what a known length is divided by. */
export const widthsBetween = (from: MarkPoint, to: MarkPoint, pixelAspect: number): number =>
  lengthBetween(from, to, { across: 1, down: pixelAspect, unit: 'px', honesty: 'none' });

/** The words of measurements, in the language of the page. */
export interface StageWords {
  readonly mm: string;
  readonly px: string;
  /** What stands after a length: "kalibrerad", "vid detektorn", "ej kalibrerad". What the file says of the patient needs no word. */
  readonly calibrated: string;
  readonly atDetector: string;
  readonly notCalibrated: string;
  /** What they are called to those who cannot see them: "Längd", "Vinkel", "Kalibrering", "Mätningar". */
  readonly length: string;
  readonly angle: string;
  readonly calibration: string;
  readonly measurements: string;
}

const honestWord = (honesty: Honesty, words: StageWords): string =>
  ({ calibrated: words.calibrated, patient: '', detector: words.atDetector, none: words.notCalibrated })[honesty];

/** "12,4 mm vid detektorn", "240 px ej kalibrerad", "31,5°": one decimal, whole pixels. `locale` as BCP 47. */
export const measuredText = ({ value, unit, honesty }: Measured, words: StageWords, locale: string): string => {
  const digits = unit === 'px' ? 0 : 1;
  const number = new Intl.NumberFormat(locale, {
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
    useGrouping: false,
  }).format(value);
  if (unit === '°') return `${number}°`;
  const word = honestWord(honesty, words);
  return `${number} ${unit === 'mm' ? words.mm : words.px}${word && ` ${word}`}`;
};
