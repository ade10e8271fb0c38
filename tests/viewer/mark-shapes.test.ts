import { describe, expect, it } from 'vitest';
import { newId } from '../../contract/new-id.ts';
import { distanceToLine } from '../../src/viewer/scene/distance.ts';
import { handlesOf, movedBy, outlineOf, withHandle } from '../../src/viewer/scene/mark-shapes.ts';
import { linesOf, textCorner, widthOf } from '../../src/viewer/scene/mark-text.ts';
import { areaOf, lengthAlong, type MarkPoint, measured, measurementScaleOf } from '../../src/viewer/scene/measure.ts';
import type { Mark } from '../../src/viewer/scene/scene.ts';
import { simplified } from '../../src/viewer/scene/simplify.ts';
import { randomOf } from '../random-of.ts';

const size = { width: 400, height: 300 };
const counts = {
  length: 2,
  angle: 3,
  arrow: 2,
  text: 1,
  rectangle: 2,
  ellipse: 2,
  freehand: 40,
  polyline: 7,
  area: 5,
  lineAngle: 4,
  ratio: 3,
  profile: 2,
} as const;
const kinds = Object.keys(counts) as (keyof typeof counts)[];
const random = randomOf(20);
const pointIn = (): MarkPoint => [random(4000) / 10, random(3000) / 10];
const pointsIn = (count: number): MarkPoint[] => Array.from({ length: count }, pointIn);
const markOf = (kind: Mark['kind']): Mark =>
  ({ id: newId(), kind, frame: 1, points: pointsIn(counts[kind]), ...(kind === 'text' && { text: 'a' }) }) as Mark;
const pairs = (mark: Mark): readonly MarkPoint[] => mark.points;

describe.each(kinds)('a mark of the kind %s', (kind) => {
  it('keeps its shape when it is moved, and stays inside the image', () => {
    for (let round = 0; round < 200; round += 1) {
      const mark = markOf(kind);
      const by = { x: random(1000) - 500, y: random(1000) - 500 };
      const moved = movedBy(mark, by, size);
      const steps = pairs(moved).map(([x, y], index) => [
        x - (pairs(mark)[index]?.[0] ?? 0),
        y - (pairs(mark)[index]?.[1] ?? 0),
      ]);
      for (const [x, y] of steps) {
        expect(x).toBeCloseTo(steps[0]?.[0] ?? Number.NaN, 9);
        expect(y).toBeCloseTo(steps[0]?.[1] ?? Number.NaN, 9);
      }
      for (const [x, y] of pairs(moved)) {
        expect(x).toBeGreaterThanOrEqual(-1e-9);
        expect(x).toBeLessThanOrEqual(size.width + 1e-9);
        expect(y).toBeGreaterThanOrEqual(-1e-9);
        expect(y).toBeLessThanOrEqual(size.height + 1e-9);
      }
      // As far as the request, unless an edge is in the way.
      const [x, y] = steps[0] ?? [];
      const touches = pairs(moved).some(([at]) => at < 1e-9 || at > size.width - 1e-9);
      if (!touches) expect(x).toBeCloseTo(by.x, 9);
      expect(Math.abs(y ?? 0)).toBeLessThanOrEqual(Math.abs(by.y) + 1e-9);
      expect({ ...moved, points: null }).toEqual({ ...mark, points: null });
    }
  });

  it('has the dragged handle where the pointer is, and the opposite one where it was', () => {
    for (let round = 0; round < 100; round += 1) {
      const mark = markOf(kind);
      const handles = handlesOf(mark);
      if (handles.length === 0) return expect(kind).toBe('freehand');
      const index = random(handles.length);
      const to = pointIn();
      const after = handlesOf(withHandle(mark, index, to));
      expect(after[index]).toEqual(to);
      const isBox = kind === 'rectangle' || kind === 'ellipse';
      const still = isBox ? [(index + 2) % 4] : handles.flatMap((_, other) => (other === index ? [] : [other]));
      for (const other of still) expect(after[other]).toEqual(handles[other]);
    }
    return undefined;
  });
});

