import { describe, expect, it } from 'vitest';
import { readDicomFile } from '../../dicom/file.ts';
import {
  defaultDisplay,
  fullWindow,
  greyOf,
  isInverted,
  modalityValue,
  renderGrey,
  voisOf,
  windowed,
} from '../../dicom/grey.ts';
import { describeImage } from '../../dicom/image-description.ts';
import type { DisplaySettings, DisplayWindow, WindowFunction } from '../../dicom/image-model.ts';
import { bytesOf, element, item, type PictureHeader, part10, pictureHeader, us, words } from './build-dicom.ts';

const windowOf = (centre: number, width: number, fn: WindowFunction = 'LINEAR'): DisplayWindow => ({
  kind: 'window',
  centre,
  width,
  function: fn,
  explanation: null,
});

const described = (header: Partial<PictureHeader>, presentation: Uint8Array = new Uint8Array(0)) => {
  const set = bytesOf(
    pictureHeader({ rows: 1, columns: 2, bits: 16, stored: 12, ...header }),
    presentation,
    element(0x7fe00010, 'OW', [0, 0, 0, 0]),
  );
  const description = describeImage(readDicomFile(part10(set)));
  if (!description) throw new Error('no picture');
  return description;
};

describe('windows', () => {
  it('LINEAR follows PS3.3 C.11.2.1.2.1: c=2048 w=4096 maps 0..4095', () => {
    const full = windowOf(2048, 4096);
    expect(windowed(full, 0)).toBe(0);
    expect(windowed(full, 4095)).toBe(1);
    expect(windowed(full, 2047.5)).toBe(0.5);
  });

  it('LINEAR of width 1 is a threshold', () => {
    expect(windowed(windowOf(1, 1), 0)).toBe(0);
    expect(windowed(windowOf(1, 1), 1)).toBe(1);
    // The standard's example: c=0 w=1 shows values below 0 black, from 0 on white.
    expect(windowed(windowOf(0, 1), -1)).toBe(0);
    expect(windowed(windowOf(0, 1), 0)).toBe(1);
  });

  it('LINEAR against the formula of the standard, over values and windows', () => {
    for (const [c, w] of [
      [0, 100],
      [0.5, 1],
      [-12.25, 33.5],
      [400, 2],
      [1000, 4000],
    ] as const) {
      for (let x = -3000; x <= 3000; x += 13.5) {
        const low = c - 0.5 - (w - 1) / 2;
        const high = c - 0.5 + (w - 1) / 2;
        const expected = x <= low ? 0 : x > high ? 1 : (x - (c - 0.5)) / (w - 1) + 0.5;
        expect(windowed(windowOf(c, w), x)).toBeCloseTo(expected, 12);
      }
    }
  });

  it('LINEAR_EXACT and SIGMOID', () => {
    expect(windowed(windowOf(0, 100, 'LINEAR_EXACT'), -50)).toBe(0);
    expect(windowed(windowOf(0, 100, 'LINEAR_EXACT'), 25)).toBe(0.75);
    expect(windowed(windowOf(0, 100, 'LINEAR_EXACT'), 51)).toBe(1);
    expect(windowed(windowOf(10, 100, 'SIGMOID'), 10)).toBe(0.5);
    expect(windowed(windowOf(0, 100, 'SIGMOID'), 25)).toBeCloseTo(1 / (1 + Math.exp(-1)), 12);
  });
});

