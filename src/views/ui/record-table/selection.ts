import { type KeyboardEvent, type RefObject, useLayoutEffect, useRef, useState } from 'react';

/** Selected rows by key; kept across pages. */
type Chosen<Row> = ReadonlyMap<string, Row>;

export interface Selection<Row> {
  readonly chosen: Chosen<Row>;
  readonly onChange: (chosen: Chosen<Row>) => void;
}

export const useSelection = <Row>(): Selection<Row> => {
  const [chosen, onChange] = useState<Chosen<Row>>(() => new Map());
  return { chosen, onChange };
};

/** Returns `chosen` with all `rows` added or removed. */
export const withRows = <Row>(
  chosen: Chosen<Row>,
  rows: readonly Row[],
  keyOf: (row: Row) => string,
  ticked: boolean,
): Chosen<Row> => {
  const next = new Map(chosen);
  for (const row of rows) {
    if (ticked) next.set(keyOf(row), row);
    else next.delete(keyOf(row));
  }
  return next;
};

/** Returns the rows between two indexes, both included. */
const rowsBetween = <Row>(rows: readonly Row[], one: number, other: number): readonly Row[] =>
  rows.slice(Math.min(one, other), Math.max(one, other) + 1);

interface RowKeys<Row> {
  readonly rows: readonly Row[];
  readonly keyOf: (row: Row) => string;
  readonly selection: Selection<Row> | undefined;
  readonly onOpen: ((row: Row) => void) | undefined;
  readonly body: RefObject<HTMLElement | null>;
  readonly scrollTo: (index: number) => void;
}

const rowsOfAPage = 10;

const steps: Readonly<Record<string, (index: number, last: number) => number>> = {
  ArrowDown: (index) => index + 1,
  ArrowUp: (index) => index - 1,
  PageDown: (index) => index + rowsOfAPage,
  PageUp: (index) => index - rowsOfAPage,
  Home: () => 0,
  End: (_, last) => last,
};

/**
 * Keyboard navigation: one row is in the tab order; arrows, Home, End and Page keys move, Enter opens, Space selects,
 * Shift with a move selects the range, Ctrl+A selects all.
 */
export const useRowKeys = <Row>({ rows, keyOf, selection, onOpen, body, scrollTo }: RowKeys<Row>) => {
  const [requested, setActive] = useState(0);
  const active = Math.min(requested, Math.max(0, rows.length - 1));
  const anchor = useRef(0);
  const takesFocus = useRef(false);
  useLayoutEffect(() => {
    if (!takesFocus.current) return;
    takesFocus.current = false;
    body.current?.querySelector<HTMLElement>(`[data-index="${active}"]`)?.focus();
  });

  /** Toggles the selection of a row; with `range` of all rows since the previous one. */
  const tick = (index: number, range: boolean) => {
    const row = rows[index];
    if (!selection || row === undefined) return;
    const ticked = range || !selection.chosen.has(keyOf(row));
    const meant = range ? rowsBetween(rows, anchor.current, index) : [row];
    selection.onChange(withRows(selection.chosen, meant, keyOf, ticked));
    if (!range) anchor.current = index;
    setActive(index);
  };
  const go = (to: number, range: boolean) => {
    const index = Math.max(0, Math.min(rows.length - 1, to));
    takesFocus.current = true;
    setActive(index);
    scrollTo(index);
    if (range) tick(index, true);
    else anchor.current = index;
  };
  const onKeyDown = (event: KeyboardEvent<HTMLElement>) => {
    if (!(event.target instanceof HTMLElement) || event.target.dataset.index === undefined) return;
    // A screen reader can focus a row that is not in the tab order.
    const focused = Number(event.target.dataset.index);
    const row = rows[focused];
    const step = steps[event.key];
    if (step) go(step(focused, rows.length - 1), event.shiftKey);
    else if (event.key === 'Enter' && row !== undefined) onOpen?.(row);
    else if (event.key === ' ' && selection) tick(focused, event.shiftKey);
    else if (event.key.toLowerCase() === 'a' && (event.ctrlKey || event.metaKey) && selection)
      selection.onChange(withRows(selection.chosen, rows, keyOf, true));
    else return;
    event.preventDefault();
  };
  return { active, setActive, tick, onKeyDown };
};
