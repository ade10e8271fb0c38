import { describe, expect, it } from 'vitest';
import { drawIntraOral } from '../../demo/phantom/intra-oral.ts';
import { applied, inverse, type Point } from '../../src/viewer/scene/camera.ts';
import { similarityOf } from '../../src/viewer/scene/similarity.ts';
import { randomOf } from '../random-of.ts';

const [columns, rows] = [654, 500];
const degrees = Math.PI / 180;

/** Turns about the middle, scales, and shifts. */
const moved = ({ x, y }: Point, turn: number, scale: number, shift: Point): Point => {
  const [right, down] = [x - columns / 2, y - rows / 2];
  const [c, s] = [Math.cos(turn * degrees) * scale, Math.sin(turn * degrees) * scale];
  return { x: columns / 2 + c * right - s * down + shift.x, y: rows / 2 + s * right + c * down + shift.y };
};

const spots = [
  { x: 90, y: 70 },
  { x: 560, y: 110 },
  { x: 540, y: 430 },
  { x: 110, y: 400 },
];
const corners = [
  { x: 0, y: 0 },
  { x: columns, y: 0 },
  { x: columns, y: rows },
  { x: 0, y: rows },
];
const shift = { x: 17, y: -11 };

describe('the similarity of two images', () => {
  it('is found exactly from exact points', () => {
    const pairs = spots.map((from) => ({ from, to: moved(from, 33, 1.7, shift) }));
    const found = similarityOf(pairs);
    expect(found?.residual).toBeLessThan(1e-9);
    for (const corner of corners) {
      const [is, must] = [found && applied(found.matrix, corner), moved(corner, 33, 1.7, shift)];
      expect(Math.hypot((is?.x ?? 0) - must.x, (is?.y ?? 0) - must.y)).toBeLessThan(1e-9);
    }
  });

  it('does not exist for points that all lie on one spot, or whose partners do', () => {
    const spot = { x: 5, y: 5 };
    expect(similarityOf(spots.map((to) => ({ from: spot, to })))).toBeNull();
    expect(similarityOf(spots.map((from) => ({ from, to: spot })))).toBeNull();
  });

  it('is least squares: no small change of it brings the points closer', () => {
    const random = randomOf(11);
    const pairs = spots.map((from) => {
      const to = moved(from, 3, 1, shift);
      return { from, to: { x: to.x + random(100) / 10, y: to.y + random(100) / 10 } };
    });
    const found = similarityOf(pairs);
    if (!found) throw new Error('none');
    const squares = ({ a, b, tx, ty }: typeof found.matrix) =>
      pairs
        .map(({ from, to }) => {
          const point = applied({ a, b, c: -b, d: a, tx, ty }, from);
          return (point.x - to.x) ** 2 + (point.y - to.y) ** 2;
        })
        .reduce((sum, one) => sum + one, 0);
    const best = squares(found.matrix);
    for (const key of ['a', 'b', 'tx', 'ty'] as const)
      for (const by of [-1e-4, 1e-4])
        expect(squares({ ...found.matrix, [key]: found.matrix[key] + by })).toBeGreaterThan(best);
  });

  // Seeds 1 to 50: four clicks, each up to a pixel from its spot.
  it('of a radiograph turned by 3 degrees and shifted leaves less than 2 pixels everywhere, and aligns the picture', () => {
    const pixels = drawIntraOral({
      kind: 'intra-oral',
      view: 'periapical',
      teeth: ['36', '37'],
      receptor: 'sensor',
      photometric: 'MONOCHROME2',
      seed: 5,
      mouth: 20,
      age: 22,
      columns,
      rows,
      packing: 'explicit-le',
    });
    const valueAt = ({ x, y }: Point): number | null => {
      const [column, row] = [Math.round(x), Math.round(y)];
      return column < 0 || row < 0 || column >= columns || row >= rows
        ? null
        : (pixels[row * columns + column] ?? null);
    };
    /** Mean difference of grey between the turned radiograph and the radiograph mapped onto it. */
    const differenceAfter = (back: (point: Point) => Point): number => {
      const unturned = (point: Point) => {
        const { x, y } = moved({ x: point.x - shift.x, y: point.y - shift.y }, -3, 1, { x: 0, y: 0 });
        return valueAt({ x, y });
      };
      let [sum, count] = [0, 0];
      for (let y = 60; y < rows - 60; y += 3)
        for (let x = 60; x < columns - 60; x += 3) {
          const [turned, mapped] = [unturned({ x, y }), valueAt(back({ x, y }))];
          if (turned === null || mapped === null) continue;
          sum += Math.abs(turned - mapped);
          count += 1;
        }
      return sum / count;
    };
    const unaligned = differenceAfter((point) => point);
    for (let seed = 1; seed <= 50; seed += 1) {
      const random = randomOf(seed);
      const clicked = ({ x, y }: Point): Point => ({
        x: x + (random(2001) - 1000) / 1400,
        y: y + (random(2001) - 1000) / 1400,
      });
      const found = similarityOf(spots.map((spot) => ({ from: clicked(spot), to: clicked(moved(spot, 3, 1, shift)) })));
      if (!found) throw new Error(`seed ${seed}: none`);
      expect(found.residual, `residual, seed ${seed}`).toBeLessThan(2);
      for (const corner of corners) {
        const [is, must] = [applied(found.matrix, corner), moved(corner, 3, 1, shift)];
        expect(Math.hypot(is.x - must.x, is.y - must.y), `corner, seed ${seed}`).toBeLessThan(2);
      }
      if (seed > 3) continue;
      const back = inverse(found.matrix);
      expect(
        differenceAfter((point) => applied(back, point)),
        `grey, seed ${seed}`,
      ).toBeLessThan(unaligned / 3);
    }
  });
});