describe('the order of the pipeline', () => {
  const lut = { firstInput: 10, values: Uint16Array.of(0, 100, 255), bits: 8, explanation: null };

  it('rescales with fractions, then windows', () => {
    const modality = { kind: 'rescale', slope: 0.5, intercept: -10 } as const;
    expect(modalityValue(modality, 21)).toBe(0.5);
    const display: DisplaySettings = { modality, voi: windowOf(0, 2, 'LINEAR_EXACT'), inverted: false };
    expect(greyOf(display, 21)).toBe(0.75);
    expect(greyOf({ ...display, inverted: true }, 21)).toBe(0.25);
  });

  it('clamps at both ends of a table', () => {
    const identity = { kind: 'rescale', slope: 1, intercept: 0 } as const;
    const display: DisplaySettings = { modality: identity, voi: { kind: 'lut', lut }, inverted: false };
    expect([-5, 10, 11, 12, 4000].map((value) => Math.round(greyOf(display, value) * 255))).toEqual([
      0, 0, 100, 255, 255,
    ]);
    expect(modalityValue({ kind: 'lut', lut }, 11)).toBe(100);
  });

  it('shows 8-bit and 16-bit pictures alike, with or without a table of all values', () => {
    const display: DisplaySettings = {
      modality: { kind: 'rescale', slope: 1, intercept: 0 },
      voi: windowOf(500, 1000, 'LINEAR_EXACT'),
      inverted: false,
    };
    const some = renderGrey(
      { rows: 1, columns: 3, samples: 1, bits: 16, pixels: Int16Array.of(-5, 500, 1000) },
      display,
    );
    expect([...some]).toEqual([0, 128, 255]);
    const pixels = Int16Array.from({ length: 1001 }, (_, index) => index);
    const many = renderGrey({ rows: 1, columns: 1001, samples: 1, bits: 16, pixels }, display);
    expect([many[0], many[500], many[1000]]).toEqual([0, 128, 255]);
    const float = renderGrey({ rows: 1, columns: 2, samples: 1, bits: 32, pixels: Float32Array.of(0.5, 250) }, display);
    expect([...float]).toEqual([0, 64]);
  });
});

describe('header attributes', () => {
  const inverse = element(0x20500020, 'CS', 'INVERSE');

  it('inverts MONOCHROME1 or the shape INVERSE, and both together once', () => {
    expect(isInverted(described({}))).toBe(false);
    expect(isInverted(described({ photometric: 'MONOCHROME1' }))).toBe(true);
    expect(isInverted(described({}, inverse))).toBe(true);
    expect(isInverted(described({ photometric: 'MONOCHROME1' }, inverse))).toBe(true);
  });

  it('uses the first window, else the full range without padding', () => {
    const more = bytesOf(element(0x00281050, 'DS', '40\\50'), element(0x00281051, 'DS', '400\\60'));
    const windows = defaultDisplay(described({ more }), 0, Uint16Array.of(0, 9));
    expect(windows.voi).toMatchObject({ centre: 40, width: 400, function: 'LINEAR' });
    const padded = described({ more: element(0x00280120, 'US', [0, 0]) });
    expect(defaultDisplay(padded, 0, Uint16Array.of(0, 100, 300)).voi).toMatchObject({ centre: 200, width: 200 });
    expect(defaultDisplay(padded, 0, Uint16Array.of(0, 0)).voi).toMatchObject({
      kind: 'window',
      centre: 0.5,
      width: 1,
    });
  });

  it('prefers the VOI LUT when the window spans all stored bits', () => {
    const table = bytesOf(us(0x00283002, [2, 0, 8]), element(0x00283006, 'OW', words([0, 255])));
    const more = (centre: string, width: string) =>
      bytesOf(
        element(0x00281050, 'DS', centre),
        element(0x00281051, 'DS', width),
        element(0x00283010, 'SQ', item(table)),
      );
    const kinds = (centre: string, width: string) =>
      voisOf(described({ more: more(centre, width) }), 0).map(({ kind }) => kind);
    expect(kinds('2048', '4096')).toEqual(['lut', 'window']);
    expect(kinds('1000', '900')).toEqual(['window', 'lut']);
  });

  it('ignores windows of width 0', () => {
    const more = bytesOf(element(0x00281050, 'DS', '1'), element(0x00281051, 'DS', '0'));
    expect(described({ more }).windows).toEqual([]);
  });

  it('supports a descending Modality LUT', () => {
    const lut = { firstInput: 0, values: Uint16Array.of(900, 500, 100), bits: 16, explanation: null };
    expect(fullWindow({ kind: 'lut', lut }, Uint8Array.of(0, 1, 2))).toMatchObject({ centre: 500, width: 800 });
  });
});