describe('outlines', () => {
  it('of an ellipse satisfy its equation', () => {
    for (let round = 0; round < 100; round += 1) {
      const [from, to] = [pointIn(), pointIn()];
      const [a, b] = [Math.abs(to[0] - from[0]) / 2, Math.abs(to[1] - from[1]) / 2];
      if (a === 0 || b === 0) continue;
      for (const [x, y] of outlineOf({ kind: 'ellipse', points: [from, to] }).lines[0] ?? [])
        expect(((x - (from[0] + to[0]) / 2) / a) ** 2 + ((y - (from[1] + to[1]) / 2) / b) ** 2).toBeCloseTo(1, 9);
    }
  });

  it('of a rectangle have its four corners', () => {
    const corners: MarkPoint[] = [
      [1, 2],
      [5, 2],
      [5, 9],
      [1, 9],
    ];
    const points: MarkPoint[] = [
      [1, 2],
      [5, 9],
    ];
    expect(outlineOf({ kind: 'rectangle', points })).toEqual({ lines: [corners], closed: true });
  });

  it('of two lines leave out the way between them; those of a ratio start at its first point', () => {
    const [a, b, c, d] = pointsIn(4) as [MarkPoint, MarkPoint, MarkPoint, MarkPoint];
    expect(outlineOf({ kind: 'lineAngle', points: [a, b, c, d] }).lines).toEqual([
      [a, b],
      [c, d],
    ]);
    expect(outlineOf({ kind: 'ratio', points: [a, b, c] }).lines).toEqual([
      [a, b],
      [a, c],
    ]);
  });
});

describe('simplification', () => {
  /** A wandering line as a hand draws it. */
  const drawn = (count: number): MarkPoint[] => {
    let [x, y] = [200, 150];
    return Array.from({ length: count }, (): MarkPoint => {
      x += (random(41) - 20) / 10;
      y += (random(41) - 20) / 10;
      return [x, y];
    });
  };
  const at = ([x, y]: MarkPoint) => ({ x, y });
  const farthest = (points: readonly MarkPoint[], line: readonly MarkPoint[]) =>
    Math.max(
      ...points.map((point) =>
        Math.min(...line.slice(1).map((to, index) => distanceToLine(at(point), at(line[index] ?? to), at(to)))),
      ),
    );

  it('stays within its tolerance of every drawn point, and keeps the ends', () => {
    for (let round = 0; round < 20; round += 1) {
      const points = drawn(50 + random(300));
      const line = simplified(points, 1.5, 500);
      expect(farthest(points, line)).toBeLessThanOrEqual(1.5 + 1e-9);
      expect([line[0], line.at(-1)]).toEqual([points[0], points.at(-1)]);
      expect(line.length).toBeLessThan(points.length);
      for (const point of line) expect(points).toContain(point);
    }
  });

  it('has at most as many points as allowed', () => {
    for (const count of [3, 600, 5000]) expect(simplified(drawn(count), 0.01, 500).length).toBeLessThanOrEqual(500);
    expect(simplified(drawn(3000), 0, 500).length).toBeGreaterThan(50);
  });

  it('makes two points of a straight line', () => {
    const points = Array.from({ length: 100 }, (_, index): MarkPoint => [index, index * 2]);
    expect(simplified(points, 0.5, 500)).toEqual([points[0], points.at(-1)]);
  });
});

