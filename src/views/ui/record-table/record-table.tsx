import { Skeleton } from '@mantine/core';
import { defaultRangeExtractor, useVirtualizer } from '@tanstack/react-virtual';
import { type ReactNode, useLayoutEffect, useRef } from 'react';
import { useIsNarrower } from '../element-size.ts';
import type { Column } from './columns.ts';
import { RecordHead, type Sorting } from './record-head.tsx';
import { RecordRow } from './record-row.tsx';
import classes from './record-table.module.css';
import { type Selection, useRowKeys, withRows } from './selection.ts';

/** Labels of the table, translated by `useTableLabels`. */
export interface TableLabels {
  readonly tick: (name: string) => string;
  readonly tickAll: string;
  readonly actions: string;
}

export interface RecordTableProps<Row, Sort extends string> {
  /** What the list contains. */
  readonly label: string;
  /** Null while the first page loads. */
  readonly rows: readonly Row[] | null;
  /** Number of placeholder rows while loading. */
  readonly awaited: number;
  readonly columns: readonly Column<Row, Sort>[];
  readonly keyOf: (row: Row) => string;
  /** Returns the name of a row. */
  readonly nameOf: (row: Row) => string;
  readonly words: TableLabels;
  readonly sorting?: Sorting<Sort>;
  readonly selection?: Selection<Row>;
  readonly onOpen?: (row: Row) => void;
  /** Returns the URL that a row opens, so that it can be opened in another tab. */
  readonly hrefOf?: (row: Row) => string;
  /** Actions of a row, usually a menu. */
  readonly actions?: (row: Row) => ReactNode;
  /** Key of the record shown beside the list. */
  readonly current?: string | null;
  /** Identifies page and search; a new value scrolls to the top. */
  readonly place?: string;
  /** The rows belong to another page or search than requested. */
  readonly isStale?: boolean;
  /** Replaces the rows when there are none or they cannot be loaded. */
  readonly instead?: ReactNode;
}

/** Up to this many rows render without virtual scrolling. */
const maxDrawnPlainly = 60;
const usualHeight = 37;
/** Below this width in CSS pixels only columns marked `narrow` are shown. */
const narrowBelow = 720;

/**
 * A table of records with virtual scrolling, sorting by heading, selection by mouse (Shift: a range)
 * or keyboard, and opening by click or Enter.
 */
export const RecordTable = <Row, Sort extends string>(props: RecordTableProps<Row, Sort>) => {
  const { label, rows, awaited, keyOf, nameOf, words, sorting, selection, onOpen, actions, current } = props;
  const box = useRef<HTMLElement>(null);
  const isNarrow = useIsNarrower(box, narrowBelow);
  const body = useRef<HTMLTableSectionElement>(null);
  const shown = rows ?? [];
  const isLong = shown.length > maxDrawnPlainly;
  const keysActive = useRef(0);
  const virtual = useVirtualizer({
    count: shown.length,
    enabled: isLong,
    getScrollElement: () => box.current,
    estimateSize: () => usualHeight,
    overscan: 12,
    // The focused row stays rendered, so that it keeps the focus.
    rangeExtractor: (range) =>
      [...new Set([...defaultRangeExtractor(range), Math.min(keysActive.current, range.count - 1)])].sort(
        (a, b) => a - b,
      ),
  });
  const keys = useRowKeys({
    rows: shown,
    keyOf,
    selection,
    onOpen,
    body,
    scrollTo: (index) => virtual.scrollToIndex(index),
  });
  keysActive.current = keys.active;

  const { place } = props;
  const { setActive } = keys;
  // Rows of another page or search start at the top.
  useLayoutEffect(() => {
    if (box.current) box.current.scrollTop = 0;
    setActive(0);
  }, [place, setActive]);

  const columns = props.columns.filter((column, place) => !isNarrow || place === 0 || column.narrow);
  const cells = columns.length + (selection ? 1 : 0) + (actions ? 1 : 0);
  const ticked = selection ? shown.filter((row) => selection.chosen.has(keyOf(row))).length : 0;
  const drawn = isLong
    ? virtual.getVirtualItems().map(({ index, start, end }) => ({ index, start, end }))
    : shown.map((_, index) => ({ index, start: 0, end: 0 }));

  const gap = (key: string, height: number) =>
    height > 0 && (
      // biome-ignore lint/a11y/noAriaHiddenOnFocusable: nothing in it takes the focus; it is the height of what is not drawn
      <tr key={key} aria-hidden="true" className={classes.gap}>
        <td colSpan={cells} style={{ height }} />
      </tr>
    );
  const line = (index: number) => {
    const row = shown[index];
    if (row === undefined) return null;
    const [key, name] = [keyOf(row), nameOf(row)];
    return (
      <RecordRow
        key={key}
        row={row}
        index={index}
        columns={columns}
        measure={isLong ? virtual.measureElement : undefined}
        isActive={index === keys.active}
        isCurrent={key === current}
        tick={
          selection
            ? { label: words.tick(name), on: selection.chosen.has(key), onTick: (range) => keys.tick(index, range) }
            : null
        }
        open={onOpen ? { href: props.hrefOf?.(row) ?? null, onOpen: () => onOpen(row) } : null}
        onActive={() => keys.setActive(index)}
        actions={actions?.(row)}
      />
    );
  };
  const lines = () => {
    const items: ReactNode[] = [];
    let at = 0;
    for (const { index, start, end } of drawn) {
      items.push(gap(`above ${index}`, start - at), line(index));
      at = end;
    }
    if (isLong) items.push(gap('below', virtual.getTotalSize() - at));
    return items;
  };
  return (
    <section
      ref={box}
      className={classes.box}
      aria-label={label}
      // Without a focusable row, keys scroll the box.
      tabIndex={rows?.length ? undefined : 0}
    >
      {props.instead ?? (
        <table
          // biome-ignore lint/a11y/noNoninteractiveElementToInteractiveRole: a grid is a table whose rows take the focus
          role="grid"
          className={classes.table}
          aria-label={label}
          aria-busy={rows === null || props.isStale === true}
          aria-rowcount={rows ? rows.length + 1 : undefined}
          aria-multiselectable={selection ? true : undefined}
          data-stale={props.isStale || undefined}
          onKeyDown={keys.onKeyDown}
        >
          <RecordHead
            columns={columns}
            isNarrow={isNarrow}
            sorting={sorting}
            {...(selection && {
              everyRow: {
                label: words.tickAll,
                state: ticked === 0 ? 'none' : ticked === shown.length ? 'all' : 'some',
                onToggle: () => selection.onChange(withRows(selection.chosen, shown, keyOf, ticked < shown.length)),
              },
            })}
            actionsName={actions ? words.actions : undefined}
          />
          <tbody ref={body}>
            {rows === null
              ? Array.from({ length: awaited }, (_, row) => row).map((row) => (
                  <tr key={row}>
                    {Array.from({ length: cells }, (_, cell) => cell).map((cell) => (
                      <td key={cell}>
                        <Skeleton height={12} width={`${72 - ((row * 7 + cell * 5) % 23)}%`} radius={3} />
                      </td>
                    ))}
                  </tr>
                ))
              : lines()}
          </tbody>
        </table>
      )}
    </section>
  );
};
