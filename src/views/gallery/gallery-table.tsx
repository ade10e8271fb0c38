import { defaultRangeExtractor, useVirtualizer } from '@tanstack/react-virtual';
import { type MouseEvent, type ReactNode, useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { GalleryImage, GallerySort } from '../../../contract/gallery.ts';
import { useTableWords } from '../language/table-words.ts';
import { useElementSize } from '../parts/element-size.ts';
import type { Column } from '../parts/record-table/columns.ts';
import { RecordHead, type Sorting } from '../parts/record-table/record-head.tsx';
import classes from './gallery.module.css';
import type { GalleryViewProps } from './gallery-grid.tsx';
import { GalleryRow } from './gallery-row.tsx';
import { imageText } from './image-texts.ts';

interface GalleryTableProps extends GalleryViewProps {
  readonly columns: readonly Column<GalleryImage, GallerySort>[];
  readonly sorting: Sorting<GallerySort>;
  /** Whether the list is being scrolled at this moment; the table keeps it up to date. */
  readonly moving: { current: boolean };
}

const rowHeight = 52;
const awaited = 20;
const tickWidth = 44;
/** Boxes narrower than this, in CSS pixels, hold only the columns that say so. */
const narrowBelow = 720;

/** Images one a row, with the columns that were chosen; only the rows in sight are drawn. */
export const GalleryTable = (props: GalleryTableProps) => {
  const { label, rows, keys, chosen, onSeen, sorting, moving } = props;
  const { t } = useTranslation('gallery');
  const words = useTableWords();
  const { ref, width, height } = useElementSize();
  const [box, setBox] = useState<HTMLElement | null>(null);
  const count = rows.count ?? awaited;
  const virtual = useVirtualizer({
    count,
    getScrollElement: () => box,
    estimateSize: () => rowHeight,
    overscan: 8,
    useFlushSync: false,
    // The row that has the focus stays, or the focus would be lost with it.
    rangeExtractor: (range) =>
      [...new Set([...defaultRangeExtractor(range), Math.min(range.count - 1, keys.active)])].sort(
        (one, other) => one - other,
      ),
  });
  moving.current = virtual.isScrolling;

  const place = useRef<string | null>(null);
  const { setActive } = keys;
  const wasAt = useRef(keys.active);
  // Another list begins at its first row; one that is met again, where it was left.
  useLayoutEffect(() => {
    if (!box || rows.count === null || place.current === rows.list) return;
    const isFirst = place.current === null;
    place.current = rows.list;
    if (isFirst) {
      if (wasAt.current > 0) virtual.scrollToIndex(wasAt.current, { align: 'center' });
      return;
    }
    box.scrollTop = 0;
    setActive(0);
  }, [box, rows.count, rows.list, setActive, virtual]);

  const drawn = virtual.getVirtualItems();
  const [first, last] = [virtual.range?.startIndex ?? 0, virtual.range?.endIndex ?? 0];
  useEffect(() => onSeen(first, last), [first, last, onSeen]);
  useLayoutEffect(() => {
    keys.layout.current = {
      columns: 1,
      rowsInSight: Math.floor(height / rowHeight) - 1,
      scrollTo: (index) => virtual.scrollToIndex(index),
    };
    keys.follow(box);
  });

  const isNarrow = width > 0 && width < narrowBelow;
  const columns = isNarrow ? props.columns.filter((column) => column.narrow) : props.columns;
  const columnKeys = columns.map(({ key }) => key).join(' ');
  // The same columns are the same array, so that rows are not drawn anew with each step of a scroll.
  const kept = useRef({ columnKeys, columns, all: props.columns });
  if (kept.current.columnKeys !== columnKeys || kept.current.all !== props.columns)
    kept.current = { columnKeys, columns, all: props.columns };

  const press = useRef(keys);
  press.current = keys;
  const onPress = useCallback((index: number, event: MouseEvent, isCheck: boolean) => {
    if (isCheck) press.current.choose(index, event.shiftKey);
    else press.current.onPress(index, event);
  }, []);
  const gap = (key: string, gapHeight: number) =>
    gapHeight > 0 && (
      // biome-ignore lint/a11y/noAriaHiddenOnFocusable: nothing in it takes the focus; it is the height of what is not drawn
      <tr key={key} aria-hidden="true" className={classes.gap}>
        <td colSpan={columns.length + 1} style={{ height: gapHeight }} />
      </tr>
    );
  const lines: ReactNode[] = [];
  let at = 0;
  for (const { index, start, end } of drawn) {
    const image = rows.rowAt(index);
    lines.push(
      gap(`above ${index}`, start - at),
      <GalleryRow
        key={index}
        index={index}
        image={image}
        columns={kept.current.columns}
        isActive={index === keys.active}
        isChosen={image !== null && chosen.has(image.uid)}
        waiting={t('waiting')}
        tick={image ? words.tick(imageText(image)) : ''}
        onPress={onPress}
      />,
    );
    at = end;
  }
  lines.push(gap('below', virtual.getTotalSize() - at));
  const leastWidth = isNarrow ? 0 : tickWidth + columns.reduce((sum, { share = 120 }) => sum + share, 0);
  return (
    <section
      ref={(element) => {
        ref(element);
        setBox(element);
      }}
      className={classes.rows}
      aria-label={label}
    >
      <table
        // biome-ignore lint/a11y/noNoninteractiveElementToInteractiveRole: a grid is a table whose rows take the focus
        role="grid"
        className={classes.table}
        style={{ minWidth: leastWidth }}
        aria-label={label}
        aria-busy={rows.count === null || rows.isStale}
        aria-rowcount={rows.isCountExact && rows.count !== null ? rows.count + 1 : -1}
        aria-multiselectable="true"
        data-stale={rows.isStale || undefined}
        onKeyDown={keys.onKeyDown}
        onPointerDown={keys.onPointerDown}
        onFocus={keys.onFocus}
        onBlur={keys.onBlur}
      >
        <RecordHead
          columns={columns}
          sorting={sorting}
          everyRow={{
            label: t('chooseAll'),
            state: chosen.size === 0 ? 'none' : chosen.size === rows.count ? 'all' : 'some',
            onToggle: chosen.size === 0 ? keys.chooseAll : keys.forget,
          }}
        />
        <tbody>{lines}</tbody>
      </table>
    </section>
  );
};
