import { describe, expect, it } from 'vitest';
import { newId } from '../../contract/new-id.ts';
import type { PixelSpacing, UltrasoundRegion } from '../../dicom/image-model.ts';
import { distanceToLine } from '../../src/viewer/scene/distance.ts';
import { sameMarks } from '../../src/viewer/scene/marks.ts';
import {
  angleAt,
  angleBetween,
  lengthBetween,
  type MeasurementScale,
  measured,
  measuredText,
  measurementScaleOf,
  type StageTexts,
  widthsBetween,
} from '../../src/viewer/scene/measure.ts';
import type { Mark } from '../../src/viewer/scene/scene.ts';
import { randomOf } from '../random-of.ts';

const words: StageTexts = {
  mm: 'mm',
  px: 'px',
  calibrated: 'kalibrerad',
  atDetector: 'vid detektorn',
  onFilm: 'på filmen',
  stated: 'enligt filen',
  estimated: 'beräknad',
  notCalibrated: 'ej kalibrerad',
  inRegion: 'enligt ultraljudet',
  outsideRegion: 'utanför',
  kinds: {
    length: 'Längd',
    angle: 'Vinkel',
    calibrate: 'Kalibrering',
    arrow: 'Pil',
    text: 'Text',
    rectangle: 'Rektangel',
    ellipse: 'Ellips',
    freehand: 'Frihandslinje',
    polyline: 'Längd längs en kurva',
    area: 'Yta',
    lineAngle: 'Vinkel mellan två linjer',
    ratio: 'Bennivå, kvot',
    profile: 'Gråvärdesprofil',
  },
  marks: 'Markeringar',
  ratioPoints: ['Emalj–cementgräns', 'Bennivå', 'Apex'],
  textField: 'Text i bilden',
};
/** The text of a mark that measures something. */
const textOf = (shape: Parameters<typeof measured>[0], yardstick: MeasurementScale, locale: string) => {
  const value = measured(shape, yardstick);
  if (!value) throw new Error('it measures nothing');
  return measuredText(value, words, locale);
};
const imageWith = (spacing: PixelSpacing | null, pixelAspect = 1) => ({
  frame: 1,
  pixelAspect,
  description: { spacing, frames: null, ultrasoundRegions: [] },
});
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

describe('angles', () => {
  const even = measurementScaleOf(imageWith(null), null);
  it.each([
    [[10, 0], [0, 0], [0, 10], 90],
    [[10, 0], [0, 0], [-10, 0], 180],
    [[10, 0], [0, 0], [10, 10], 45],
    [[10, 0], [0, 0], [10, -10], 45],
    [[5, 5], [5, 5], [9, 9], 0],
  ] as const)('%j %j %j', (from, vertex, to, degrees) => {
    expect(angleAt([...from], [...vertex], [...to], even)).toBeCloseTo(degrees, 9);
  });

  it('are measured in millimetres, not in pixels', () => {
    const tall = measurementScaleOf(imageWith({ rowMm: 0.2, columnMm: 0.1, kind: 'patient' }, 2), null);
    expect(angleAt([10, 0], [0, 0], [10, 5], tall)).toBeCloseTo(45, 9);
    const points: [number, number][] = [
      [10, 0],
      [0, 0],
      [10, 5],
    ];
    expect(textOf({ kind: 'angle', points }, tall, 'sv')).toBe('45,0°');
    expect(textOf({ kind: 'angle', points }, tall, 'en')).toBe('45.0°');
  });
});

