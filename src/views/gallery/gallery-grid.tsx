import { defaultRangeExtractor, useVirtualizer } from '@tanstack/react-virtual';
import { type MouseEvent, useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useElementSize } from '../parts/element-size.ts';
import classes from './gallery.module.css';
import { GalleryTile } from './gallery-tile.tsx';
import type { ChosenImages } from './image-selection.ts';
import { usePictureWords } from './image-texts.ts';
import type { GalleryRows } from './use-gallery-rows.ts';
import type { ImageKeys } from './use-image-keys.ts';

export interface GalleryViewProps {
  readonly label: string;
  readonly rows: GalleryRows;
  readonly keys: ImageKeys;
  readonly chosen: ChosenImages;
  /** The first and the last image in sight. */
  readonly onSeen: (first: number, last: number) => void;
}

const gap = 2;
/** Drawn while nobody knows how many there are. */
const awaited = 60;

/** Images edge to edge on black, as many in a row as their wanted size (in CSS pixels) lets in; only those in sight are drawn. */
export const GalleryGrid = (props: GalleryViewProps & { readonly tileSize: number }) => {
  const { label, rows, keys, chosen, onSeen, tileSize } = props;
  const { t } = useTranslation('gallery');
  const words = usePictureWords();
  const { ref, width, height } = useElementSize();
  const [box, setBox] = useState<HTMLElement | null>(null);
  const count = rows.count ?? awaited;
  const columns = Math.max(1, Math.floor((width + gap) / (tileSize + gap)));
  const side = Math.max(1, (width - gap * (columns - 1)) / columns);
  const virtual = useVirtualizer({
    count: Math.ceil(count / columns),
    getScrollElement: () => box,
    estimateSize: () => side + gap,
    overscan: 3,
    useFlushSync: false,
    // The image that has the focus stays, or the focus would be lost with it.
    rangeExtractor: (range) =>
      [
        ...new Set([...defaultRangeExtractor(range), Math.min(range.count - 1, Math.floor(keys.active / columns))]),
      ].sort((one, other) => one - other),
  });

  // Other sizes: what was at the top stays there.
  const topImage = useRef(0);
  const laidOut = useRef({ columns: 0, side: 0 });
  useLayoutEffect(() => {
    if (!box || width === 0 || rows.count === null) return;
    const before = laidOut.current;
    laidOut.current = { columns, side };
    if (before.columns === columns && before.side === side) return;
    virtual.measure();
    const isFirst = before.columns === 0;
    const index = isFirst ? keys.active : topImage.current;
    if (index > 0) virtual.scrollToIndex(Math.floor(index / columns), { align: isFirst ? 'center' : 'start' });
  }, [box, width, columns, side, virtual, rows.count, keys.active]);

  const place = useRef(rows.list);
  const { setActive } = keys;
  // Another list begins at its first row.
  useLayoutEffect(() => {
    if (place.current === rows.list) return;
    place.current = rows.list;
    if (box) box.scrollTop = 0;
    setActive(0);
  }, [box, rows.list, setActive]);

  const drawn = virtual.getVirtualItems();
  const range = virtual.range;
  const [firstRow, lastRow] = [range?.startIndex ?? 0, range?.endIndex ?? 0];
  useEffect(() => {
    topImage.current = firstRow * columns;
    onSeen(firstRow * columns, (lastRow + 1) * columns - 1);
  }, [firstRow, lastRow, columns, onSeen]);
  useLayoutEffect(() => {
    keys.layout.current = {
      columns,
      rowsInSight: Math.floor(height / (side + gap)),
      scrollTo: (index) => virtual.scrollToIndex(Math.floor(index / columns)),
    };
    keys.follow(box);
  });

  const isMoving = useCallback(() => virtual.isScrolling, [virtual]);
  const press = useRef(keys);
  press.current = keys;
  const onPress = useCallback((index: number, event: MouseEvent, isCheck: boolean) => {
    if (isCheck) press.current.choose(index, event.shiftKey);
    else press.current.onPress(index, event);
  }, []);
  const ofAll = rows.isCountExact && rows.count !== null ? rows.count : -1;
  const tiles = (row: number) => {
    const first = row * columns;
    return Array.from({ length: Math.max(0, Math.min(columns, count - first)) }, (_, column) => {
      const index = first + column;
      const image = rows.rowAt(index);
      return (
        <GalleryTile
          key={index}
          index={index}
          image={image}
          isActive={index === keys.active}
          isChosen={image !== null && chosen.has(image.uid)}
          ofAll={ofAll}
          waiting={t('waiting')}
          words={words}
          isMoving={isMoving}
          onPress={onPress}
        />
      );
    });
  };
  return (
    <div
      ref={(element) => {
        ref(element);
        setBox(element);
      }}
      className={classes.grid}
      role="listbox"
      aria-label={label}
      aria-multiselectable="true"
      aria-busy={rows.count === null || rows.isStale}
      data-stale={rows.isStale || undefined}
      data-choosing={chosen.size > 0 || undefined}
      tabIndex={-1}
      onKeyDown={keys.onKeyDown}
      onPointerDown={keys.onPointerDown}
      onFocus={keys.onFocus}
      onBlur={keys.onBlur}
    >
      <div role="presentation" className={classes.sheet} style={{ height: virtual.getTotalSize() }}>
        {width > 0 &&
          drawn.map(({ index, start }) => (
            <div
              key={index}
              role="presentation"
              className={classes.line}
              style={{
                height: side,
                gridTemplateColumns: `repeat(${columns}, minmax(0, 1fr))`,
                transform: `translateY(${start}px)`,
              }}
            >
              {tiles(index)}
            </div>
          ))}
      </div>
    </div>
  );
};
