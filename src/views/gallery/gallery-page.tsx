import { Button, SegmentedControl } from '@mantine/core';
import IconPhotoOff from '@tabler/icons-react/dist/esm/icons/IconPhotoOff.mjs';
import { type ReactNode, useCallback, useLayoutEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { GalleryImage, GallerySort } from '../../../contract/gallery.ts';
import { failureOfQuery } from '../app/queries-context.tsx';
import { useFailureText } from '../language/failure-text.ts';
import { ListToolbar } from '../language/list-toolbar.tsx';
import { Notice } from '../ui/notice.tsx';
import { PageTitle } from '../ui/page-heading.tsx';
import { useColumnChoice } from '../ui/record-table/columns.ts';
import { useStoredText } from '../ui/stored-state.ts';
import { toast } from '../ui/toast.ts';
import classes from './gallery.module.css';
import { useGalleryColumns } from './gallery-columns.tsx';
import { GalleryFilters, GalleryOrder } from './gallery-filters.tsx';
import { GalleryFoot } from './gallery-foot.tsx';
import { GalleryGrid } from './gallery-grid.tsx';
import { GalleryTable } from './gallery-table.tsx';
import { useGalleryUrl } from './gallery-url.ts';
import { type ChosenImages, maxSelected, useListScroll } from './image-selection.ts';
import { useImageTexts } from './image-texts.ts';
import { useGalleryRows } from './use-gallery-rows.ts';
import { useImageKeys } from './use-image-keys.ts';

interface GalleryPageProps {
  readonly clinicId: string;
  readonly onOpen: (image: GalleryImage) => void;
  /** Opens images of one patient side by side. */
  readonly onCompare: (images: readonly GalleryImage[]) => void;
  /** Why the user may not download originals; null when allowed. */
  readonly downloadDisabledReason: string | null;
  readonly renderTeeth: (teeth: readonly number[], onChange: (teeth: readonly number[]) => void) => ReactNode;
}

const [smallest, largest, usual, step] = [96, 400, 176, 8];
/** The visible range is reported in steps of this size, so that not every wheel event renders the page. */
const seenStep = 25;

/** Lists all images of a clinic as a grid or table. Give it the clinic id as key. */
export const GalleryPage = ({ clinicId, onOpen, onCompare, downloadDisabledReason, renderTeeth }: GalleryPageProps) => {
  const { t } = useTranslation(['gallery', 'shell', 'lists']);
  const failureText = useFailureText();
  const url = useGalleryUrl(clinicId);
  const [view, setView] = useStoredText('gallery-view', 'grid');
  const [storedSize, storeSize] = useStoredText('gallery-size', String(usual));
  const tileSize = Math.min(largest, Math.max(smallest, Number(storedSize) || usual));
  const [seen, setSeen] = useState<readonly [number, number]>([0, 0]);
  const rows = useGalleryRows(url.query, seen);
  const queryKey = JSON.stringify(url.query);
  const { leave, leftAt, forget } = useListScroll();
  const [chosen, setChosen] = useState<ChosenImages>(() => leftAt(queryKey)?.chosen ?? new Map());
  const moving = useRef(false);
  const isMoving = useCallback(() => moving.current, []);
  const columns = useColumnChoice<GalleryImage, GallerySort>(
    'gallery-columns',
    useGalleryColumns(useImageTexts(), isMoving),
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
    onCut: () => toast({ tone: 'bad', text: t('mostChosen', { count: maxSelected }), close }),
    onFailed: (error) => toast({ tone: 'bad', text: failureText(failureOfQuery(error)), close }),
  });
  // On a quick return the page was only hidden; layout effects run again when React shows it.
  useLayoutEffect(() => {
    const left = leftAt(queryKey);
    if (left) keys.returnTo(left.index);
    forget();
  }, []);
  const onSeen = useCallback((first: number, last: number) => {
    const next = [Math.floor(first / seenStep) * seenStep, Math.ceil(last / seenStep) * seenStep] as const;
    setSeen((before) => (before[0] === next[0] && before[1] === next[1] ? before : next));
  }, []);

  const showRejected = (shown: boolean) => url.narrow({ rejected: shown ? 'shown' : null });

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
    if (rows.count === 0 && !rows.isStale && rows.notAcceptableCount > 0)
      return (
        <Notice
          title={t('noneAcceptable')}
          text={t('noneAcceptableText')}
          icon={<IconPhotoOff />}
          action={<Button onClick={() => showRejected(true)}>{t('showRejected')}</Button>}
        />
      );
    if (rows.count === 0 && !rows.isStale)
      return (
        <Notice
          title={url.isNarrowed ? t('noneFound') : t('noneYet')}
          text={url.isNarrowed ? t('noneFoundText') : t('noneYetText')}
          icon={<IconPhotoOff />}
          action={
            url.isNarrowed && (
              <Button variant="default" onClick={url.clear}>
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
          by: url.list.sort,
          order: url.list.order,
          onSort: (sort, order) => url.list.change({ sort, order }),
        }}
      />
    ) : (
      <GalleryGrid {...shared} tileSize={tileSize} />
    );
  };
  return (
    <div className={classes.page}>
      <PageTitle>{t('title')}</PageTitle>
      <h1 className={classes.visuallyHidden}>{t('title')}</h1>
      <ListToolbar
        list={url.list}
        searchLabel={t('find')}
        {...(view === 'table' && { columns })}
        filters={<GalleryFilters url={url} modalities={rows.modalities} renderTeeth={renderTeeth} />}
      >
        {view !== 'table' && (
          <>
            <GalleryOrder list={url.list} />
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
      </ListToolbar>
      <div className={classes.body}>{body()}</div>
      <GalleryFoot
        rows={rows}
        chosen={chosen}
        onForget={keys.forget}
        withRejected={url.filter.rejected === 'shown'}
        onRejected={showRejected}
        onCompare={(images) => {
          leave({ list: rows.list, index: keys.active, chosen });
          onCompare(images);
        }}
        downloadDisabledReason={downloadDisabledReason}
      />
    </div>
  );
};
