import { describe, expect, it } from 'vitest';
import type { PixelSpacing } from '../../dicom/image-model.ts';
import { distanceToLine } from '../../src/viewer/gesture/mark-hit.ts';
import { newId } from '../../src/viewer/gesture/new-id.ts';
import { sameMarks } from '../../src/viewer/scene/marks.ts';
import {
  angleAt,
  lengthBetween,
  measured,
  measuredText,
  type StageWords,
  widthsBetween,
  yardstickOf,
} from '../../src/viewer/scene/measure.ts';
import type { Mark } from '../../src/viewer/scene/scene.ts';

const words: StageWords = {
  mm: 'mm',
  px: 'px',
  calibrated: 'kalibrerad',
  atDetector: 'vid detektorn',
  notCalibrated: 'ej kalibrerad',
  length: 'Längd',
  angle: 'Vinkel',
  calibration: 'Kalibrering',
  measurements: 'Mätningar',
};
const imageWith = (spacing: PixelSpacing | null, pixelAspect = 1) => ({
  frame: 1,
  pixelAspect,
  description: { spacing, frames: null },
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
  measuredText(
    measured(
      {
        kind: line.kind,
        points: [
          [0, 0],
          [300, 400],
        ],
      },
      yardstickOf(image, calibration),
    ),
    words,
    'sv',
  );

describe('lengths', () => {
  it('say what they are worth', () => {
    expect(text(imageWith(square('patient')))).toBe('10,0 mm');
    expect(text(imageWith(square('detector')))).toBe('10,0 mm vid detektorn');
    expect(text(imageWith(null))).toBe('500 px ej kalibrerad');
    expect(text(imageWith(square('detector')), { mmPerPixel: 0.018 })).toBe('9,0 mm kalibrerad');
    expect(text(imageWith(null), { mmPerPixel: 0.1234 })).toBe('61,7 mm kalibrerad');
  });

  it('take pixels as they are shaped', () => {
    const tall: PixelSpacing = { rowMm: 0.5, columnMm: 0.25, kind: 'patient' };
    const yardstick = yardstickOf(imageWith(tall, 2), null);
    expect(lengthBetween([0, 0], [40, 0], yardstick)).toBeCloseTo(10, 12);
    expect(lengthBetween([0, 0], [0, 40], yardstick)).toBeCloseTo(20, 12);
    const bare = yardstickOf(imageWith(null, 2), null);
    expect(lengthBetween([0, 0], [0, 40], bare)).toBeCloseTo(80, 12);
    const calibrated = yardstickOf(imageWith(null, 2), { mmPerPixel: 0.1 });
    expect(lengthBetween([0, 0], [30, 20], calibrated)).toBeCloseTo(5, 12);
    expect(widthsBetween([0, 0], [30, 20], 2)).toBeCloseTo(50, 12);
  });

  it('take the spacing of their own frame where each has one', () => {
    const frames = [null, square('patient')].map((spacing) => ({ modality: null, windows: null, spacing }));
    const image = { frame: 2, pixelAspect: 1, description: { spacing: square('detector'), frames } };
    expect(yardstickOf(image, null)).toMatchObject({ honesty: 'patient' });
    expect(yardstickOf({ ...image, frame: 1 }, null)).toMatchObject({ honesty: 'detector' });
  });
});

describe('angles', () => {
  const even = yardstickOf(imageWith(null), null);
  it.each([
    [[10, 0], [0, 0], [0, 10], 90],
    [[10, 0], [0, 0], [-10, 0], 180],
    [[10, 0], [0, 0], [10, 10], 45],
    [[10, 0], [0, 0], [10, -10], 45],
    [[5, 5], [5, 5], [9, 9], 0],
  ] as const)('%j %j %j', (from, vertex, to, degrees) => {
    expect(angleAt([...from], [...vertex], [...to], even)).toBeCloseTo(degrees, 9);
  });

  it('are those of the patient, not of the pixels', () => {
    const tall = yardstickOf(imageWith({ rowMm: 0.2, columnMm: 0.1, kind: 'patient' }, 2), null);
    expect(angleAt([10, 0], [0, 0], [10, 5], tall)).toBeCloseTo(45, 9);
    const shown = measured(
      {
        kind: 'angle',
        points: [
          [10, 0],
          [0, 0],
          [10, 5],
        ],
      },
      tall,
    );
    expect(measuredText(shown, words, 'sv')).toBe('45,0°');
    expect(measuredText(shown, words, 'en')).toBe('45.0°');
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
  it('are compared by what they say', () => {
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

  it('are hit along their line, not along its continuation', () => {
    const [from, to] = [
      { x: 0, y: 0 },
      { x: 10, y: 0 },
    ];
    expect(distanceToLine({ x: 4, y: 3 }, from, to)).toBe(3);
    expect(distanceToLine({ x: 14, y: 3 }, from, to)).toBe(5);
    expect(distanceToLine({ x: 3, y: 4 }, from, from)).toBe(5);
  });

  it('have names of their own', () => {
    const ids = new Set(Array.from({ length: 100 }, newId));
    expect(ids.size).toBe(100);
    for (const id of ids) expect(id).toMatch(/^[\da-f]{8}-[\da-f]{4}-4[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/);
  });
});
