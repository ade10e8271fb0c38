import IconCheck from '@tabler/icons-react/dist/esm/icons/IconCheck.mjs';
import { defaultRangeExtractor, useVirtualizer } from '@tanstack/react-virtual';
import { memo, useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { GalleryImage } from '../../../contract/gallery.ts';
import { useFileErrorText } from '../language/file-error-text.ts';
import { ProtectedMark } from '../language/protected-mark.tsx';
import { useElementSize } from '../ui/element-size.ts';
import { LazyThumbnail, type ThumbnailLabels } from '../ui/lazy-thumbnail.tsx';
import classes from './gallery.module.css';
import type { ChosenImages } from './image-selection.ts';
import { imageText, takenText, useImageTexts } from './image-texts.ts';
import type { GalleryRows } from './use-gallery-rows.ts';
import type { ImageKeys } from './use-image-keys.ts';

interface GalleryTileProps {
  readonly index: number;
  /** Null while loading. */
  readonly image: GalleryImage | null;
  readonly isActive: boolean;
  readonly isChosen: boolean;
  /** Total number of images; -1 when unknown. */
  readonly ofAll: number;
  readonly waiting: string;
  readonly words: ThumbnailLabels;
  readonly isMoving: () => boolean;
}

/** Image tile on black; shows its caption on hover and focus. The list handles its keys and clicks. */
export const GalleryTile = memo((props: GalleryTileProps) => {
  const { index, image, isActive, isChosen, ofAll, waiting, words, isMoving } = props;
  const errorText = useFileErrorText()(image?.storageFault ?? null);
  return (
    <div
      role="option"
      className={classes.tile}
      data-index={index}
      tabIndex={isActive ? 0 : -1}
      aria-selected={isChosen}
      aria-label={image ? [imageText(image), errorText].filter(Boolean).join(', ') : waiting}
      aria-posinset={index + 1}
      aria-setsize={ofAll}
    >
      {image && (
        <>
          <LazyThumbnail link={image.activeImageThumbLink} words={words} errorText={errorText} isMoving={isMoving} />
          <span className={classes.check} data-check aria-hidden="true">
            <IconCheck />
          </span>
          <span className={classes.caption} aria-hidden="true">
            <span>
              {image.patientName}
              <ProtectedMark of={image} />
            </span>
            <span className={classes.captionDimmed}>
              {[takenText(image).slice(0, 10), image.name].filter(Boolean).join(' · ')}
            </span>
          </span>
        </>
      )}
    </div>
  );
});

export interface GalleryViewProps {
  readonly label: string;
  readonly rows: GalleryRows;
  readonly keys: ImageKeys;
  readonly chosen: ChosenImages;
  /** Indexes of the first and last visible image. */
  readonly onSeen: (first: number, last: number) => void;
}

const gap = 2;
/** Number of placeholders while the total is unknown. */
const awaited = 60;

/** Virtualized grid of image tiles on black. Columns follow from the requested tile size in CSS pixels. */
export const GalleryGrid = (props: GalleryViewProps & { readonly tileSize: number }) => {
  const { label, rows, keys, chosen, onSeen, tileSize } = props;
  const { t } = useTranslation('gallery');
  const texts = useImageTexts();
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
    // The focused tile stays rendered so that focus is not lost.
    rangeExtractor: (range) =>
      [
        ...new Set([...defaultRangeExtractor(range), Math.min(range.count - 1, Math.floor(keys.active / columns))]),
      ].sort((one, other) => one - other),
  });

  // When the tile size changes, the first visible image stays at the top.
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

  const shownList = useRef(rows.list);
  const { setActive } = keys;
  // A new list starts at the top.
  useLayoutEffect(() => {
    if (shownList.current === rows.list) return;
    shownList.current = rows.list;
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
          words={texts}
          isMoving={isMoving}
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
      onClick={keys.onClick}
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
