import {
  lengthBetween,
  type MarkPoint,
  type Measured,
  type MeasurementScale,
  measured,
  type SpacingSource,
} from '../../../dicom/measurement.ts';
import type { Mark, MarkTool } from './scene.ts';

export {
  angleAt,
  angleBetween,
  areaOf,
  lengthAlong,
  lengthBetween,
  type MarkPoint,
  type Measured,
  type MeasurementScale,
  measured,
  measurementScaleOf,
  type SpacingSource,
} from '../../../dicom/measurement.ts';

/** Returns the length of a line in pixel widths, from which a calibration is computed. */
export const widthsBetween = (from: MarkPoint, to: MarkPoint, pixelAspect: number): number =>
  lengthBetween(from, to, { across: 1, down: pixelAspect, unit: 'px', spacingSource: 'none' });

/** Texts of measurements, in the language of the page. */
export interface StageTexts {
  readonly mm: string;
  readonly px: string;
  /** Shown after a length: "kalibrerad", "vid detektorn", "ej kalibrerad". Calibrated Pixel Spacing of the file has no text. */
  readonly calibrated: string;
  readonly atDetector: string;
  readonly onFilm: string;
  readonly stated: string;
  readonly estimated: string;
  readonly notCalibrated: string;
  readonly inRegion: string;
  readonly outsideRegion: string;
  /** Accessible names: "Längd", "Vinkel", "Kalibrering", "Pil". */
  readonly kinds: Readonly<Record<MarkTool, string>>;
  /** The points of a ratio in the order in which they are placed: "Emaljgräns", "Bennivå", "Apex". */
  readonly ratioPoints: readonly string[];
  /** Accessible names of all marks and of the field in which a text is typed: "Markeringar", "Text i bilden". */
  readonly marks: string;
  readonly textField: string;
}

const sourceText = (spacingSource: SpacingSource, words: StageTexts): string => {
  const texts: Readonly<Record<SpacingSource, string>> = {
    calibrated: words.calibrated,
    patient: '',
    stated: words.stated,
    estimated: words.estimated,
    detector: words.atDetector,
    film: words.onFilm,
    region: words.inRegion,
    outside: words.outsideRegion,
    none: words.notCalibrated,
    unknown: '',
  };
  return texts[spacingSource];
};

/** Shown instead of a length while its calibration is not known. An angle needs none. */
export const pendingText = '…';

/** Formats a measurement: "12,4 mm vid detektorn", "240 px ej kalibrerad", "8,1 mm² kalibrerad", "31,5°", "31,5° / 148,5°", "38 %", "…". One decimal, whole pixels; `locale` is BCP 47. */
export const measuredText = (measurement: Measured, words: StageTexts, locale: string): string => {
  const { value, unit, spacingSource, supplement } = measurement;
  const digits = unit.startsWith('px') || unit === '%' ? 0 : 1;
  const options = { minimumFractionDigits: digits, maximumFractionDigits: digits, useGrouping: false };
  const format = new Intl.NumberFormat(locale, options);
  const number = format.format(value);
  // Without a scale, pixels that are not square change angles and ratios too.
  const outside = spacingSource === 'outside' ? ` ${words.outsideRegion}` : '';
  if (unit === '°') return `${number}°${supplement === undefined ? '' : ` / ${format.format(supplement)}°`}${outside}`;
  if (unit === '%') return new Intl.NumberFormat(locale, { style: 'percent' }).format(value / 100) + outside;
  if (spacingSource === 'unknown') return pendingText;
  const word = sourceText(spacingSource, words);
  const unitText = `${unit.startsWith('mm') ? words.mm : words.px}${unit.endsWith('²') ? '²' : ''}`;
  return `${number} ${unitText}${word && ` ${word}`}`;
};

/** Returns what is written at a mark: its value, its text, or nothing. */
export const markText = (mark: Mark, yardstick: MeasurementScale, words: StageTexts, locale: string): string => {
  if (mark.kind === 'text') return mark.text;
  const value = measured(mark, yardstick);
  return value ? measuredText(value, words, locale) : '';
};
