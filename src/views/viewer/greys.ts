import { type Display, type Histogram, type LoadedImage, percentile, type WindowChoice } from '../../viewer/index.ts';

/** The values of a picture, as far as brightness and contrast go by them. */
export type Greys = Pick<LoadedImage, 'range' | 'shownInverse' | 'voiLuts' | 'original'>;

export const spanOf = ({ low, high }: { low: number; high: number }): number => Math.max(high - low, 1e-6);

/** The window that a display means; where a LUT of the file is chosen, the values that the LUT speaks of. */
export const windowOf = ({ voi: chosen }: Pick<Display, 'voi'>, greys: Greys): WindowChoice => {
  const voi = chosen ?? greys.original.voi;
  if (voi.kind === 'window') return voi;
  const lut = greys.voiLuts[voi.index]?.lut;
  const first = lut?.firstInput ?? greys.range.low;
  const length = Math.max(1, lut?.values.length ?? spanOf(greys.range));
  return { kind: 'window', centre: first + length / 2, width: length, function: 'LINEAR' };
};

/** LINEAR is undefined below a width of 1 (DICOM PS3.3 C.11.2.1.2.1). */
export const smallestWidth = ({ function: curve }: WindowChoice, { range }: Pick<Greys, 'range'>): number =>
  curve === 'LINEAR' ? 1 : Math.max(spanOf(range) / 65_536, 1e-6);

/** All values of the picture, darkest to brightest. */
export const wholeRange = ({ range }: Pick<Greys, 'range'>): WindowChoice => ({
  kind: 'window',
  centre: (range.low + range.high) / 2,
  width: spanOf(range),
  function: 'LINEAR_EXACT',
});

/** The window that leaves out one percent of the pixels at either end, as the region tool does. */
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

/** Brightness and contrast from -100 to 100; 0 and 0 show the whole range of the picture. */
export interface Tone {
  readonly brightness: number;
  readonly contrast: number;
}

/** Contrast steps that halve the window. */
const perHalf = 20;

const directionOf = (greys: Greys, { inverted }: Pick<Display, 'inverted'>) =>
  greys.shownInverse === inverted ? 1 : -1;

export const toneOf = (display: Pick<Display, 'voi' | 'inverted'>, greys: Greys): Tone => {
  const window = windowOf(display, greys);
  const span = spanOf(greys.range);
  const middle = (greys.range.low + greys.range.high) / 2;
  return {
    brightness: (((middle - window.centre) * 100) / span) * directionOf(greys, display),
    contrast: -perHalf * Math.log2(window.width / span),
  };
};

/** The window of a tone; the shape of its curve stays as it was. */
export const windowOfTone = (
  { brightness, contrast }: Tone,
  display: Pick<Display, 'voi' | 'inverted'>,
  greys: Greys,
): WindowChoice => {
  const before = windowOf(display, greys);
  const span = spanOf(greys.range);
  const middle = (greys.range.low + greys.range.high) / 2;
  return {
    ...before,
    centre: middle - (brightness / 100) * span * directionOf(greys, display),
    width: Math.max(smallestWidth(before, greys), span * 2 ** (-contrast / perHalf)),
  };
};
