import { describe, expect, it } from 'vitest';
import { plainDisplay } from '../../contract/displays.ts';
import { greyOf } from '../../dicom/grey.ts';
import type { LookupTable, Modality, Voi, WindowFunction } from '../../dicom/image-model.ts';
import { sampledValue, shownGrey } from '../../src/viewer/shaders/window/reference.ts';
import { samplingFor, variantOf, voiOf, type WindowUniforms } from '../../src/viewer/shaders/window/uniforms.ts';

const lut = (firstInput: number, length: number, bits: number): LookupTable => ({
  firstInput,
  bits,
  explanation: null,
  values: Uint16Array.from({ length }, (_, index) => (index * 977) % 2 ** bits),
});
const windowOf = (centre: number, width: number, shape: WindowFunction): Voi => ({
  kind: 'window',
  centre,
  width,
  function: shape,
  explanation: null,
});

const modalities: readonly Modality[] = [
  { kind: 'rescale', slope: 1, intercept: 0 },
  { kind: 'rescale', slope: 2, intercept: -1024 },
  { kind: 'lut', lut: lut(-500, 3000, 16) },
];
const vois: readonly Voi[] = [
  windowOf(1000, 1, 'LINEAR'),
  windowOf(40, 400, 'LINEAR'),
  windowOf(1000.5, 2001, 'LINEAR'),
  windowOf(300, 777, 'LINEAR_EXACT'),
  windowOf(300, 777, 'SIGMOID'),
  { kind: 'lut', lut: lut(-1024, 4096, 12) },
];

const uniformsOf = (modality: Modality, voi: Voi, inverted: boolean): WindowUniforms => ({
  samples: 'SIGNED',
  modality,
  voi,
  inverted,
  inverseGamma: 1,
  palette: 'grey',
});

describe('shader reference', () => {
  it('matches the grey pipeline of dicom/ for every stored value', () => {
    let compared = 0;
    for (const modality of modalities) {
      for (const voi of vois) {
        for (const inverted of [false, true]) {
          const uniforms = uniformsOf(modality, voi, inverted);
          for (let stored = -3000; stored <= 5000; stored += 7) {
            const difference = Math.abs(shownGrey(stored, uniforms) - greyOf({ modality, voi, inverted }, stored));
            if (difference > 1e-9) throw new Error(`${voi.kind} at ${stored}: off by ${difference}`);
            compared++;
          }
        }
      }
    }
    expect(compared).toBeGreaterThan(40_000);
  });

  it('applies gamma after inversion', () => {
    const uniforms = {
      ...uniformsOf({ kind: 'rescale', slope: 1, intercept: 0 }, windowOf(0.5, 1, 'LINEAR_EXACT'), true),
      inverseGamma: 0.5,
    };
    expect(shownGrey(0.19, uniforms)).toBeCloseTo(0.9, 9);
  });

  it('throws for a LUT that the image does not have', () => {
    expect(() => voiOf({ voiLuts: [] }, { ...plainDisplay, voi: { kind: 'lut', index: 1 } })).toThrow(RangeError);
  });

  it('names the program by what the picture and display need', () => {
    const uniforms = uniformsOf({ kind: 'lut', lut: lut(0, 2, 8) }, windowOf(1, 2, 'SIGMOID'), false);
    expect(variantOf(uniforms, 'AREA')).toEqual({
      samples: 'SIGNED',
      sampling: 'AREA',
      output: 'SHOWN',
      modality: 'LUT',
      voi: 'SIGMOID',
      gamma: 'NONE',
      palette: 'GREY',
    });
    expect([0, 90, 270, 17, 45].map((rotation) => samplingFor(1, 1, false, rotation))).toEqual([
      'NEAREST',
      'NEAREST',
      'NEAREST',
      'CUBIC',
      'CUBIC',
    ]);
    expect([0.5, 1, 1.01].map((scale) => samplingFor(scale))).toEqual(['AREA', 'NEAREST', 'CUBIC']);
  });
});

describe('sampling', () => {
  const width = 9;
  const height = 7;
  const ramp = { width, height, stored: (column: number, row: number) => 10 * column + 3 * row };
  const flat = { width, height, stored: () => 42 };

  it.each(['NEAREST', 'LINEAR', 'CUBIC', 'AREA'] as const)(
    '%s keeps a uniform picture uniform, up to its edges',
    (sampling) => {
      for (const [x, y] of [
        [0.01, 0.01],
        [4.3, 3.9],
        [8.99, 6.99],
      ] as const) {
        expect(sampledValue(flat, x, y, sampling, { x: 2.7, y: 2.7 })).toBeCloseTo(42, 9);
      }
    },
  );

  it.each(['LINEAR', 'CUBIC'] as const)('%s follows a ramp and is exact at the pixel centres', (sampling) => {
    expect(sampledValue(ramp, 4.5, 3.5, sampling, { x: 1, y: 1 })).toBeCloseTo(49, 9);
    expect(sampledValue(ramp, 4.75, 3.25, sampling, { x: 1, y: 1 })).toBeCloseTo(10 * 4.25 + 3 * 2.75, 9);
  });

  it('averages exactly the pixels under a device pixel', () => {
    // From 2 to 5 across and 1 to 4 down: nine whole pixels.
    expect(sampledValue(ramp, 3.5, 2.5, 'AREA', { x: 3, y: 3 })).toBeCloseTo(36, 9);
    // Half of pixel 2, half of pixel 3.
    const columns = { width, height, stored: (column: number) => column ** 2 };
    expect(sampledValue(columns, 3, 2.5, 'AREA', { x: 1, y: 1 })).toBeCloseTo((4 + 9) / 2, 9);
  });
});
