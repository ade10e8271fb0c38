import { type Box, boxesIn, type Card, grid, lineOf, type Rectangle } from './boxes.ts';

/** A line from a row to its target state, or to another line with the same target. */
export interface Line {
  readonly from: string;
  readonly to: string;
  /** Corners in pixels; the first is on the border of its card. */
  readonly points: readonly (readonly [number, number])[];
  /** Ends at the state, with an arrow; otherwise joins another line. */
  readonly hasArrow: boolean;
}

interface Connection {
  readonly card: Card;
  readonly row: number;
  readonly target: Box;
  readonly length: number;
}

const cost = { step: 2, bend: 9, crossing: 12, nearBorder: 2 } as const;
const none = -1;
const steps = [
  [1, 0],
  [0, 1],
  [-1, 0],
  [0, -1],
] as const;

const isIn = ({ x, y, width, height }: Rectangle, left: number, top: number) =>
  left > x && left < x + width && top > y && top < y + height;

/** Grid of used nodes. Horizontally, vertically and as a corner, a node is used by the lines of one target only. */
class Field {
  readonly columns: number;
  readonly size: number;
  readonly blocked: Uint8Array;
  readonly nearBorder: Uint8Array;
  readonly horizontal: Int16Array;
  readonly vertical: Int16Array;
  readonly corner: Int16Array;