describe('angles of two lines', () => {
  const even = measurementScaleOf(imageWith(null), null);
  const random = randomOf(22);
  const at = (): [number, number] => [random(4000) / 10, random(3000) / 10];

  it('are those between their directions, wherever the lines lie and whichever end was drawn first', () => {
    for (let round = 0; round < 200; round += 1) {
      const [one, other] = [random(360), random(360)];
      const apart = Math.abs(one - other) % 180;
      const degrees = Math.min(apart, 180 - apart);
      const lineAt = (angle: number) => {
        const [x, y] = at();
        const length = 5 + random(200);
        const radians = (angle * Math.PI) / 180;
        const to: [number, number] = [x + length * Math.cos(radians), y + length * Math.sin(radians)];
        return random(2) === 0 ? [[x, y] as [number, number], to] : [to, [x, y] as [number, number]];
      };
      const points = [...lineAt(one), ...lineAt(other)];
      expect(angleBetween(points, even)).toBeCloseTo(degrees, 6);
      expect(measured({ kind: 'lineAngle', points }, even)?.supplement).toBeCloseTo(180 - degrees, 6);
    }
  });

  it('are written with the other angle, because lines have no direction', () => {
    const points: [number, number][] = [
      [0, 0],
      [10, 0],
      [50, 50],
      [60, 60],
    ];
    expect(textOf({ kind: 'lineAngle', points }, even, 'sv')).toBe('45,0° / 135,0°');
    expect(measured({ kind: 'lineAngle', points: points.slice(0, 3) }, even)).toBeNull();
  });
});

describe('ratios', () => {
  const points: [number, number][] = [
    [10, 10],
    [10, 40],
    [10, 110],
  ];

  it('are the same without and with a scale, and in percent', () => {
    const bare = measurementScaleOf(imageWith(null), null);
    const calibrated = measurementScaleOf(imageWith(null), { mmPerPixel: 0.031 });
    expect(measured({ kind: 'ratio', points }, bare)).toMatchObject({ value: 30, unit: '%' });
    expect(measured({ kind: 'ratio', points }, calibrated)?.value).toBeCloseTo(30, 9);
    expect(measured({ kind: 'ratio', points }, measurementScaleOf(imageWith(null), 'unknown'))?.value).toBeCloseTo(
      30,
      9,
    );
    expect(textOf({ kind: 'ratio', points }, bare, 'en')).toBe('30%');
    expect(textOf({ kind: 'ratio', points }, bare, 'sv')).toBe('30\u00a0%');
  });

  it('have no value while the third point is missing or where the first one is', () => {
    const bare = measurementScaleOf(imageWith(null), null);
    expect(measured({ kind: 'ratio', points: points.slice(0, 2) }, bare)).toBeNull();
    expect(
      measured(
        {
          kind: 'ratio',
          points: [
            [1, 1],
            [5, 5],
            [1, 1],
          ],
        },
        bare,
      ),
    ).toBeNull();
  });
});

describe('marks', () => {
  const mark: Mark = {
    id: 'a',
    kind: 'length',
    frame: 1,
    points: [
      [1, 2],
      [3, 4],
    ],
  };
  it('are compared by value', () => {
    expect(
      sameMarks(
        [mark],
        [
          {
            ...mark,
            points: [
              [1, 2],
              [3, 4],
            ],
          },
        ],
      ),
    ).toBe(true);
    expect(
      sameMarks(
        [mark],
        [
          {
            ...mark,
            points: [
              [1, 2],
              [3, 5],
            ],
          },
        ],
      ),
    ).toBe(false);
    expect(sameMarks([mark], [{ ...mark, frame: 2 }])).toBe(false);
    expect(sameMarks([mark], [])).toBe(false);
    expect(sameMarks([mark], [{ ...mark, id: 'b' }])).toBe(false);
  });

  it('are hit on the segment, not on its extension', () => {
    const [from, to] = [
      { x: 0, y: 0 },
      { x: 10, y: 0 },
    ];
    expect(distanceToLine({ x: 4, y: 3 }, from, to)).toBe(3);
    expect(distanceToLine({ x: 14, y: 3 }, from, to)).toBe(5);
    expect(distanceToLine({ x: 3, y: 4 }, from, from)).toBe(5);
  });

  it('have unique ids', () => {
    const ids = new Set(Array.from({ length: 100 }, newId));
    expect(ids.size).toBe(100);
    for (const id of ids) expect(id).toMatch(/^[\da-f]{8}-[\da-f]{4}-4[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/);
  });
});
