import { UniformGroup } from 'pixi.js';
import { type Affine, inverse, type Size } from '../scene/camera.ts';
import { lutRange, lutUnit, ramp, type WindowUniforms } from '../shaders/window/uniforms.ts';
import type { Tile } from './tiles.ts';

const vector = (values: readonly number[], type: 'vec2<f32>' | 'vec3<f32>' | 'vec4<f32>') => ({
  value: new Float32Array(values),
  type,
});

/** Uniforms for the position of a tile in the image. */
export const tileGroup = ({ texture }: Tile) =>
  new UniformGroup({
    uTileOrigin: vector([texture.x, texture.y], 'vec2<f32>'),
    uTileSize: vector([texture.width, texture.height], 'vec2<f32>'),
  });

/** Uniforms for the transform from fragments to the image. */
export const transformGroup = () =>
  new UniformGroup({
    uFootprint: vector([1, 1], 'vec2<f32>'),
    uToImage: vector([1, 0, 0, 1], 'vec4<f32>'),
    uToImageOrigin: vector([0, 0], 'vec2<f32>'),
  });

export type TransformGroup = ReturnType<typeof transformGroup>;

/**
 * @param toTarget pixels of the texture's level to pixels of the render target, y downwards
 * @param upwardsFrom height of a render target whose fragments count from the bottom; null when they count from the top
 */
export const fillTransform = (
  group: TransformGroup,
  footprint: Size,
  toTarget: Affine,
  upwardsFrom: number | null,
): void => {
  const { a, b, c, d, tx, ty } = inverse(toTarget);
  const values = group.uniforms;
  values.uFootprint.set([footprint.width, footprint.height]);
  values.uToImage.set(upwardsFrom === null ? [a, b, c, d] : [a, b, -c, -d]);
  const up = upwardsFrom ?? 0;
  values.uToImageOrigin.set([tx + c * up, ty + d * up]);
  group.update();
};

/** Uniforms for the steps from stored to display value. */
export const greyGroup = () =>
  new UniformGroup({
    uRescale: vector([1, 0], 'vec2<f32>'),
    uRamp: vector([0, 1, 0], 'vec3<f32>'),
    uInverted: { value: 0, type: 'f32' },
    uInverseGamma: { value: 1, type: 'f32' },
    uModalityLutRange: vector([0, 1], 'vec2<f32>'),
    uVoiLutRange: vector([0, 1], 'vec2<f32>'),
    uVoiLutUnit: { value: 1, type: 'f32' },
  });

export type GreyGroup = ReturnType<typeof greyGroup>;

export const fillGrey = (group: GreyGroup, uniforms: WindowUniforms): void => {
  const { modality, voi, inverted, inverseGamma } = uniforms;
  const values = group.uniforms;
  if (modality.kind === 'rescale') values.uRescale.set([modality.slope, modality.intercept]);
  else values.uModalityLutRange.set(lutRange(modality.lut));
  if (voi.kind === 'window') values.uRamp.set(ramp(uniforms, voi));
  else {
    values.uVoiLutRange.set(lutRange(voi.lut));
    values.uVoiLutUnit = lutUnit(voi.lut);
  }
  values.uInverted = inverted ? 1 : 0;
  values.uInverseGamma = inverseGamma;
  group.update();
};