  constructor(root: Box) {
    this.columns = Math.ceil((root.x + root.width) / grid) + 1;
    this.size = this.columns * (Math.ceil((root.y + root.height) / grid) + 1);
    this.blocked = new Uint8Array(this.size);
    this.nearBorder = new Uint8Array(this.size);
    this.horizontal = new Int16Array(this.size).fill(none);
    this.vertical = new Int16Array(this.size).fill(none);
    this.corner = new Int16Array(this.size).fill(none);
    const boxes = boxesIn(root);
    for (let node = 0; node < this.size; node += 1) {
      const [x, y] = this.placeOf(node);
      if (!isIn(root, x, y) || boxes.some(({ card }) => isIn(card, x, y))) this.blocked[node] = 1;
      else if (boxes.some((box) => isNearBorder(box, x, y))) this.nearBorder[node] = 1;
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

  /** Returns the cost of going straight through a node; null when it is used. */
  costOf(node: number, direction: number, goal: number): number | null {
    const [same, other] = direction % 2 === 0 ? [this.horizontal, this.vertical] : [this.vertical, this.horizontal];
    if (same[node] !== none && same[node] !== goal) return null;
    if (this.corner[node] !== none && this.corner[node] !== goal) return null;
    return (
      (other[node] !== none && other[node] !== goal ? cost.crossing : 0) + (this.nearBorder[node] ? cost.nearBorder : 0)
    );
  }
  /** Returns whether no line of another target uses the node. */
  isFreeFor(node: number, goal: number): boolean {
    return [this.horizontal, this.vertical, this.corner].every((use) => use[node] === none || use[node] === goal);
  }
  hasLineOf(node: number, goal: number): boolean {
    return this.horizontal[node] === goal || this.vertical[node] === goal;
  }
  use(nodes: readonly number[], directions: readonly number[], goal: number): void {
    nodes.forEach((node, index) => {
      const [incoming, outgoing] = [
        directions[index - 1] ?? directions[index],
        directions[index] ?? directions[index - 1],
      ];
      for (const direction of [incoming, outgoing])
        (direction === 0 || direction === 2 ? this.horizontal : this.vertical)[node] = goal;
      if (incoming !== outgoing || index === nodes.length - 1) this.corner[node] = goal;
    });
  }
}

const isNearBorder = (box: Rectangle, x: number, y: number): boolean => {
  const [left, right] = [Math.abs(x - box.x), Math.abs(x - box.x - box.width)];
  const [top, bottom] = [Math.abs(y - box.y), Math.abs(y - box.y - box.height)];
  const [withinX, withinY] = [
    x > box.x - grid && x < box.x + box.width + grid,
    y > box.y - grid && y < box.y + box.height + grid,
  ];
  return (Math.min(left, right) < grid && withinY) || (Math.min(top, bottom) < grid && withinX);
};

const startsOf = ({ card, row }: Connection): readonly (readonly [x: number, y: number, direction: number])[] => [
  [card.x + card.width + grid / 2, card.y + lineOf(row), 0],
  [card.x - grid / 2, card.y + lineOf(row), 2],
];

/** Returns where a line may end: beside the name or from above; from inside of the state at its name. */
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

/** Returns the cheapest route through the field. Buckets of equal cost make the result deterministic. */
const routeOf = (field: Field, connection: Connection, goal: number, isInside: boolean) => {
  const best = new Int32Array(field.size * 4).fill(-1);
  const former = new Int32Array(field.size * 4).fill(-1);
  const buckets: number[][] = [];
  const visit = (place: number, total: number, from: number) => {
    const known = best[place] ?? -1;
    if (known !== -1 && known <= total) return;
    best[place] = total;
    former[place] = from;
    buckets[total] ??= [];
    buckets[total].push(place);
  };
  const ends = new Map(endsOf(connection.target, isInside).map(([x, y, direction]) => [field.nodeAt(x, y), direction]));
  startsOf(connection).forEach(([x, y, direction], index) => {
    const node = field.nodeAt(x, y);
    const passing = field.blocked[node] ? null : field.costOf(node, direction, goal);
    if (passing !== null) visit(node * 4 + direction, passing + index * 6, -1);
  });
  for (let total = 0; total < buckets.length; total += 1) {
    for (const place of buckets[total] ?? []) {
      if (best[place] !== total) continue;
      const [node, direction] = [place >> 2, place & 3];
      const end = ends.get(node);
      const isAtEnd =
        end !== undefined && (end === direction || field.isFreeFor(node, goal)) && (end + 2) % 4 !== direction;
      const joins = field.hasLineOf(node, goal) && field.isFreeFor(node, goal);
      if (isAtEnd || joins) return { places: trailOf(former, place), end: joins ? null : (end ?? null) };
      for (const next of [direction, (direction + 1) % 4, (direction + 3) % 4]) {
        if (next !== direction && !field.isFreeFor(node, goal)) continue;
        const there = field.after(node, next);
        if (there < 0 || there >= field.size || field.blocked[there]) continue;
        const passing = field.costOf(there, next, goal);
        if (passing === null) continue;
        visit(there * 4 + next, total + cost.step + passing + (next === direction ? 0 : cost.bend), place);
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

const withoutCollinear = (points: readonly (readonly [number, number])[]) =>
  points.filter(([x, y], index) => {
    const [before, next] = [points[index - 1], points[index + 1]];
    if (!before || !next) return true;
    return !((before[0] === x && x === next[0]) || (before[1] === y && y === next[1]));
  });

const connectionsIn = (root: Box): readonly Connection[] => {
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

/** Returns a line for every row with a target; null when there is not enough space between the boxes. */
export const linesOf = (root: Box): readonly Line[] | null => {
  const field = new Field(root);
  const goals = boxesIn(root).map(({ state }) => state.id);
  const lines: Line[] = [];
  for (const connection of connectionsIn(root)) {
    const { card, target } = connection;
    const goal = goals.indexOf(target.state.id);
    const isInside = card.state.id.startsWith(`${target.state.id}.`);
    const route = routeOf(field, connection, goal, isInside);
    if (!route) return null;
    const nodes = route.places.map((place) => place >> 2);
    const directions = route.places.slice(1).map((place) => place & 3);
    const places = nodes.map((node) => field.placeOf(node));
    const [[firstX, firstY] = [0, 0], [lastX, lastY] = [0, 0]] = [places[0], places.at(-1)];
    const first = (route.places[0] ?? 0) & 3;
    const points = [edgeOf(firstX, firstY, first, -1), ...places];
    if (route.end !== null) points.push(edgeOf(lastX, lastY, route.end, 1));
    field.use(nodes, [first, ...directions].slice(nodes.length === 1 ? 0 : 1), goal);
    lines.push({
      from: card.state.id,
      to: target.state.id,
      points: withoutCollinear(points),
      hasArrow: route.end !== null,
    });
  }
  return lines;
};
