import type { LookupTable, Modality, Voi } from '../../../../dicom/image-model.ts';
import type { ImagePixels, LoadedImage } from '../../decode/loaded-image.ts';
import type { DrawnDisplay } from '../../scene/scene.ts';
import type { WindowVariant } from './variants.ts';

/** One image and one display as the shader takes them; `reference.ts` takes the very same value. */
export interface WindowUniforms {
  readonly samples: WindowVariant['samples'];
  readonly modality: Modality;
  readonly voi: Voi;
  readonly inverted: boolean;
  /** 1 / gamma. */
  readonly inverseGamma: number;
}

const samplesOf = {
  u8: 'UNSIGNED',
  u16: 'UNSIGNED',
  s16: 'SIGNED',
  f32: 'FLOAT',
  rgba8: 'COLOUR',
} as const satisfies Record<ImagePixels['format'], WindowVariant['samples']>;

/** The VOI step that a display asks for. Throws RangeError for a LUT that the image does not have. */
export const voiOf = (image: Pick<LoadedImage, 'voiLuts'>, display: DrawnDisplay): Voi => {
  if (display.voi.kind === 'window') return { ...display.voi, explanation: null };
  const lut = image.voiLuts[display.voi.index];
  if (!lut) throw new RangeError(`the image has no VOI LUT number ${display.voi.index}`);
  return lut;
};

export const windowUniforms = (
  image: Pick<LoadedImage, 'pixels' | 'modality' | 'voiLuts' | 'shownInverse'>,
  display: DrawnDisplay,
): WindowUniforms => ({
  samples: samplesOf[image.pixels.format],
  modality: image.modality,
  voi: voiOf(image, display),
  inverted: image.shownInverse !== display.inverted,
  inverseGamma: 1 / display.gamma,
});

/**
 * Nearest where a device pixel is an image pixel, the mean of all that lie under it when smaller, Catmull-Rom when
 * larger. `scale` is device pixels per width of an image pixel. `coarse` takes four neighbours, whatever the scale.
 */
export const samplingFor = (scale: number, pixelAspect = 1, coarse = false): WindowVariant['sampling'] => {
  if (scale === 1 && pixelAspect === 1) return 'NEAREST';
  if (coarse) return 'LINEAR';
  return Math.min(scale, scale * pixelAspect) < 1 ? 'AREA' : 'CUBIC';
};

export const variantOf = (uniforms: WindowUniforms, sampling: WindowVariant['sampling']): WindowVariant => ({
  samples: uniforms.samples,
  sampling,
  modality: uniforms.modality.kind === 'lut' ? 'LUT' : 'RESCALE',
  voi: uniforms.voi.kind === 'lut' ? 'LUT' : uniforms.voi.function,
});

/** First input and number of entries. */
export const lutRange = (lut: LookupTable): readonly [number, number] => [lut.firstInput, lut.values.length];

/** What makes the largest entry white. */
export const lutUnit = (lut: LookupTable): number => 1 / (2 ** lut.bits - 1);
