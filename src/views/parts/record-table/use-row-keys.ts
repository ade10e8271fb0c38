import { type KeyboardEvent, type RefObject, useLayoutEffect, useRef, useState } from 'react';
import { rowsBetween, type Selection, withRows } from './selection.ts';

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
 * One row of the table can be reached by Tab; arrows, Home, End and Page keys go on from there, Enter opens, the space bar ticks, Shift with
 * a step ticks what lies between, Ctrl+A ticks all.
 */
export const useRowKeys = <Row>({ rows, keyOf, selection, onOpen, body, scrollTo }: RowKeys<Row>) => {
  const [wanted, setActive] = useState(0);
  const active = Math.min(wanted, Math.max(0, rows.length - 1));
  const anchor = useRef(0);
  const takesFocus = useRef(false);
  useLayoutEffect(() => {
    if (!takesFocus.current) return;
    takesFocus.current = false;
    body.current?.querySelector<HTMLElement>(`[data-index="${active}"]`)?.focus();
  });

  /** Ticks a row or takes its tick away; with `range` also those between it and the row that was ticked before. */
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
    const row = rows[active];
    const step = steps[event.key];
    if (step) go(step(active, rows.length - 1), event.shiftKey);
    else if (event.key === 'Enter' && row !== undefined) onOpen?.(row);
    else if (event.key === ' ' && selection) tick(active, event.shiftKey);
    else if (event.key.toLowerCase() === 'a' && (event.ctrlKey || event.metaKey) && selection)
      selection.onChange(withRows(selection.chosen, rows, keyOf, true));
    else return;
    event.preventDefault();
  };
  return { active, setActive, tick, onKeyDown };
};
