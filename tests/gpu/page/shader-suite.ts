import type { LookupTable, WindowFunction } from '../../../dicom/image-model.ts';
import type { ImagePixels } from '../../../src/viewer/decode/loaded-image.ts';
import type { ResolvedDisplay, View } from '../../../src/viewer/index.ts';
import type { ShaderCase } from './shader-case.ts';
import { type ImageLoad, plainDisplay, randomNumbers } from './synthetic.ts';

const windowed = (centre: number, width: number, shape: WindowFunction = 'LINEAR'): ResolvedDisplay => ({
  ...plainDisplay,
  voi: { kind: 'window', centre, width, function: shape },
});

const oneToOne = ({ width, height }: ImageLoad): View => ({ centreX: width / 2, centreY: height / 2, scale: 1 });

const filled = <Values extends ImagePixels['values']>(values: Values, value: (index: number) => number): Values => {
  for (let index = 0; index < values.length; index++) values[index] = value(index);
  return values;
};

/** All 65,536 values, each once. */
const unsignedRamp: ImageLoad = {
  width: 256,
  height: 256,
  pixels: { format: 'u16', values: filled(new Uint16Array(65536), (index) => index) },
};
const signedRamp: ImageLoad = {
  width: 256,
  height: 256,
  pixels: { format: 's16', values: filled(new Int16Array(65536), (index) => index - 32768) },
};
const random = randomNumbers(7);
const oddNoise: ImageLoad = {
  width: 101,
  height: 67,
  pixels: { format: 'u16', values: filled(new Uint16Array(101 * 67), () => Math.floor(random() * 4096)) },
};
const bytes: ImageLoad = {
  width: 33,
  height: 9,
  pixels: { format: 'u8', values: filled(new Uint8Array(33 * 9), (index) => index % 256) },
};
const fractions: ImageLoad = {
  width: 37,
  height: 11,
  pixels: { format: 'f32', values: filled(new Float32Array(37 * 11), (index) => index * 0.37 - 60) },
};
const colour: ImageLoad = {
  width: 35,
  height: 21,
  pixels: { format: 'rgba8', values: filled(new Uint8Array(35 * 21 * 4), (i) => (i % 4 === 3 ? 255 : (i * 7) % 256)) },
};

const fallingLut: LookupTable = {
  firstInput: 100,
  values: filled(new Uint16Array(5000), (index) => 4095 - Math.floor(index * 0.8)),
  bits: 12,
  explanation: null,
};
const signedLut: LookupTable = {
  firstInput: -2000,
  values: filled(new Uint16Array(4001), (index) => Math.floor((index / 4000) ** 2 * 65535)),
  bits: 16,
  explanation: null,
};

const caseOf = (picture: ImageLoad, display: ResolvedDisplay, view: View = oneToOne(picture)): ShaderCase => ({
  picture,
  display,
  view,
  stage: { width: picture.width, height: picture.height },
});

const randomWindows = (): Record<string, ShaderCase> => {
  const next = randomNumbers(11);
  const shapes: readonly WindowFunction[] = ['LINEAR', 'LINEAR_EXACT', 'SIGMOID'];
  return Object.fromEntries(
    Array.from({ length: 24 }, (_, index) => {
      const shape = shapes[index % 3] ?? 'LINEAR';
      const display = { ...windowed(next() * 65536, 2 + next() * 60000, shape), inverted: next() > 0.5 };
      return [`random window ${index} ${shape}`, caseOf(unsignedRamp, { ...display, gamma: 0.4 + next() * 2 })];
    }),
  );
};

/** Device pixels beside the picture, and image pixels that are not device pixels. */
const scaled = (picture: ImageLoad, scale: number, display: ResolvedDisplay): ShaderCase => ({
  picture,
  display,
  view: { centreX: picture.width / 2 + 0.3, centreY: picture.height / 2 - 0.2, scale },
  stage: { width: 90, height: 61 },
});