describe('measured lines and areas', () => {
  const square = measurementScaleOf(
    {
      frame: 1,
      pixelAspect: 2,
      description: { spacing: { rowMm: 0.2, columnMm: 0.1, kind: 'patient' }, frames: null, ultrasoundRegions: [] },
    },
    null,
  );

  it('adds 3, 4 and 5 mm to 12.0 mm', () => {
    const points: MarkPoint[] = [
      [0, 0],
      [30, 0],
      [30, 20],
      [0, 0],
    ];
    expect(measured({ kind: 'polyline', points }, square)).toEqual({ value: 12, unit: 'mm', spacingSource: 'patient' });
  });

  it('does not change a length by points on the line', () => {
    for (let round = 0; round < 100; round += 1) {
      const [from, to] = [pointIn(), pointIn()];
      const between = [0.2, 0.5, 0.9].map(
        (part): MarkPoint => [from[0] + (to[0] - from[0]) * part, from[1] + (to[1] - from[1]) * part],
      );
      expect(lengthAlong([from, ...between, to], square)).toBeCloseTo(lengthAlong([from, to], square), 9);
    }
  });

  it('gives the area of triangles by base and height, and of convex polygons by their triangles', () => {
    const triangle: MarkPoint[] = [
      [10, 10],
      [50, 10],
      [30, 40],
    ];
    // Base 4 mm, height 6 mm.
    expect(measured({ kind: 'area', points: triangle }, square)).toMatchObject({ value: 12, unit: 'mm²' });
    for (let round = 0; round < 100; round += 1) {
      const angles = Array.from({ length: 3 + random(8) }, () => random(62_831) / 10_000).toSorted((a, b) => a - b);
      const points = angles.map((angle): MarkPoint => [200 + 90 * Math.cos(angle), 150 + 60 * Math.sin(angle)]);
      const sides = (one: MarkPoint, other: MarkPoint) => lengthAlong([one, other], square);
      // Heron's formula.
      const heron = points.slice(1, -1).reduce((sum, point, index) => {
        const [first = point, next = point] = [points[0], points[index + 2]];
        const [a, b, c] = [sides(first, point), sides(point, next), sides(next, first)];
        const half = (a + b + c) / 2;
        return sum + Math.sqrt(Math.max(0, half * (half - a) * (half - b) * (half - c)));
      }, 0);
      expect(areaOf(points, square)).toBeCloseTo(heron, 6);
      expect(areaOf(points.toReversed(), square)).toBeCloseTo(heron, 6);
    }
  });

  it('are in pixel widths without a known spacing', () => {
    const bare = measurementScaleOf(
      { frame: 1, pixelAspect: 2, description: { spacing: null, frames: null, ultrasoundRegions: [] } },
      null,
    );
    const points: MarkPoint[] = [
      [0, 0],
      [10, 0],
      [10, 10],
      [0, 10],
    ];
    expect(measured({ kind: 'area', points }, bare)).toEqual({ value: 200, unit: 'px²', spacingSource: 'none' });
  });

  it.each(['arrow', 'text', 'rectangle', 'ellipse', 'freehand', 'profile'] as const)('do not include %s', (kind) => {
    expect(measured({ kind, points: pointsIn(5) }, square)).toBeNull();
  });
});

describe('texts', () => {
  it('are broken between words into lines that fit, and lose no letter', () => {
    const words = ['a', 'mesiobuckal', 'x'.repeat(80), 'kanal', 'på', 'tand', '36'];
    for (let round = 0; round < 100; round += 1) {
      const text = Array.from({ length: 1 + random(12) }, () => words[random(words.length)]).join(
        random(4) ? ' ' : '\n',
      );
      const lines = linesOf(text);
      for (const line of lines) expect(line.length).toBeLessThanOrEqual(34);
      expect(lines.join('').replaceAll(' ', '')).toBe(text.replaceAll(/[ \n]/g, ''));
    }
    expect(linesOf('one\ntwo')).toEqual(['one', 'two']);
  });

  it('stay on the image', () => {
    for (let round = 0; round < 100; round += 1) {
      const lines = ['x'.repeat(1 + random(34)), 'y'];
      const { x, y } = textCorner({ x: random(600) - 100, y: random(500) - 100 }, lines, size);
      expect(x).toBeGreaterThanOrEqual(4);
      expect(x + widthOf(lines)).toBeLessThanOrEqual(size.width - 4 + 1e-9);
      expect(y).toBeGreaterThanOrEqual(4);
    }
  });
});
