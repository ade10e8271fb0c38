import { describe, expect, it, vi } from 'vitest';
import { plainDisplay } from '../../../contract/displays.ts';
import { autoWindow, type Greys, toneOf, wholeRange, windowOf, windowOfTone } from '../../../src/views/viewer/greys.ts';
import { curvePoints, histogramPath, movedHandle } from '../../../src/views/viewer/histogram-shape.ts';
import { isPreset, presetsOf } from '../../../src/views/viewer/presets.ts';

vi.mock('../../../src/viewer/index.ts', () => import('./door.ts'));

const range = { low: 0, high: 4000 };
const lut = { firstInput: 100, values: new Uint16Array(200), bits: 12, explanation: 'Enamel' };
const greys = (changes: Partial<Greys> = {}): Greys => ({
  range,
  shownInverse: false,
  voiLuts: [{ kind: 'lut', lut }],
  original: { ...plainDisplay, voi: { kind: 'window', centre: 1000, width: 500, function: 'LINEAR' } },
  ...changes,
});
const display = (changes = {}) => ({ ...plainDisplay, ...changes });

describe('brightness and contrast', () => {
  it('are nought where the whole range is shown', () => {
    const tone = toneOf(display({ voi: wholeRange({ range }) }), greys());
    expect(tone.brightness).toBeCloseTo(0);
    expect(tone.contrast).toBeCloseTo(0);
  });

  it('come back as they were set, whatever way round the greys are', () => {
    for (const inverted of [false, true])
      for (const shownInverse of [false, true]) {
        const image = greys({ shownInverse });
        const wanted = { brightness: 30, contrast: -25 };
        const voi = windowOfTone(wanted, display({ inverted }), image);
        const tone = toneOf(display({ inverted, voi }), image);
        expect(tone.brightness).toBeCloseTo(30);
        expect(tone.contrast).toBeCloseTo(-25);
      }
  });

  it('make brighter to the right: the middle grey falls to a lower value, and rises where greys are turned round', () => {
    const brighter = { brightness: 50, contrast: 0 };
    expect(windowOfTone(brighter, display(), greys()).centre).toBe(0);
    expect(windowOfTone(brighter, display({ inverted: true }), greys()).centre).toBe(4000);
    expect(windowOfTone(brighter, display(), greys({ shownInverse: true })).centre).toBe(4000);
  });

  it('halve the window with every twenty steps of contrast, and keep LINEAR at least one value wide', () => {
    expect(windowOfTone({ brightness: 0, contrast: 20 }, display(), greys()).width).toBeCloseTo(2000);
    const tiny = greys({ range: { low: 0, high: 2 } });
    expect(windowOfTone({ brightness: 0, contrast: 100 }, display(), tiny).width).toBe(1);
  });
});

describe('the window that is meant', () => {
  it('is that of the file where nobody has chosen one, and the values of the LUT where one is chosen', () => {
    expect(windowOf(display(), greys())).toMatchObject({ centre: 1000, width: 500 });
    expect(windowOf(display({ voi: { kind: 'lut', index: 0 } }), greys())).toMatchObject({ centre: 200, width: 200 });
  });

  it('leaves a hundredth at either end when automatic', () => {
    const counts = new Float64Array(100).fill(1);
    const { centre, width } = autoWindow({ low: 0, high: 1000, counts });
    expect(centre).toBeCloseTo(500);
    expect(width).toBeCloseTo(980);
  });

  it('has some width even where all pixels are equal', () => {
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
  const image = { description, voiLuts: greys().voiLuts, frame: 1, range };

  it('are all its windows and LUTs by their names, and two of ours', () => {
    const presets = presetsOf(image, { low: 0, high: 4000, counts: new Float64Array([1, 1]) });
    expect(presets.map(({ from, explanation, number }) => [from, explanation, number])).toEqual([
      ['window', 'BONE', 1],
      ['window', null, 2],
      ['lut', 'Enamel', 3],
      ['whole', null, 0],
      ['auto', null, 0],
    ]);
  });

  it('have nothing automatic before the values are counted', () => {
    expect(presetsOf(image, null).map(({ from }) => from)).toEqual(['window', 'window', 'lut', 'whole']);
  });

  it('are those of the frame where frames have their own', () => {
    const own = { kind: 'window', centre: 7, width: 8, function: 'LINEAR', explanation: 'second' };
    const framed = { ...description, frames: [{ windows: null }, { windows: [own] }] } as unknown as typeof description;
    expect(presetsOf({ ...image, description: framed, frame: 2, voiLuts: [] }, null)[0]?.explanation).toBe('second');
  });

  it('know which of them is shown', () => {
    const [bone, other, enamel] = presetsOf(image, null);
    const now = { kind: 'window', centre: 1000, width: 500, function: 'LINEAR' } as const;
    expect([bone, other, enamel].map((one) => one && isPreset(one, now))).toEqual([true, false, false]);
    expect(enamel && isPreset(enamel, { kind: 'lut', index: 0 })).toBe(true);
  });
});

describe('the handles of the window', () => {
  const window = { centre: 500, width: 200 };

  it('move an edge and leave the other one', () => {
    expect(movedHandle('low', 300, window, 1)).toEqual({ centre: 450, width: 300 });
    expect(movedHandle('high', 700, window, 1)).toEqual({ centre: 550, width: 300 });
    expect(movedHandle('centre', 900, window, 1)).toEqual({ centre: 900, width: 200 });
  });

  it('never cross', () => {
    expect(movedHandle('low', 5000, window, 2)).toEqual({ centre: 599, width: 2 });
    expect(movedHandle('high', -5000, window, 2)).toEqual({ centre: 401, width: 2 });
  });

  it('draw a line from black to white, and the other way round where greys are turned round', () => {
    expect(curvePoints(window, { low: 0, high: 1000 }, false, 100, 50)).toBe('0,50 40,50 60,0 100,0');
    expect(curvePoints(window, { low: 0, high: 1000 }, true, 100, 50)).toBe('0,0 40,0 60,50 100,50');
    // A window wider than the picture: neither black nor white is reached.
    expect(curvePoints({ centre: 500, width: 2000 }, { low: 0, high: 1000 }, false, 100, 50)).toBe(
      '0,37.5 0,37.5 100,12.5 100,12.5',
    );
  });

  it('stand over a shape that one spike of background does not flatten', () => {
    const path = histogramPath({ counts: new Float64Array([1_000_000, 4, 16, 4, 0]) }, 100, 10);
    expect(path).toContain('40.0,0.0 60.0,0.0');
    expect(path).toContain('20.0,5.0 40.0,5.0');
  });
});
