import type { State } from './chart.ts';
import { type Delays, type Row, rowsOf } from './drawing-rows.ts';

/** Everything stands on a grid of this many pixels: lines on its nodes, borders half-way between. */
export const grid = 8;
const half = grid / 2;
const rowHeight = 2 * grid;
const headHeight = 2 * grid + half;
/** Monospaced letters of 11 px take 6.6; the widest of the common fonts a little more. */
const letterWidth = 6.75;

export interface Rectangle {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** The writing of a state: its name and its rows. What has states inside has a border around all of them besides. */
export interface Card extends Rectangle {
  readonly state: State;
  readonly rows: readonly Row[];
}
export interface Box extends Rectangle {
  readonly state: State;
  readonly card: Card;
  readonly boxes: readonly Box[];
}

/** The line of a row, or of the name (-1), from the top of its card. */
export const lineOf = (row: number): number => (row < 0 ? headHeight / 2 + 2 : headHeight + row * rowHeight + grid);

const upTo = (value: number, step: number) => Math.ceil(value / step) * step;

/** The name of a state, with what it is. */
export const titleOf = ({ key, kind, isInitial }: State): string =>
  `${isInitial ? '● ' : ''}${key}${kind === 'parallel' ? ' (all at once)' : ''}${kind === 'final' ? ' ◉' : ''}`;

const cardOf = (state: State, delays: Delays): Card => {
  const rows = rowsOf(state, delays);
  const letters = rows.map(({ text, leadsTo }) => text.length + (leadsTo ? leadsTo.length + 4 : 0));
  const title = titleOf(state).length * 1.15 + 1;
  const width = upTo(Math.max(10 * grid, Math.max(title, ...letters) * letterWidth + 20), grid);
  return { state, rows, x: 0, y: 0, width, height: headHeight + rows.length * rowHeight + half };
};

interface Way {
  /** Room for lines between two boxes. */
  readonly gap: number;
  /** Width by height that is liked inside of a state. */
  readonly aspect: number;
}

/** Heights cut into columns in their order, so that the highest column is as low as can be. */
const columnsOf = (heights: readonly number[], count: number, gap: number): readonly number[] => {
  const fits = (limit: number): readonly number[] | null => {
    const lengths: number[] = [];
    let [length, filled] = [0, 0];
    for (const height of heights) {
      if (height > limit) return null;
      if (length > 0 && filled + gap + height > limit) {
        lengths.push(length);
        [length, filled] = [0, 0];
      }
      filled += (length > 0 ? gap : 0) + height;
      length += 1;
    }
    lengths.push(length);
    return lengths.length <= count ? lengths : null;
  };
  let limit = Math.max(...heights);
  let lengths = fits(limit);
  while (!lengths) {
    limit += grid;
    lengths = fits(limit);
  }
  return lengths;
};

const moved = <Kind extends Rectangle>(what: Kind, x: number, y: number): Kind => ({ ...what, x, y });

const placed = (items: readonly Rectangle[], count: number, gap: number) => {
  const lengths = columnsOf(
    items.map(({ height }) => height),
    count,
    gap,
  );
  const places: { x: number; y: number }[] = [];
  let [x, next, height] = [gap, 0, 0];
  for (const length of lengths) {
    const column = items.slice(next, next + length);
    let y = gap;
    for (const item of column) {
      places.push({ x, y });
      y += item.height + gap;
    }
    next += length;
    x += Math.max(...column.map(({ width }) => width)) + gap;
    height = Math.max(height, y);
  }
  return { places, width: x, height };
};

/** How large a drawing can be shown on a page that lies: 0 to 1. */
const scaleOn = ({ width, height }: { width: number; height: number }) => Math.min(1, 1_480 / width, 1_000 / height);

const boxOf = (state: State, delays: Delays, way: Way, isRoot: boolean): Box => {
  const card = cardOf(state, delays);
  if (state.states.length === 0) return { ...card, card, boxes: [] };
  const inner = state.states.map((child) => boxOf(child, delays, way, false));
  const gap = isRoot ? way.gap : upTo(way.gap * 0.75, grid);
  const all: readonly Rectangle[] = [card, ...inner];
  const best = all
    .map((_, index) => placed(all, index + 1, gap))
    .map((one) => ({
      one,
      cost: isRoot ? 1 - scaleOn(one) : Math.abs(Math.log(one.width / one.height / way.aspect)),
    }))
    .reduce((former, other) => (other.cost < former.cost ? other : former)).one;
  const [place, ...places] = best.places;
  return {
    ...{ state, x: 0, y: 0, width: best.width, height: best.height },
    card: moved(card, place?.x ?? gap, place?.y ?? gap),
    boxes: inner.map((box, index) => moved(box, places[index]?.x ?? 0, places[index]?.y ?? 0)),
  };
};

/** From places within the box around to places in the drawing. */
const settled = (box: Box, x: number, y: number): Box => {
  const here = { ...box, x: box.x + x, y: box.y + y };
  return {
    ...here,
    card:
      box.boxes.length === 0
        ? { ...box.card, x: here.x, y: here.y }
        : moved(box.card, box.card.x + here.x, box.card.y + here.y),
    boxes: box.boxes.map((inner) => settled(inner, here.x, here.y)),
  };
};

/** Every box of a machine in its place, with `gap` pixels for lines between two of them. */
export const boxesOf = (chart: State, delays: Delays, gap: number): Box => {
  const ways = [0.5, 0.8, 1.2, 2, 3].map((aspect) => boxOf(chart, delays, { gap, aspect }, true));
  const best = ways.reduce((former, other) => (scaleOn(other) > scaleOn(former) ? other : former));
  return settled(best, half, half);
};

/** A box and all that are in it. */
export const boxesIn = (box: Box): readonly Box[] => [box, ...box.boxes.flatMap(boxesIn)];
