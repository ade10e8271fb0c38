import type { DisplayWindow, LookupTable, Modality, Voi } from '../../../../dicom/image-model.ts';
import type { ImagePixels, LoadedImage } from '../../decode/loaded-image.ts';
import type { ResolvedDisplay } from '../../scene/scene.ts';
import { isTable, type Sampling, type WindowVariant } from './variants.ts';

/** Parameters of one image and display in DICOM terms; shared with `reference.ts`. */
export interface WindowUniforms {
  readonly samples: WindowVariant['samples'];
  readonly modality: Modality;
  readonly voi: Voi;
  readonly inverted: boolean;
  /** 1 / gamma. */
  readonly inverseGamma: number;
  /** Always 'grey' for colour images. */
  readonly palette: ResolvedDisplay['palette'];
}

export const samplesOf = {
  u8: 'UNSIGNED',
  u16: 'UNSIGNED',
  s16: 'SIGNED',
  f32: 'FLOAT',
  rgba8: 'COLOUR',
} as const satisfies Record<ImagePixels['format'], WindowVariant['samples']>;

/** Returns the VOI step of a display. Throws RangeError for a LUT that the image does not have. */
export const voiOf = (image: Pick<LoadedImage, 'voiLuts'>, display: ResolvedDisplay): Voi => {
  if (display.voi.kind === 'window') return { ...display.voi, explanation: null };
  const lut = image.voiLuts[display.voi.index];
  if (!lut) throw new RangeError(`the image has no VOI LUT number ${display.voi.index}`);
  return lut;
};

export const windowUniforms = (
  image: Pick<LoadedImage, 'pixels' | 'modality' | 'voiLuts' | 'shownInverse'>,
  display: ResolvedDisplay,
): WindowUniforms => ({
  samples: samplesOf[image.pixels.format],
  modality: image.modality,
  voi: voiOf(image, display),
  inverted: image.shownInverse !== display.inverted,
  inverseGamma: 1 / display.gamma,
  palette: image.pixels.format === 'rgba8' ? 'grey' : display.palette,
});

/**
 * Returns the sampling: nearest at scale 1 with a rotation by a multiple of 90°, area averaging when reduced, else Catmull-Rom.
 * `scale` is device pixels per image pixel width, `rotation` in degrees. `coarse` always uses linear sampling.
 */
export const samplingFor = (scale: number, pixelAspect = 1, coarse = false, rotation = 0): Sampling => {
  if (scale === 1 && pixelAspect === 1 && rotation % 90 === 0) return 'NEAREST';
  if (coarse) return 'LINEAR';
  return Math.min(scale, scale * pixelAspect) < 1 ? 'AREA' : 'CUBIC';
};

const isStep = ({ function: shape, width }: DisplayWindow) => shape === 'LINEAR' && width <= 1;

export const variantOf = (uniforms: WindowUniforms, sampling: Sampling): WindowVariant => ({
  samples: uniforms.samples,
  sampling,
  output: 'SHOWN',
  modality: uniforms.modality.kind === 'lut' ? 'LUT' : 'RESCALE',
  voi: voiVariant(uniforms.voi),
  gamma: uniforms.inverseGamma === 1 ? 'NONE' : 'CURVE',
  palette: isTable(uniforms.palette) ? 'TABLE' : 'GREY',
});

const voiVariant = (voi: Voi): WindowVariant['voi'] => {
  if (voi.kind === 'lut') return 'LUT';
  if (voi.function === 'SIGMOID') return 'SIGMOID';
  return isStep(voi) ? 'STEP' : 'RAMP';
};

/** Returns centre and gain of a window, and the result at its centre; for a step only the sign matters. */
const slopeOf = (window: DisplayWindow): readonly [centre: number, gain: number, middle: number] => {
  const { centre, width, function: shape } = window;
  if (shape === 'SIGMOID') return [centre, 4 / width, 0];
  if (shape === 'LINEAR_EXACT') return [centre, 1 / width, 0.5];
  return isStep(window) ? [centre - 0.5, 1, 0] : [centre - 0.5, 1 / (width - 1), 0.5];
};

/**
 * Combines rescale, window and inversion into (x - centre) * gain + middle, which the shader clamps, passes to the sigmoid or compares
 * with 0. It is centred so that single precision suffices for narrow windows far from 0. A step is inverted afterwards.
 */
export const ramp = (
  { modality, inverted }: WindowUniforms,
  window: DisplayWindow,
): readonly [number, number, number] => {
  const [centre, gain, middle] = slopeOf(window);
  const turn = inverted && !isStep(window) ? -1 : 1;
  const upright = middle === 0 || turn === 1 ? middle : 1 - middle;
  if (modality.kind === 'lut') return [centre, gain * turn, upright];
  const { slope, intercept } = modality;
  if (slope === 0) return [0, 0, (intercept - centre) * gain * turn + upright];
  return [(centre - intercept) / slope, slope * gain * turn, upright];
};

/** First input and number of entries. */
export const lutRange = (lut: LookupTable): readonly [number, number] => [lut.firstInput, lut.values.length];

/** Factor that maps the largest entry to white. */
export const lutUnit = (lut: LookupTable): number => 1 / (2 ** lut.bits - 1);
