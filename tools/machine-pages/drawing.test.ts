import { describe, expect, it } from 'vitest';
import { machines } from '../../tests/machines/models/index.ts';
import { boxesIn, type Rectangle } from './boxes.ts';
import { statesOf } from './chart.ts';
import { huesOf } from './hues.ts';
import type { Line } from './lines.ts';
import { drawingOf, layoutOf } from './svg.ts';

type Point = readonly [number, number];
interface Stretch {
  readonly line: Line;
  readonly from: Point;
  readonly to: Point;
}

const stretchesOf = (line: Line): readonly Stretch[] =>
  line.points.slice(1).map((to, index) => ({ line, from: line.points[index] ?? to, to }));

const span = (one: number, other: number) => [Math.min(one, other), Math.max(one, other)] as const;

const runsThrough = ({ from, to }: Stretch, { x, y, width, height }: Rectangle): boolean => {
  const [left, right] = span(from[0], to[0]);
  const [top, bottom] = span(from[1], to[1]);
  return right > x && left < x + width && bottom > y && top < y + height;
};

/** Returns whether two stretches overlap in more than a point. */
const coincide = (one: Stretch, other: Stretch): boolean =>
  ([0, 1] as const).some((axis) => {
    const across = axis === 0 ? 1 : 0;
    if (one.from[across] !== one.to[across] || other.from[across] !== other.to[across]) return false;
    if (one.from[across] !== other.from[across]) return false;
    const [start, end] = span(one.from[axis], one.to[axis]);
    const [otherStart, otherEnd] = span(other.from[axis], other.to[axis]);
    return Math.min(end, otherEnd) > Math.max(start, otherStart);
  });

const crosses = (one: Stretch, other: Stretch): boolean =>
  ([0, 1] as const).every((axis) => {
    const [start, end] = span(one.from[axis], one.to[axis]);
    const [otherStart, otherEnd] = span(other.from[axis], other.to[axis]);
    return start <= otherEnd && otherStart <= end;
  });

describe.each(machines.map(({ id, machine }) => [id, machine] as const))('the drawing of %s', (_, machine) => {
  const { chart, root, lines } = layoutOf(machine);
  const boxes = boxesIn(root);
  const stretches = lines.flatMap(stretchesOf);

  it('shows every state, and a line for every transition to another state', () => {
    expect(boxes.map(({ state }) => state.id)).toEqual(statesOf(chart).map(({ id }) => id));
    const transitions = statesOf(chart).flatMap(({ id, transitions: own }) =>
      own.flatMap(({ targets }) => targets.filter((target) => target !== id).map((to) => `${id} ${to}`)),
    );
    expect(lines.map(({ from, to }) => `${from} ${to}`).sort()).toEqual(transitions.sort());
  });

  it('places boxes inside their parent and beside each other', () => {
    for (const box of boxes) {
      const inside: readonly Rectangle[] = box.boxes.length > 0 ? [box.card, ...box.boxes] : [];
      for (const [index, one] of inside.entries()) {
        expect(one.x > box.x && one.x + one.width < box.x + box.width, box.state.id).toBe(true);
        expect(one.y > box.y && one.y + one.height < box.y + box.height, box.state.id).toBe(true);
        for (const other of inside.slice(index + 1)) {
          const isBeside = one.x + one.width < other.x || other.x + other.width < one.x;
          const isAbove = one.y + one.height < other.y || other.y + other.height < one.y;
          expect(isBeside || isAbove, `${box.state.id}: ${index}`).toBe(true);
        }
      }
    }
  });

  it('has no line across text', () => {
    const crossed = stretches.filter((stretch) => boxes.some(({ card }) => runsThrough(stretch, card)));
    expect(crossed.map(({ line }) => `${line.from} -> ${line.to}`)).toEqual([]);
  });

  it('has overlapping lines only to the same state', () => {
    const doubled = stretches.flatMap((one, index) =>
      stretches.slice(index + 1).filter((other) => one.line.to !== other.line.to && coincide(one, other)),
    );
    expect(doubled.map(({ line }) => `${line.from} -> ${line.to}`)).toEqual([]);
  });

  it('has lines that end at their target or on another line to it', () => {
    for (const line of lines) {
      const [x, y] = line.points.at(-1) ?? [0, 0];
      const target = boxes.find(({ state }) => state.id === line.to);
      if (!target) throw new Error(line.to);
      const isAt = (box: Rectangle) =>
        ((x === box.x || x === box.x + box.width) && y > box.y && y < box.y + box.height) ||
        (y === box.y && x > box.x && x < box.x + box.width);
      if (line.hasArrow) expect(isAt(target) || isAt(target.card), `${line.from} -> ${line.to}`).toBe(true);
      else {
        const others = stretches.filter((one) => one.line !== line && one.line.to === line.to);
        const meets = others.some(({ from, to }) => {
          const [left, right] = span(from[0], to[0]);
          const [top, bottom] = span(from[1], to[1]);
          return x >= left && x <= right && y >= top && y <= bottom;
        });
        expect(meets, `${line.from} -> ${line.to}`).toBe(true);
      }
    }
  });

  it('gives crossing lines to different states different colours', () => {
    const hues = huesOf(lines);
    const clashes = stretches.flatMap((one, index) =>
      stretches
        .slice(index + 1)
        .filter((other) => one.line.to !== other.line.to && hues.get(one.line.to) === hues.get(other.line.to))
        .filter((other) => crosses(one, other)),
    );
    expect(clashes.map(({ line }) => `${line.from} -> ${line.to}`)).toEqual([]);
  });

  it('is deterministic', () => {
    expect(drawingOf(machine)).toEqual(drawingOf(machine));
  });
});
