import { describe, expect, it, vi } from 'vitest';
import {
  alignmentOf,
  type BlinkPoints,
  nextSide,
  noPoints,
  withoutLast,
  withPoint,
} from '../../../src/views/workspace/blink/blink-points.ts';
import { boxWith, pannedBox, pointInBox, wholeBox, zoomedBox } from '../../../src/views/workspace/blink/view-box.ts';

vi.mock('../../../src/viewer/index.ts', () => import('./viewer-without-gpu.ts'));

const at = (x: number, y: number) => ({ x, y });
const corners = [at(10, 10), at(390, 10), at(390, 290), at(10, 290)];
const setAll = (left = corners, right = corners): BlinkPoints =>
  left.reduce(
    (points, point, index) => withPoint(withPoint(points, 'left', point), 'right', right[index] ?? point),
    noPoints,
  );
const size = { width: 400, height: 300 };
const sizes = { left: size, right: size };

describe('the points of two images', () => {
  it('are set in turn, four in each', () => {
    expect(nextSide(noPoints)).toBe('left');
    expect(nextSide(withPoint(noPoints, 'left', at(1, 1)))).toBe('right');
    expect(nextSide(setAll())).toBeNull();
    expect(setAll()).toEqual({ left: corners, right: corners });
  });

  it('move when the same image is clicked again', () => {
    const one = withPoint(noPoints, 'left', at(1, 1));
    expect(withPoint(one, 'left', at(2, 2))).toEqual({ left: [at(2, 2)], right: [] });
    const both = withPoint(one, 'right', at(3, 3));
    expect(withPoint(both, 'right', at(4, 4))).toEqual({ left: [at(1, 1)], right: [at(4, 4)] });
    expect(withPoint(setAll(), 'left', at(5, 5)).left.at(-1)).toEqual(at(5, 5));
    expect(withPoint(noPoints, 'right', at(5, 5))).toEqual(noPoints);
  });

  it('are removed in reverse order', () => {
    const both = withPoint(withPoint(noPoints, 'left', at(1, 1)), 'right', at(3, 3));
    expect(withoutLast(both)).toEqual({ left: [at(1, 1)], right: [] });
    expect(withoutLast(withoutLast(both))).toEqual(noPoints);
  });

  it('lie too close together when they span less than a tenth of an image', () => {
    const near = [at(10, 10), at(12, 10), at(12, 12), at(10, 12)];
    expect(alignmentOf(setAll(near, corners), sizes)).toBe('too-close');
    expect(alignmentOf(setAll(corners, near), sizes)).toBe('too-close');
    expect(alignmentOf(setAll(), sizes)).toMatchObject({ residual: 0 });
  });
});

describe('the shown part of a picture', () => {
  it('keeps the point under the pointer when it is enlarged, and stays inside the picture', () => {
    const element = { width: 800, height: 500 };
    const place = at(300, 200);
    const point = pointInBox(wholeBox(size), element, place);
    const near = zoomedBox(wholeBox(size), 4, point, size);
    expect(near).toMatchObject({ width: 100, height: 75 });
    const again = pointInBox(near, element, place);
    expect(again.x).toBeCloseTo(point.x, 9);
    expect(again.y).toBeCloseTo(point.y, 9);
    expect(pannedBox(near, 1e6, 1e6, size)).toMatchObject({ x: 0, y: 0 });
    expect(pannedBox(near, -1e6, -1e6, size)).toMatchObject({ x: 300, y: 225 });
    expect(zoomedBox(near, 0.01, point, size)).toEqual(wholeBox(size));
  });

  it('follows a cross that leaves it, as little as needed', () => {
    const box = { x: 100, y: 100, width: 100, height: 75 };
    expect(boxWith(box, at(150, 120), size)).toEqual(box);
    expect(boxWith(box, at(90, 120), size)).toEqual({ ...box, x: 90 });
    expect(boxWith(box, at(210, 180), size)).toEqual({ ...box, x: 110, y: 105 });
  });
});
