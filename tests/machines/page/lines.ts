import { type Box, boxesIn, type Card, grid, lineOf, type Rectangle } from './boxes.ts';

/** A line from a row to the state that it leads to, or to another line with the same goal. */
export interface Line {
  readonly from: string;
  readonly to: string;
  /** Corners in pixels; the first lies on the card that it leaves. */
  readonly points: readonly (readonly [number, number])[];
  /** It ends at the state itself, with an arrow; else it joins a line that does. */
  readonly arrives: boolean;
}

interface Wanted {
  readonly card: Card;
  readonly row: number;
  readonly target: Box;
  readonly length: number;
}

const cost = { step: 2, bend: 9, crossing: 12, besides: 2 } as const;
const none = -1;
const steps = [
  [1, 0],
  [0, 1],
  [-1, 0],
  [0, -1],
] as const;

const isIn = ({ x, y, width, height }: Rectangle, left: number, top: number) =>
  left > x && left < x + width && top > y && top < y + height;

/** Which lines run where. A node is passed across, along and round a corner by one goal's lines each. */
class Field {
  readonly columns: number;
  readonly size: number;
  readonly blocked: Uint8Array;
  readonly besides: Uint8Array;
  readonly across: Int16Array;
  readonly along: Int16Array;
  readonly corner: Int16Array;

  constructor(root: Box) {
    this.columns = Math.ceil((root.x + root.width) / grid) + 1;
    this.size = this.columns * (Math.ceil((root.y + root.height) / grid) + 1);
    this.blocked = new Uint8Array(this.size);
    this.besides = new Uint8Array(this.size);
    this.across = new Int16Array(this.size).fill(none);
    this.along = new Int16Array(this.size).fill(none);
    this.corner = new Int16Array(this.size).fill(none);
    const boxes = boxesIn(root);
    for (let node = 0; node < this.size; node += 1) {
      const [x, y] = this.placeOf(node);
      if (!isIn(root, x, y) || boxes.some(({ card }) => isIn(card, x, y))) this.blocked[node] = 1;
      else if (boxes.some((box) => isBesides(box, x, y))) this.besides[node] = 1;
    }
  }

  placeOf(node: number): readonly [number, number] {
    return [(node % this.columns) * grid, Math.floor(node / this.columns) * grid];
  }
  nodeAt(x: number, y: number): number {
    return Math.round(y / grid) * this.columns + Math.round(x / grid);
  }
  after(node: number, direction: number): number {
    const [right, down] = steps[direction] ?? [0, 0];
    return node + right + down * this.columns;
  }

  /** What it costs a line to go straight through a node; null when it may not. */
  passing(node: number, direction: number, goal: number): number | null {
    const [same, other] = direction % 2 === 0 ? [this.across, this.along] : [this.along, this.across];
    if (same[node] !== none && same[node] !== goal) return null;
    if (this.corner[node] !== none && this.corner[node] !== goal) return null;
    return (other[node] !== none && other[node] !== goal ? cost.crossing : 0) + (this.besides[node] ? cost.besides : 0);
  }
  /** Nobody else's line is at the node. */
  isFreeFor(node: number, goal: number): boolean {
    return [this.across, this.along, this.corner].every((use) => use[node] === none || use[node] === goal);
  }
  hasLineOf(node: number, goal: number): boolean {
    return this.across[node] === goal || this.along[node] === goal;
  }
  keep(nodes: readonly number[], directions: readonly number[], goal: number): void {
    nodes.forEach((node, index) => {
      const [came, goes] = [directions[index - 1] ?? directions[index], directions[index] ?? directions[index - 1]];
      for (const direction of [came, goes])
        (direction === 0 || direction === 2 ? this.across : this.along)[node] = goal;
      if (came !== goes || index === nodes.length - 1) this.corner[node] = goal;
    });
  }
}

const isBesides = (box: Rectangle, x: number, y: number): boolean => {
  const [left, right] = [Math.abs(x - box.x), Math.abs(x - box.x - box.width)];
  const [top, bottom] = [Math.abs(y - box.y), Math.abs(y - box.y - box.height)];
  const [withinX, withinY] = [
    x > box.x - grid && x < box.x + box.width + grid,
    y > box.y - grid && y < box.y + box.height + grid,
  ];
  return (Math.min(left, right) < grid && withinY) || (Math.min(top, bottom) < grid && withinX);
};

const startsOf = ({ card, row }: Wanted): readonly (readonly [x: number, y: number, direction: number])[] => [
  [card.x + card.width + grid / 2, card.y + lineOf(row), 0],
  [card.x - grid / 2, card.y + lineOf(row), 2],
];

/** Where a line may come in: beside the name, or from above; from inside of a state at its name. */
const endsOf = (target: Box, isInside: boolean): readonly (readonly [x: number, y: number, direction: number])[] => {
  const { x, y, width } = isInside ? target.card : target;
  const line = y + lineOf(-1);
  const above = [0.25, 0.5, 0.75].map((part) => Math.round((x + width * part) / grid) * grid);
  return [
    [x - grid / 2, line, 0],
    [x + width + grid / 2, line, 2],
    ...above.map((left) => [left, y - grid / 2, 1] as const),
  ];
};

