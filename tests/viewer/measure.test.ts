import { describe, expect, it } from 'vitest';
import type { PixelSpacing, UltrasoundRegion } from '../../dicom/image-model.ts';
import { lengthBetween, measurementScaleOf, widthsBetween } from '../../src/viewer/scene/measure.ts';
import { imageWith, textOf } from './measure-fixtures.ts';

const square = (kind: PixelSpacing['kind']): PixelSpacing => ({ rowMm: 0.02, columnMm: 0.02, kind });
const line = {
  kind: 'length',
  points: [
    [0, 0],
    [300, 400],
  ],
} as const;
const text = (image: ReturnType<typeof imageWith>, calibration: { mmPerPixel: number } | null = null) =>
  textOf(
    {
      kind: line.kind,
      points: [
        [0, 0],
        [300, 400],
      ],
    },
    measurementScaleOf(image, calibration),
    'sv',
  );

describe('lengths', () => {
  it('report the source of the spacing', () => {
    expect(text(imageWith(square('patient')))).toBe('10,0 mm');
    expect(text(imageWith(square('detector')))).toBe('10,0 mm vid detektorn');
    expect(text(imageWith(square('film')))).toBe('10,0 mm på filmen');
    expect(text(imageWith(square('stated')))).toBe('10,0 mm enligt filen');
    expect(text(imageWith(square('estimated')))).toBe('10,0 mm beräknad');
    expect(text(imageWith(null))).toBe('500 px ej kalibrerad');
    expect(text(imageWith(square('detector')), { mmPerPixel: 0.018 })).toBe('9,0 mm kalibrerad');
    expect(text(imageWith(null), { mmPerPixel: 0.1234 })).toBe('61,7 mm kalibrerad');
  });

  it('use the pixel aspect ratio', () => {
    const tall: PixelSpacing = { rowMm: 0.5, columnMm: 0.25, kind: 'patient' };
    const yardstick = measurementScaleOf(imageWith(tall, 2), null);
    expect(lengthBetween([0, 0], [40, 0], yardstick)).toBeCloseTo(10, 12);
    expect(lengthBetween([0, 0], [0, 40], yardstick)).toBeCloseTo(20, 12);
    const bare = measurementScaleOf(imageWith(null, 2), null);
    expect(lengthBetween([0, 0], [0, 40], bare)).toBeCloseTo(80, 12);
    const calibrated = measurementScaleOf(imageWith(null, 2), { mmPerPixel: 0.1 });
    expect(lengthBetween([0, 0], [30, 20], calibrated)).toBeCloseTo(5, 12);
    expect(widthsBetween([0, 0], [30, 20], 2)).toBeCloseTo(50, 12);
  });

  it('use the spacing of their frame', () => {
    const frames = [null, square('patient')].map((spacing) => ({ modality: null, windows: null, spacing }));
    const image = {
      frame: 2,
      pixelAspect: 1,
      description: { spacing: square('detector'), frames, ultrasoundRegions: [] },
    };
    expect(measurementScaleOf(image, null)).toMatchObject({ spacingSource: 'patient' });
    expect(measurementScaleOf({ ...image, frame: 1 }, null)).toMatchObject({ spacingSource: 'detector' });
  });
});

describe('lengths of an ultrasound image', () => {
  const pixel = { columnMm: 0.1, rowMm: 0.2 };
  const tissue = { left: 10, top: 20, right: 110, bottom: 220, pixel };
  const withRegions = (...ultrasoundRegions: readonly UltrasoundRegion[]) => ({
    frame: 1,
    pixelAspect: 1,
    description: { spacing: square('patient'), frames: null, ultrasoundRegions },
  });
  const lengthOf = (
    image: ReturnType<typeof withRegions>,
    from: [number, number],
    to: [number, number],
    calibration: { mmPerPixel: number } | null = null,
  ) => textOf({ kind: 'length', points: [from, to] }, measurementScaleOf(image, calibration, [from, to]), 'sv');

  it('are in millimetres inside a calibrated region, by its width and height of a pixel', () => {
    const image = withRegions(tissue);
    expect(lengthOf(image, [10, 20], [110, 20])).toBe('10,0 mm enligt ultraljudet');
    expect(lengthOf(image, [50, 20], [50, 120])).toBe('20,0 mm enligt ultraljudet');
    expect(lengthOf(image, [10, 20], [110, 220])).toBe('41,2 mm enligt ultraljudet');
  });

  it('are in pixels where an end is outside, whatever Pixel Spacing says', () => {
    const image = withRegions(tissue);
    expect(lengthOf(image, [10, 20], [111, 20])).toBe('101 px utanför');
    expect(lengthOf(image, [9, 20], [110, 20])).toBe('101 px utanför');
    expect(lengthOf(image, [0, 0], [3, 4])).toBe('5 px utanför');
  });

  it('are in pixels between regions, and where regions disagree', () => {
    const right = { ...tissue, left: 110, right: 210 };
    const trace = { left: 0, top: 200, right: 300, bottom: 300, pixel: null };
    // Two regions side by side with the same scale are still two pictures.
    expect(lengthOf(withRegions(tissue, right), [50, 50], [150, 50])).toBe('100 px utanför');
    expect(lengthOf(withRegions(tissue, trace), [50, 50], [50, 210])).toBe('160 px utanför');
    expect(lengthOf(withRegions(trace, tissue), [50, 210], [60, 210])).toBe('10 px utanför');
    const colour = { left: 40, top: 40, right: 60, bottom: 60, pixel };
    expect(lengthOf(withRegions(tissue, colour), [50, 50], [100, 50])).toBe('5,0 mm enligt ultraljudet');
    const other = { ...colour, pixel: { columnMm: 0.3, rowMm: 0.2 } };
    expect(lengthOf(withRegions(tissue, other), [50, 50], [100, 50])).toBe('50 px utanför');
  });

  it('have angles and ratios that say so where the scale is not known', () => {
    const image = withRegions(tissue);
    const textAt = (kind: 'angle' | 'ratio', points: [number, number][]) =>
      textOf({ kind, points }, measurementScaleOf(image, null, points), 'sv');
    const inside: [number, number][] = [
      [110, 20],
      [10, 20],
      [10, 70],
    ];
    const beyond = inside.map(([x, y]): [number, number] => [x + 1, y]);
    expect(textAt('angle', inside)).toBe('90,0°');
    expect(textAt('angle', beyond)).toBe('90,0° utanför');
    expect(textAt('ratio', inside)).toBe('71\u00a0%');
    expect(textAt('ratio', beyond)).toBe('89\u00a0% utanför');
  });

  it('follow a calibration by the user everywhere', () => {
    expect(lengthOf(withRegions(tissue), [0, 0], [300, 0], { mmPerPixel: 0.1 })).toBe('30,0 mm kalibrerad');
  });

  it('have no one scale for the whole image', () => {
    expect(measurementScaleOf(withRegions(tissue), null)).toMatchObject({ unit: 'px', spacingSource: 'region' });
  });
});
