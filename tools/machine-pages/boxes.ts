import type { State } from './chart.ts';
import { type Delays, type Row, rowsOf } from './drawing-rows.ts';

/** Grid in pixels: lines run along its nodes, borders half-way between. */
export const grid = 8;
const half = grid / 2;
const rowHeight = 2 * grid;
const headHeight = 2 * grid + half;
/** Width of a monospaced letter of 11 px; 6.6 in most fonts. */
const letterWidth = 6.75;

export interface Rectangle {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** Text of a state: name and rows. */
export interface Card extends Rectangle {
  readonly state: State;
  readonly rows: readonly Row[];
}
/** A state: its card, and the boxes of its child states in a border around all. */
export interface Box extends Rectangle {
  readonly state: State;
  readonly card: Card;
  readonly boxes: readonly Box[];
}

/** Returns the middle of a row, or of the name (-1), from the top of its card. */
export const lineOf = (row: number): number => (row < 0 ? headHeight / 2 + 2 : headHeight + row * rowHeight + grid);

const upTo = (value: number, step: number) => Math.ceil(value / step) * step;

/** Returns the name of a state with its kind. */
export const titleOf = ({ key, kind, isInitial }: State): string =>
  `${isInitial ? '● ' : ''}${key}${kind === 'parallel' ? ' (parallel)' : ''}${kind === 'final' ? ' ◉' : ''}`;

const cardOf = (state: State, delays: Delays): Card => {
  const rows = rowsOf(state, delays);
  const lengths = rows.map(({ text, target }) => text.length + (target ? target.length + 4 : 0));
  const title = titleOf(state).length * 1.15 + 1;
  const width = upTo(Math.max(10 * grid, Math.max(title, ...lengths) * letterWidth + 20), grid);
  return { state, rows, x: 0, y: 0, width, height: headHeight + rows.length * rowHeight + half };
};

interface LayoutOptions {
  /** Space for lines between two boxes. */
  readonly gap: number;
  /** Preferred ratio of width to height of a state. */
  readonly aspect: number;
}

/** Splits heights into columns, keeping their order, so that the highest column is as low as possible. */
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

/** Returns the scale that fits a drawing on a landscape page, at most 1. */
const scaleOn = ({ width, height }: { width: number; height: number }) => Math.min(1, 1_480 / width, 1_000 / height);

const boxOf = (state: State, delays: Delays, options: LayoutOptions, isRoot: boolean): Box => {
  const card = cardOf(state, delays);
  if (state.states.length === 0) return { ...card, card, boxes: [] };
  const inner = state.states.map((child) => boxOf(child, delays, options, false));
  const gap = isRoot ? options.gap : upTo(options.gap * 0.75, grid);
  const all: readonly Rectangle[] = [card, ...inner];
  const best = all
    .map((_, index) => placed(all, index + 1, gap))
    .map((one) => ({
      one,
      cost: isRoot ? 1 - scaleOn(one) : Math.abs(Math.log(one.width / one.height / options.aspect)),
    }))
    .reduce((former, other) => (other.cost < former.cost ? other : former)).one;
  const [place, ...places] = best.places;
  return {
    state,
    x: 0,
    y: 0,
    width: best.width,
    height: best.height,
    card: moved(card, place?.x ?? gap, place?.y ?? gap),
    boxes: inner.map((box, index) => moved(box, places[index]?.x ?? 0, places[index]?.y ?? 0)),
  };
};

/** Converts positions relative to the parent to positions in the drawing. */
const toAbsolute = (box: Box, x: number, y: number): Box => {
  const here = { ...box, x: box.x + x, y: box.y + y };
  return {
    ...here,
    card:
      box.boxes.length === 0
        ? { ...box.card, x: here.x, y: here.y }
        : moved(box.card, box.card.x + here.x, box.card.y + here.y),
    boxes: box.boxes.map((inner) => toAbsolute(inner, here.x, here.y)),
  };
};

/** Places every state of a machine, with `gap` pixels for lines between two boxes. */
export const boxesOf = (chart: State, delays: Delays, gap: number): Box => {
  const layouts = [0.5, 0.8, 1.2, 2, 3].map((aspect) => boxOf(chart, delays, { gap, aspect }, true));
  const best = layouts.reduce((former, other) => (scaleOn(other) > scaleOn(former) ? other : former));
  return toAbsolute(best, half, half);
};

/** Returns a box and all boxes in it. */
export const boxesIn = (box: Box): readonly Box[] => [box, ...box.boxes.flatMap(boxesIn)];
