import {
  type Display,
  type Histogram,
  type LoadedImage,
  percentile,
  type WindowChoice,
} from '../../../viewer/index.ts';

/** Pixel values of an image, as needed for brightness and contrast. */
export type GreyValues = Pick<LoadedImage, 'range' | 'shownInverse' | 'voiLuts' | 'original'>;

export const spanOf = ({ low, high }: { low: number; high: number }): number => Math.max(high - low, 1e-6);

/** Returns the window of a display; for a VOI LUT the range of its input values. */
export const windowOf = ({ voi: chosen }: Pick<Display, 'voi'>, values: GreyValues): WindowChoice => {
  const voi = chosen ?? values.original.voi;
  if (voi.kind === 'window') return voi;
  const lut = values.voiLuts[voi.index]?.lut;
  const first = lut?.firstInput ?? values.range.low;
  const length = Math.max(1, lut?.values.length ?? spanOf(values.range));
  return { kind: 'window', centre: first + length / 2, width: length, function: 'LINEAR' };
};

/** LINEAR is undefined below a width of 1 (DICOM PS3.3 C.11.2.1.2.1). */
export const minWidth = ({ function: curve }: WindowChoice, { range }: Pick<GreyValues, 'range'>): number =>
  curve === 'LINEAR' ? 1 : Math.max(spanOf(range) / 65_536, 1e-6);

/** Returns the window over all pixel values. */
export const fullRange = ({ range }: Pick<GreyValues, 'range'>): WindowChoice => ({
  kind: 'window',
  centre: (range.low + range.high) / 2,
  width: spanOf(range),
  function: 'LINEAR_EXACT',
});

/** Returns the window that clips one percent of the pixels at either end, like the region tool. */
export const autoWindow = (histogram: Histogram): WindowChoice => {
  const low = percentile(histogram, 0.01);
  const high = percentile(histogram, 0.99);
  return {
    kind: 'window',
    centre: (low + high) / 2,
    width: Math.max(high - low, spanOf(histogram) / histogram.counts.length),
    function: 'LINEAR_EXACT',
  };
};

/** Brightness and contrast from -100 to 100; 0 and 0 show the full range. */
export interface Tone {
  readonly brightness: number;
  readonly contrast: number;
}

/** Contrast steps that halve the window width. */
const perHalf = 20;

const directionOf = (values: GreyValues, { inverted }: Pick<Display, 'inverted'>) =>
  values.shownInverse === inverted ? 1 : -1;

export const toneOf = (display: Pick<Display, 'voi' | 'inverted'>, values: GreyValues): Tone => {
  const window = windowOf(display, values);
  const span = spanOf(values.range);
  const middle = (values.range.low + values.range.high) / 2;
  return {
    brightness: (((middle - window.centre) * 100) / span) * directionOf(values, display),
    contrast: -perHalf * Math.log2(window.width / span),
  };
};

/** Returns the window of a tone; its VOI function is unchanged. */
export const windowOfTone = (
  { brightness, contrast }: Tone,
  display: Pick<Display, 'voi' | 'inverted'>,
  values: GreyValues,
): WindowChoice => {
  const before = windowOf(display, values);
  const span = spanOf(values.range);
  const middle = (values.range.low + values.range.high) / 2;
  return {
    ...before,
    centre: middle - (brightness / 100) * span * directionOf(values, display),
    width: Math.max(minWidth(before, values), span * 2 ** (-contrast / perHalf)),
  };
};

export interface Preset {
  readonly id: string;
  /** Explanation from the file; null where missing, and for the two added presets. */
  readonly explanation: string | null;
  readonly from: 'window' | 'lut' | 'whole' | 'auto';
  /** Number among the file's windows or VOI LUTs, from 1; 0 for the two added presets. */
  readonly number: number;
  readonly voi: NonNullable<Display['voi']>;
}

/** Returns all windows and VOI LUTs of the file, then the full range and, once the histogram is known, the auto window. */
export const presetsOf = (
  image: Pick<LoadedImage, 'description' | 'voiLuts' | 'frame' | 'range'>,
  histogram: Histogram | null,
): readonly Preset[] => {
  const { description } = image;
  const windows = description.frames?.[image.frame - 1]?.windows ?? description.windows;
  const own = [
    ...windows.map(({ explanation, ...voi }, index) => ({
      explanation,
      from: 'window' as const,
      number: index + 1,
      voi,
    })),
    ...image.voiLuts.map(({ lut }, index) => ({
      explanation: lut.explanation,
      from: 'lut' as const,
      number: index + 1,
      voi: { kind: 'lut' as const, index },
    })),
  ].map((one, index) => ({ ...one, id: `file-${index}` }));
  const whole: Preset = { id: 'whole', explanation: null, from: 'whole', number: 0, voi: fullRange(image) };
  if (!histogram) return [...own, whole];
  return [...own, whole, { id: 'auto', explanation: null, from: 'auto', number: 0, voi: autoWindow(histogram) }];
};

/** Returns whether the display uses this preset, within visible precision. */
export const isPreset = ({ voi }: Preset, now: NonNullable<Display['voi']>): boolean =>
  voi.kind === 'lut'
    ? now.kind === 'lut' && now.index === voi.index
    : now.kind === 'window' &&
      now.function === voi.function &&
      Math.abs(now.centre - voi.centre) <= 1e-6 * voi.width &&
      Math.abs(now.width - voi.width) <= 1e-6 * voi.width;
