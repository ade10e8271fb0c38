import { defaultRangeExtractor, useVirtualizer } from '@tanstack/react-virtual';
import { memo, type ReactNode, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { GalleryImage, GallerySort } from '../../../contract/gallery.ts';
import { useTableLabels } from '../language/table-labels.ts';
import { useElementSize } from '../ui/element-size.ts';
import type { Column } from '../ui/record-table/columns.ts';
import { RecordHead, type Sorting } from '../ui/record-table/record-head.tsx';
import classes from './gallery.module.css';
import type { GalleryViewProps } from './gallery-grid.tsx';
import { imageText } from './image-texts.ts';

interface GalleryRowProps {
  readonly index: number;
  /** Null while loading. */
  readonly image: GalleryImage | null;
  readonly columns: readonly Column<GalleryImage, GallerySort>[];
  readonly isActive: boolean;
  readonly isChosen: boolean;
  readonly waiting: string;
  /** Accessible name of the check box. */
  readonly tick: string;
}

/** Table row of one image. The table handles its keys and clicks. */
const GalleryRow = memo((props: GalleryRowProps) => {
  const { index, image, columns, isActive, isChosen, waiting, tick } = props;
  const name = image ? imageText(image) : waiting;
  return (
    <tr
      className={classes.row}
      data-index={index}
      data-opens
      aria-rowindex={index + 2}
      aria-selected={isChosen}
      tabIndex={isActive ? 0 : -1}
    >
      <td className={classes.tick} data-check>
        {image && <input type="checkbox" tabIndex={-1} aria-label={tick} checked={isChosen} readOnly />}
      </td>
      {columns.map((column, columnIndex) => (
        <td
          key={column.key}
          data-number={column.isNumber || undefined}
          data-picture={column.key === 'image' || undefined}
          title={image && column.key !== 'image' ? column.text(image) || undefined : undefined}
        >
          {image === null && columnIndex === 0 && <span className={classes.visuallyHidden}>{waiting}</span>}
          {image && (column.render ? column.render(image) : column.text(image))}
          {image && column.key === 'image' && <span className={classes.visuallyHidden}>{name}</span>}
        </td>
      ))}
    </tr>
  );
});

interface GalleryTableProps extends GalleryViewProps {
  readonly columns: readonly Column<GalleryImage, GallerySort>[];
  readonly sorting: Sorting<GallerySort>;
  /** True while the list is scrolling; updated by the table. */
  readonly moving: { current: boolean };
}

const rowHeight = 52;
const awaited = 20;
const tickWidth = 44;
/** Below this width in CSS pixels only columns marked for narrow screens are shown. */
const narrowBelow = 720;

/** Virtualized table of images with selectable columns. */
export const GalleryTable = (props: GalleryTableProps) => {
  const { label, rows, keys, chosen, onSeen, sorting, moving } = props;
  const { t } = useTranslation('gallery');
  const texts = useTableLabels();
  const { ref, width, height } = useElementSize();
  const [box, setBox] = useState<HTMLElement | null>(null);
  const count = rows.count ?? awaited;
  const virtual = useVirtualizer({
    count,
    getScrollElement: () => box,
    estimateSize: () => rowHeight,
    overscan: 8,
    useFlushSync: false,
    // The focused row stays rendered so that focus is not lost.
    rangeExtractor: (range) =>
      [...new Set([...defaultRangeExtractor(range), Math.min(range.count - 1, keys.active)])].sort(
        (one, other) => one - other,
      ),
  });
  moving.current = virtual.isScrolling;

  const shownList = useRef<string | null>(null);
  const { setActive } = keys;
  const wasAt = useRef(keys.active);
  // A new list starts at the top; a revisited list keeps its scroll position.
  useLayoutEffect(() => {
    if (!box || rows.count === null || shownList.current === rows.list) return;
    const isFirst = shownList.current === null;
    shownList.current = rows.list;
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
  // Keeps the columns array stable so that rows do not re-render on scroll.
  const previous = useRef({ columnKeys, columns, all: props.columns });
  if (previous.current.columnKeys !== columnKeys || previous.current.all !== props.columns)
    previous.current = { columnKeys, columns, all: props.columns };

  const gap = (key: string, gapHeight: number) =>
    gapHeight > 0 && (
      // biome-ignore lint/a11y/noAriaHiddenOnFocusable: contains no focusable element; it only reserves the height of rows that are not rendered
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
        columns={previous.current.columns}
        isActive={index === keys.active}
        isChosen={image !== null && chosen.has(image.uid)}
        waiting={t('waiting')}
        tick={image ? texts.tick(imageText(image)) : ''}
      />,
    );
    at = end;
  }
  lines.push(gap('below', virtual.getTotalSize() - at));
  const minWidth = isNarrow ? 0 : tickWidth + columns.reduce((sum, { widthShare: share = 120 }) => sum + share, 0);
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
        // biome-ignore lint/a11y/noNoninteractiveElementToInteractiveRole: a grid is a table with focusable rows
        role="grid"
        className={classes.table}
        style={{ minWidth: minWidth }}
        aria-label={label}
        aria-busy={rows.count === null || rows.isStale}
        aria-rowcount={rows.isCountExact && rows.count !== null ? rows.count + 1 : -1}
        aria-multiselectable="true"
        data-stale={rows.isStale || undefined}
        onClick={keys.onClick}
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