const turned = (rotation: ResolvedDisplay['rotation'], horizontalFlip: boolean): ShaderCase => {
  const across = rotation === 90 || rotation === 270;
  const { width, height } = oddNoise;
  const display = { ...windowed(2048, 4096), rotation, horizontalFlip };
  return { ...caseOf(oddNoise, display), stage: across ? { width: height, height: width } : { width, height } };
};

/** Any angle, at scales that use each sampling method; only multiples of 90 degrees are sampled by the nearest pixel. */
const askew = (): Record<string, ShaderCase> =>
  Object.fromEntries(
    [17, 45, 90, 301.5].flatMap((rotation) =>
      [0.13, 0.61, 1, 1.7, 3].map((scale) => [
        `askew ${rotation}, scale ${scale}`,
        scaled(scale < 0.2 ? unsignedRamp : oddNoise, scale, {
          ...(scale < 0.2 ? windowed(32768, 65536) : windowed(2048, 4096)),
          rotation,
          horizontalFlip: rotation === 45,
        }),
      ]),
    ),
  );

const paletteCases = (): Record<string, ShaderCase> =>
  Object.fromEntries(
    (['hot', 'cool', 'spectrum', 'bone'] as const).flatMap((palette) => [
      [`palette ${palette}`, caseOf(unsignedRamp, { ...windowed(32768, 65536), palette })],
      [
        `palette ${palette}, inverted, gamma, enlarged`,
        scaled(oddNoise, 2.5, { ...windowed(2048, 4096), palette, inverted: true, gamma: 1.8 }),
      ],
    ]),
  );

/** Means of blocks, the last of them narrower than the others: 101 x 67 image pixels as 51 x 34 and 26 x 17 values. */
const reduced = (reduction: number): ImageLoad => {
  const [columns, rows] = [Math.ceil(101 / reduction), Math.ceil(67 / reduction)];
  const next = randomNumbers(reduction);
  const values = filled(new Uint16Array(columns * rows), () => Math.floor(next() * 4096));
  return { width: 101, height: 67, reduction, pixels: { format: 'u16', values } };
};

const reducedCases = (): Record<string, ShaderCase> =>
  Object.fromEntries(
    [2, 4].flatMap((reduction) =>
      [0.2, 0.3, 0.5, 0.87, 1 / reduction].map((scale) => [
        `reduced by ${reduction}, scale ${scale}`,
        scaled(reduced(reduction), scale, { ...windowed(2048, 4096), rotation: reduction === 4 ? 90 : 0 }),
      ]),
    ),
  );

