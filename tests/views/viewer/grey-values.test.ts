import { describe, expect, it, vi } from 'vitest';
import { plainDisplay } from '../../../contract/displays.ts';
import {
  autoWindow,
  fullRange,
  type GreyValues,
  isPreset,
  presetsOf,
  toneOf,
  windowOf,
  windowOfTone,
} from '../../../src/views/workspace/viewer/grey-values.ts';
import { curvePoints, histogramPath, movedHandle } from '../../../src/views/workspace/viewer/histogram-shape.ts';

vi.mock('../../../src/viewer/index.ts', () => import('./viewer-without-gpu.ts'));

const range = { low: 0, high: 4000 };
const lut = { firstInput: 100, values: new Uint16Array(200), bits: 12, explanation: 'Enamel' };
const greyValues = (changes: Partial<GreyValues> = {}): GreyValues => ({
  range,
  shownInverse: false,
  voiLuts: [{ kind: 'lut', lut }],
  original: { ...plainDisplay, voi: { kind: 'window', centre: 1000, width: 500, function: 'LINEAR' } },
  ...changes,
});
const display = (changes = {}) => ({ ...plainDisplay, ...changes });

describe('brightness and contrast', () => {
  it('are zero for the full range', () => {
    const tone = toneOf(display({ voi: fullRange({ range }) }), greyValues());
    expect(tone.brightness).toBeCloseTo(0);
    expect(tone.contrast).toBeCloseTo(0);
  });

  it('round-trip for normal and inverse images', () => {
    for (const inverted of [false, true])
      for (const shownInverse of [false, true]) {
        const image = greyValues({ shownInverse });
        const chosen = { brightness: 30, contrast: -25 };
        const voi = windowOfTone(chosen, display({ inverted }), image);
        const tone = toneOf(display({ inverted, voi }), image);
        expect(tone.brightness).toBeCloseTo(30);
        expect(tone.contrast).toBeCloseTo(-25);
      }
  });

  it('make the image brighter to the right, also for inverse images', () => {
    const brighter = { brightness: 50, contrast: 0 };
    expect(windowOfTone(brighter, display(), greyValues()).centre).toBe(0);
    expect(windowOfTone(brighter, display({ inverted: true }), greyValues()).centre).toBe(4000);
    expect(windowOfTone(brighter, display(), greyValues({ shownInverse: true })).centre).toBe(4000);
  });

  it('halve the window every twenty contrast steps, and keep LINEAR at least one value wide', () => {
    expect(windowOfTone({ brightness: 0, contrast: 20 }, display(), greyValues()).width).toBeCloseTo(2000);
    const tiny = greyValues({ range: { low: 0, high: 2 } });
    expect(windowOfTone({ brightness: 0, contrast: 100 }, display(), tiny).width).toBe(1);
  });
});

describe('the effective window', () => {
  it('is that of the file by default, and the input values of a chosen LUT', () => {
    expect(windowOf(display(), greyValues())).toMatchObject({ centre: 1000, width: 500 });
    expect(windowOf(display({ voi: { kind: 'lut', index: 0 } }), greyValues())).toMatchObject({
      centre: 200,
      width: 200,
    });
  });

  it('clips one percent at either end in auto mode', () => {
    const counts = new Float64Array(100).fill(1);
    const { centre, width } = autoWindow({ low: 0, high: 1000, counts });
    expect(centre).toBeCloseTo(500);
    expect(width).toBeCloseTo(980);
  });

  it('has a positive width when all pixels are equal', () => {
    const counts = new Float64Array(100);
    counts[40] = 1_000;
    expect(autoWindow({ low: 0, high: 1000, counts }).width).toBeGreaterThan(0);
  });
});

describe('the presets of a file', () => {
  const description = {
    windows: [
      { kind: 'window', centre: 1000, width: 500, function: 'LINEAR', explanation: 'BONE' },
      { kind: 'window', centre: 300, width: 400, function: 'LINEAR', explanation: null },
    ],
    frames: null,
  } as unknown as Parameters<typeof presetsOf>[0]['description'];
  const image = { description, voiLuts: greyValues().voiLuts, frame: 1, range };

  it('are all its windows and LUTs by name, and two added ones', () => {
    const presets = presetsOf(image, { low: 0, high: 4000, counts: new Float64Array([1, 1]) });
    expect(presets.map(({ from, explanation, number }) => [from, explanation, number])).toEqual([
      ['window', 'BONE', 1],
      ['window', null, 2],
      ['lut', 'Enamel', 1],
      ['whole', null, 0],
      ['auto', null, 0],
    ]);
  });

  it('include no auto window before the histogram is computed', () => {
    expect(presetsOf(image, null).map(({ from }) => from)).toEqual(['window', 'window', 'lut', 'whole']);
  });

  it('are those of the frame where frames have their own', () => {
    const own = { kind: 'window', centre: 7, width: 8, function: 'LINEAR', explanation: 'second' };
    const framed = { ...description, frames: [{ windows: null }, { windows: [own] }] } as unknown as typeof description;
    expect(presetsOf({ ...image, description: framed, frame: 2, voiLuts: [] }, null)[0]?.explanation).toBe('second');
  });

  it('recognize the one in use', () => {
    const [bone, other, enamel] = presetsOf(image, null);
    const now = { kind: 'window', centre: 1000, width: 500, function: 'LINEAR' } as const;
    expect([bone, other, enamel].map((one) => one && isPreset(one, now))).toEqual([true, false, false]);
    expect(enamel && isPreset(enamel, { kind: 'lut', index: 0 })).toBe(true);
  });
});

describe('the handles of the window', () => {
  const window = { centre: 500, width: 200 };

  it('move one edge and keep the other', () => {
    expect(movedHandle('low', 300, window, 1)).toEqual({ centre: 450, width: 300 });
    expect(movedHandle('high', 700, window, 1)).toEqual({ centre: 550, width: 300 });
    expect(movedHandle('centre', 900, window, 1)).toEqual({ centre: 900, width: 200 });
  });

  it('never cross', () => {
    expect(movedHandle('low', 5000, window, 2)).toEqual({ centre: 599, width: 2 });
    expect(movedHandle('high', -5000, window, 2)).toEqual({ centre: 401, width: 2 });
  });

  it('draw a line from black to white, reversed for inverse images', () => {
    expect(curvePoints(window, { low: 0, high: 1000 }, false, 100, 50)).toBe('0,50 40,50 60,0 100,0');
    expect(curvePoints(window, { low: 0, high: 1000 }, true, 100, 50)).toBe('0,0 40,0 60,50 100,50');
    // A window wider than the image: neither black nor white is reached.
    expect(curvePoints({ centre: 500, width: 2000 }, { low: 0, high: 1000 }, false, 100, 50)).toBe(
      '0,37.5 0,37.5 100,12.5 100,12.5',
    );
  });

  it('is not flattened by one spike of background', () => {
    const path = histogramPath({ counts: new Float64Array([1_000_000, 4, 16, 4, 0]) }, 100, 10);
    expect(path).toContain('40.0,0.0 60.0,0.0');
    expect(path).toContain('20.0,5.0 40.0,5.0');
  });
});
