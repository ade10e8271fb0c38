import type { PixelSpacing } from '../../dicom/image-model.ts';
import { type MeasurementScale, measured, measuredText } from '../../src/viewer/scene/measure.ts';
import { swedishStageTexts } from './stage-texts.ts';

/** The text of a mark that measures something. */
export const textOf = (shape: Parameters<typeof measured>[0], yardstick: MeasurementScale, locale: string) => {
  const value = measured(shape, yardstick);
  if (!value) throw new Error('it measures nothing');
  return measuredText(value, swedishStageTexts, locale);
};
export const imageWith = (spacing: PixelSpacing | null, pixelAspect = 1) => ({
  frame: 1,
  pixelAspect,
  description: { spacing, frames: null, ultrasoundRegions: [] },
});
