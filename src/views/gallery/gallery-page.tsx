import { Button, SegmentedControl } from '@mantine/core';
import IconPhotoOff from '@tabler/icons-react/dist/esm/icons/IconPhotoOff.mjs';
import { type ReactNode, useCallback, useLayoutEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { GalleryImage, GallerySort } from '../../../contract/gallery.ts';
import { useFailureText } from '../language/failure-text.ts';
import { ListBar } from '../language/list-bar.tsx';
import { Notice } from '../parts/notice.tsx';
import { PageTitle } from '../parts/page-title.tsx';
import { useColumnChoice } from '../parts/record-table/columns.ts';
import { useStoredText } from '../parts/stored-state.ts';
import { toast } from '../parts/toast.ts';
import { failureOfQuery } from '../reading.tsx';
import classes from './gallery.module.css';
import { useGalleryColumns } from './gallery-columns.tsx';
import { GalleryFilters } from './gallery-filters.tsx';
import { GalleryFoot } from './gallery-foot.tsx';
import { GalleryGrid } from './gallery-grid.tsx';
import { GalleryOrder } from './gallery-order.tsx';
import { useGalleryPlace } from './gallery-place.ts';
import { GalleryTable } from './gallery-table.tsx';
import { type ChosenImages, mostChosen } from './image-selection.ts';
import { usePictureWords } from './image-texts.ts';
import { useLeftList } from './left-list.ts';
import { useGalleryRows } from './use-gallery-rows.ts';
import { useImageKeys } from './use-image-keys.ts';

interface GalleryPageProps {
  readonly clinicId: string;
  readonly onOpen: (image: GalleryImage) => void;
  /** Images of one patient side by side. */
  readonly onCompare: (images: readonly GalleryImage[]) => void;
  /** Why this person may not have originals, in words; null: they may. */
  readonly downloadBarred: string | null;
  readonly renderTeeth: (teeth: readonly number[], onChange: (teeth: readonly number[]) => void) => ReactNode;
}

const [smallest, largest, usual, step] = [96, 400, 176, 8];
/** What is in sight is told in such steps, so that not every turn of the wheel draws the page anew. */
const seenStep = 25;

/** All images of a clinic: as a wall of pictures or as a table. A page of another clinic is another page: give it a key. */
export const GalleryPage = ({ clinicId, onOpen, onCompare, downloadBarred, renderTeeth }: GalleryPageProps) => {
  const { t } = useTranslation(['gallery', 'shell', 'lists']);
  const failureText = useFailureText();
  const place = useGalleryPlace(clinicId);
  const [view, setView] = useStoredText('gallery-view', 'grid');
  const [storedSize, storeSize] = useStoredText('gallery-size', String(usual));
  const tileSize = Math.min(largest, Math.max(smallest, Number(storedSize) || usual));
  const [seen, setSeen] = useState<readonly [number, number]>([0, 0]);
  const rows = useGalleryRows(place.asked, seen);
  const asked = JSON.stringify(place.asked);
  const { leave, leftAt, forget } = useLeftList();
  const [chosen, setChosen] = useState<ChosenImages>(() => leftAt(asked)?.chosen ?? new Map());
  const moving = useRef(false);
  const isMoving = useCallback(() => moving.current, []);
  const columns = useColumnChoice<GalleryImage, GallerySort>(
    'gallery-columns',
    useGalleryColumns(usePictureWords(), isMoving),
  );
  const close = t('shell:close');
  const keys = useImageKeys({
    rows,
    chosen,
    onChosen: setChosen,
    onOpen: (image, index) => {
      leave({ list: rows.list, index, chosen });
      onOpen(image);
    },
    onCut: () => toast({ tone: 'bad', text: t('mostChosen', { count: mostChosen }), close }),
    onFailed: (error) => toast({ tone: 'bad', text: failureText(failureOfQuery(error)), close }),
  });
  // Back before the other page had come, the list was only hidden meanwhile: layout effects run again when it shows again.
  useLayoutEffect(() => {
    const left = leftAt(asked);
    if (left) keys.returnTo(left.index);
    forget();
  }, []);
  const onSeen = useCallback((first: number, last: number) => {
    const next = [Math.floor(first / seenStep) * seenStep, Math.ceil(last / seenStep) * seenStep] as const;
    setSeen((before) => (before[0] === next[0] && before[1] === next[1] ? before : next));
  }, []);

  const body = () => {
    if (rows.error)
      return (
        <Notice
          urgent
          title={t('loadFailed')}
          text={failureText(failureOfQuery(rows.error))}
          action={<Button onClick={rows.retry}>{t('lists:retry')}</Button>}
        />
      );
    if (rows.count === 0 && !rows.isStale)
      return (
        <Notice
          title={place.isNarrowed ? t('noneFound') : t('noneYet')}
          text={place.isNarrowed ? t('noneFoundText') : t('noneYetText')}
          icon={<IconPhotoOff />}
          action={
            place.isNarrowed && (
              <Button variant="default" onClick={place.clear}>
                {t('clear')}
              </Button>
            )
          }
        />
      );
    const shared = { label: t('title'), rows, keys, chosen, onSeen };
    return view === 'table' ? (
      <GalleryTable
        {...shared}
        columns={columns.shown}
        moving={moving}
        sorting={{
          by: place.list.sort,
          order: place.list.order,
          onSort: (sort, order) => place.list.change({ sort, order }),
        }}
      />
    ) : (
      <GalleryGrid {...shared} tileSize={tileSize} />
    );
  };
  return (
    <div className={classes.page}>
      <PageTitle>{t('title')}</PageTitle>
      <h1 className={classes.spoken}>{t('title')}</h1>
      <ListBar
        list={place.list}
        searchLabel={t('find')}
        {...(view === 'table' && { columns })}
        filters={<GalleryFilters place={place} modalities={rows.modalities} renderTeeth={renderTeeth} />}
      >
        {view !== 'table' && (
          <>
            <GalleryOrder list={place.list} />
            <input
              type="range"
              className={classes.slider}
              aria-label={t('tileSize')}
              title={t('tileSize')}
              min={smallest}
              max={largest}
              step={step}
              value={tileSize}
              onChange={(event) => storeSize(event.currentTarget.value)}
            />
          </>
        )}
        <SegmentedControl
          aria-label={t('view')}
          value={view === 'table' ? 'table' : 'grid'}
          onChange={setView}
          data={(['grid', 'table'] as const).map((value) => ({ value, label: t(value) }))}
        />
      </ListBar>
      <div className={classes.body}>{body()}</div>
      <GalleryFoot
        rows={rows}
        chosen={chosen}
        onForget={keys.forget}
        onCompare={(images) => {
          leave({ list: rows.list, index: keys.active, chosen });
          onCompare(images);
        }}
        downloadBarred={downloadBarred}
      />
    </div>
  );
};