const edgeOf = (x: number, y: number, direction: number, sign: 1 | -1): readonly [number, number] => {
  const [right, down] = steps[direction] ?? [0, 0];
  return [x + (sign * right * grid) / 2, y + (sign * down * grid) / 2];
};

/** The cheapest way through the field: by buckets of equal cost, so that equal drawings come out of equal charts. */
const wayOf = (field: Field, wanted: Wanted, goal: number, isInside: boolean) => {
  const best = new Int32Array(field.size * 4).fill(-1);
  const former = new Int32Array(field.size * 4).fill(-1);
  const buckets: number[][] = [];
  const reach = (place: number, total: number, from: number) => {
    const known = best[place] ?? -1;
    if (known !== -1 && known <= total) return;
    best[place] = total;
    former[place] = from;
    buckets[total] ??= [];
    buckets[total].push(place);
  };
  const ends = new Map(endsOf(wanted.target, isInside).map(([x, y, direction]) => [field.nodeAt(x, y), direction]));
  startsOf(wanted).forEach(([x, y, direction], index) => {
    const node = field.nodeAt(x, y);
    const passing = field.blocked[node] ? null : field.passing(node, direction, goal);
    if (passing !== null) reach(node * 4 + direction, passing + index * 6, -1);
  });
  for (let total = 0; total < buckets.length; total += 1) {
    for (const place of buckets[total] ?? []) {
      if (best[place] !== total) continue;
      const [node, direction] = [place >> 2, place & 3];
      const end = ends.get(node);
      const arrives =
        end !== undefined && (end === direction || field.isFreeFor(node, goal)) && (end + 2) % 4 !== direction;
      const joins = field.hasLineOf(node, goal) && field.isFreeFor(node, goal);
      if (arrives || joins) return { places: trailOf(former, place), end: joins ? null : (end ?? null) };
      for (const next of [direction, (direction + 1) % 4, (direction + 3) % 4]) {
        if (next !== direction && !field.isFreeFor(node, goal)) continue;
        const there = field.after(node, next);
        if (there < 0 || there >= field.size || field.blocked[there]) continue;
        const passing = field.passing(there, next, goal);
        if (passing === null) continue;
        reach(there * 4 + next, total + cost.step + passing + (next === direction ? 0 : cost.bend), place);
      }
    }
  }
  return null;
};

const trailOf = (former: Int32Array, last: number): readonly number[] => {
  const trail = [last];
  for (let place = former[last] ?? -1; place !== -1; place = former[place] ?? -1) trail.push(place);
  return trail.reverse();
};

const withoutStraights = (points: readonly (readonly [number, number])[]) =>
  points.filter(([x, y], index) => {
    const [before, next] = [points[index - 1], points[index + 1]];
    if (!before || !next) return true;
    return !((before[0] === x && x === next[0]) || (before[1] === y && y === next[1]));
  });

const wantedIn = (root: Box): readonly Wanted[] => {
  const boxes = boxesIn(root);
  const byId = new Map(boxes.map((box) => [box.state.id, box]));
  return boxes
    .flatMap(({ card }) =>
      card.rows.flatMap(({ targets }, row) =>
        targets
          .filter((id) => id !== card.state.id)
          .flatMap((id) => {
            const target = byId.get(id);
            if (!target) return [];
            const length = Math.abs(card.x + card.width - target.x) + Math.abs(card.y + lineOf(row) - target.y);
            return [{ card, row, target, length }];
          }),
      ),
    )
    .sort((one, other) => one.length - other.length);
};

/** A line for every row that leads elsewhere; null when there is not room enough between the boxes. */
export const linesOf = (root: Box): readonly Line[] | null => {
  const field = new Field(root);
  const goals = boxesIn(root).map(({ state }) => state.id);
  const lines: Line[] = [];
  for (const wanted of wantedIn(root)) {
    const { card, target } = wanted;
    const goal = goals.indexOf(target.state.id);
    const isInside = card.state.id.startsWith(`${target.state.id}.`);
    const way = wayOf(field, wanted, goal, isInside);
    if (!way) return null;
    const nodes = way.places.map((place) => place >> 2);
    const directions = way.places.slice(1).map((place) => place & 3);
    const places = nodes.map((node) => field.placeOf(node));
    const [[firstX, firstY] = [0, 0], [lastX, lastY] = [0, 0]] = [places[0], places.at(-1)];
    const first = (way.places[0] ?? 0) & 3;
    const points = [edgeOf(firstX, firstY, first, -1), ...places];
    if (way.end !== null) points.push(edgeOf(lastX, lastY, way.end, 1));
    field.keep(nodes, [first, ...directions].slice(nodes.length === 1 ? 0 : 1), goal);
    lines.push({
      from: card.state.id,
      to: target.state.id,
      points: withoutStraights(points),
      arrives: way.end !== null,
    });
  }
  return lines;
};
