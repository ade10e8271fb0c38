import type { Display, Histogram, LoadedImage } from '../../viewer/index.ts';
import { autoWindow, wholeRange } from './greys.ts';

export interface Preset {
  readonly id: string;
  /** What the file calls it; null where it says nothing, and for the two that we add. */
  readonly explanation: string | null;
  readonly from: 'window' | 'lut' | 'whole' | 'auto';
  /** Counted from 1 among those of the file. */
  readonly number: number;
  readonly voi: NonNullable<Display['voi']>;
}

/** All windows and VOI LUTs of the file, in its order, then the whole range and, once the values are counted, an automatic one. */
export const presetsOf = (
  image: Pick<LoadedImage, 'description' | 'voiLuts' | 'frame' | 'range'>,
  histogram: Histogram | null,
): readonly Preset[] => {
  const { description } = image;
  const windows = description.frames?.[image.frame - 1]?.windows ?? description.windows;
  const own = [
    ...windows.map(({ explanation, ...voi }) => ({ explanation, from: 'window' as const, voi })),
    ...image.voiLuts.map(({ lut }, index) => ({
      explanation: lut.explanation,
      from: 'lut' as const,
      voi: { kind: 'lut' as const, index },
    })),
  ].map((one, index) => ({ ...one, id: `file-${index}`, number: index + 1 }));
  const whole: Preset = { id: 'whole', explanation: null, from: 'whole', number: 0, voi: wholeRange(image) };
  if (!histogram) return [...own, whole];
  return [...own, whole, { id: 'auto', explanation: null, from: 'auto', number: 0, voi: autoWindow(histogram) }];
};

/** Is this what the display asks for now? Numbers are compared to what a person can see. */
export const isPreset = ({ voi }: Preset, now: NonNullable<Display['voi']>): boolean =>
  voi.kind === 'lut'
    ? now.kind === 'lut' && now.index === voi.index
    : now.kind === 'window' &&
      now.function === voi.function &&
      Math.abs(now.centre - voi.centre) <= 1e-6 * voi.width &&
      Math.abs(now.width - voi.width) <= 1e-6 * voi.width;
