import type { Line } from './lines.ts';

type Point = readonly [number, number];
type Stretch = readonly [Point, Point];

const stretchesOf = ({ points }: Line): readonly Stretch[] =>
  points.slice(1).map((to, index): Stretch => [points[index] ?? to, to]);

const meet = ([from, to]: Stretch, [otherFrom, otherTo]: Stretch): boolean =>
  ([0, 1] as const).every(
    (axis) =>
      Math.min(from[axis], to[axis]) <= Math.max(otherFrom[axis], otherTo[axis]) &&
      Math.min(otherFrom[axis], otherTo[axis]) <= Math.max(from[axis], to[axis]),
  );

/** Number of colours in drawing.css. */
const count = 8;

/** Returns a colour for the lines to each target, different from those of the lines that they cross. */
export const huesOf = (lines: readonly Line[]): ReadonlyMap<string, number> => {
  const goals = [...new Set(lines.map(({ to }) => to))];
  const stretches = new Map(goals.map((goal) => [goal, lines.filter(({ to }) => to === goal).flatMap(stretchesOf)]));
  const cross = (one: string, other: string) =>
    stretches.get(one)?.some((here) => stretches.get(other)?.some((there) => meet(here, there)));
  const neighbours = new Map(
    goals.map((goal) => [goal, goals.filter((other) => other !== goal && cross(goal, other))]),
  );
  const hues = new Map<string, number>();
  const around = (goal: string) => (neighbours.get(goal) ?? []).flatMap((other) => hues.get(other) ?? []);
  /** Targets with the fewest free colours come first; among equals, those with the most crossings. */
  const need = (goal: string) => new Set(around(goal)).size * goals.length + (neighbours.get(goal)?.length ?? 0);
  while (hues.size < goals.length) {
    const left = goals.filter((goal) => !hues.has(goal));
    const goal = left.reduce((former, next) => (need(next) > need(former) ? next : former));
    const uses = Array.from({ length: count }, (_, hue) => {
      const [near, far] = [around(goal), [...hues.values()]].map((some) => some.filter((one) => one === hue).length);
      return { hue, cost: (near ?? 0) * goals.length + (far ?? 0) };
    });
    hues.set(goal, uses.reduce((former, next) => (next.cost < former.cost ? next : former)).hue);
  }
  return hues;
};
