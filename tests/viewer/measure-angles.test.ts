import { describe, expect, it } from 'vitest';
import { angleAt, angleBetween, measured, measurementScaleOf } from '../../src/viewer/scene/measure.ts';
import { randomOf } from '../random-of.ts';
import { imageWith, textOf } from './measure-fixtures.ts';

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