/** At 1:1 the result must be exact (within one level for gamma); otherwise within one level. */
export const shaderCases = (): Record<string, ShaderCase> => ({
  'ramp, full window': caseOf(unsignedRamp, windowed(32768, 65536)),
  'ramp, narrow window': caseOf(unsignedRamp, windowed(30000, 900)),
  'ramp, window of one value': caseOf(unsignedRamp, windowed(30000, 1)),
  'ramp, window beyond the values': caseOf(unsignedRamp, windowed(70000, 20000)),
  'ramp, inverted': caseOf(unsignedRamp, { ...windowed(32768, 65536), inverted: true }),
  'ramp, MONOCHROME1': caseOf({ ...unsignedRamp, shownInverse: true }, windowed(32768, 65536)),
  'ramp, MONOCHROME1 inverted': caseOf(
    { ...unsignedRamp, shownInverse: true },
    { ...windowed(9000, 4000), inverted: true },
  ),
  'ramp, gamma': caseOf(unsignedRamp, { ...windowed(32768, 65536), gamma: 2.2 }),
  'ramp, sigmoid': caseOf(unsignedRamp, windowed(30000, 12000, 'SIGMOID')),
  'ramp, linear exact': caseOf(unsignedRamp, windowed(30000, 12000, 'LINEAR_EXACT')),
  'ramp, rescale': caseOf(
    { ...unsignedRamp, modality: { kind: 'rescale', slope: 0.5, intercept: -1024 } },
    windowed(40, 400),
  ),
  'signed ramp': caseOf(signedRamp, windowed(0, 65536)),
  'signed ramp, narrow': caseOf(signedRamp, windowed(-1000, 500)),
  'signed ramp, LUT below zero': caseOf(
    { ...signedRamp, voiLuts: [{ kind: 'lut', lut: signedLut }] },
    { ...plainDisplay, voi: { kind: 'lut', index: 0 } },
  ),
  'modality LUT': caseOf({ ...oddNoise, modality: { kind: 'lut', lut: fallingLut } }, windowed(2048, 4096)),
  'modality LUT and VOI LUT': caseOf(
    { ...oddNoise, modality: { kind: 'lut', lut: fallingLut }, voiLuts: [{ kind: 'lut', lut: signedLut }] },
    { ...plainDisplay, voi: { kind: 'lut', index: 0 } },
  ),
  'odd size': caseOf(oddNoise, windowed(2048, 4096)),
  'bytes of odd width': caseOf(bytes, windowed(128, 256)),
  fractions: caseOf(fractions, windowed(0, 120)),
  'colour, as it is': caseOf(colour, plainDisplay),
  'colour, brighter and inverted': caseOf(colour, { ...windowed(100, 120, 'LINEAR_EXACT'), inverted: true }),
  ...Object.fromEntries(
    ([0, 90, 180, 270] as const).flatMap((rotation) =>
      [false, true].map((horizontalFlip) => [
        `turned ${rotation}${horizontalFlip ? ' horizontalFlip' : ''}`,
        turned(rotation, horizontalFlip),
      ]),
    ),
  ),
  'twice as large': scaled(oddNoise, 2, windowed(2048, 4096)),
  'enlarged 3.7 times': scaled(oddNoise, 3.7, windowed(2048, 4096)),
  'enlarged 3.7 times, turned': scaled(oddNoise, 3.7, { ...windowed(2048, 4096), rotation: 90, horizontalFlip: true }),
  'made smaller': scaled(oddNoise, 0.61, windowed(2048, 4096)),
  'made much smaller': scaled(unsignedRamp, 0.13, windowed(32768, 65536)),
  'made smaller than a pixel in sixteen': scaled(unsignedRamp, 0.04, windowed(32768, 65536)),
  'pixels higher than wide': scaled({ ...oddNoise, pixelAspect: 1.3 }, 1, windowed(2048, 4096)),
  'pixels wider than high, turned': scaled({ ...oddNoise, pixelAspect: 0.6 }, 1.1, {
    ...windowed(2048, 4096),
    rotation: 90,
  }),
  'colour enlarged': scaled(colour, 2.3, plainDisplay),
  'colour made smaller': scaled(colour, 0.7, plainDisplay),
  ...askew(),
  ...paletteCases(),
  ...reducedCases(),
  'step, rescaled the other way': caseOf(
    { ...unsignedRamp, modality: { kind: 'rescale', slope: -2, intercept: 3000 } },
    { ...windowed(-50000, 1), inverted: true },
  ),
  'rescaled the other way, enlarged': scaled(
    { ...oddNoise, modality: { kind: 'rescale', slope: -0.25, intercept: 900 } },
    2.2,
    { ...windowed(400, 700), inverted: true },
  ),
  'modality LUT, sigmoid, made smaller': scaled({ ...oddNoise, modality: { kind: 'lut', lut: fallingLut } }, 0.8, {
    ...windowed(2000, 1500, 'SIGMOID'),
    inverted: true,
    gamma: 0.7,
  }),
  'LUT enlarged': scaled({ ...oddNoise, voiLuts: [{ kind: 'lut', lut: fallingLut }] }, 2.5, {
    ...plainDisplay,
    voi: { kind: 'lut', index: 0 },
  }),
  ...randomWindows(),
});
