import { VisuallyHidden } from '@mantine/core';
import IconCheck from '@tabler/icons-react/dist/esm/icons/IconCheck.mjs';
import { type KeyboardEvent, type MouseEvent, memo, useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { ImageInfo } from '../../../../contract/images.ts';
import { useDocumentText } from '../../language/document-text.ts';
import { useFileErrorText } from '../../language/file-error-text.ts';
import { useToothText } from '../../language/tooth-notation.ts';
import { Thumbnail } from '../../ui/thumbnail.tsx';
import classes from './tooth-history.module.css';
import { type HistoryImage as Entry, inOrder, type ToothHistory } from './tooth-history.rules.ts';

interface HistoryImageProps {
  readonly entry: Entry;
  /** The image that Tab reaches. */
  readonly isReached: boolean;
  readonly isMarked: boolean;
  /** The image is open in the viewer. */
  readonly isOpen: boolean;
}

/** An image of the history with its date, kind and teeth. The strip handles its keys and clicks. */
const HistoryImage = memo(({ entry, isReached, isMarked, isOpen }: HistoryImageProps) => {
  const { t } = useTranslation(['tooth-history', 'patient']);
  const toothText = useToothText();
  const documentText = useDocumentText();
  const errorText = useFileErrorText()(entry.image.storageFault);
  const { image, teeth, deciduous, acquired } = entry;
  const date = acquired?.slice(0, 10) ?? t('undated');
  const time = acquired?.slice(11, 16) ?? '';
  const teethText = teeth.length > 0 ? toothText(teeth) : t('noTeeth');
  const deciduousText = deciduous.length > 0 ? t('deciduous', { teeth: toothText(deciduous) }) : null;
  return (
    <div
      role="option"
      className={classes.image}
      data-uid={image.uid}
      tabIndex={isReached ? 0 : -1}
      aria-selected={isMarked}
      aria-current={isOpen || undefined}
    >
      <span className={classes.picture}>
        <Thumbnail
          link={image.activeImageThumbLink}
          kind={image.isVideo ? 'video' : image.kind}
          words={{
            pending: t('patient:thumbnailPending'),
            failed: t('patient:thumbnailFailed'),
            document: documentText(image),
          }}
          errorText={errorText}
          rotation={image.display?.rotation ?? 0}
          flipped={image.display?.horizontalFlip ?? false}
        />
        <span className={classes.check} data-check aria-hidden="true" title={t('mark')}>
          <IconCheck />
        </span>
      </span>
      <div className={classes.captions}>
        <p className={classes.date}>{date}</p>
        <p className={classes.caption}>{t(`kind-${entry.kind}`)}</p>
        <p className={classes.caption} title={teethText}>
          {teethText}
        </p>
        {deciduousText && <p className={classes.deciduous}>{deciduousText}</p>}
        <VisuallyHidden component="p">{[time, isOpen && t('open')].filter(Boolean).join(', ')}</VisuallyHidden>
      </div>
    </div>
  );
});

const stepOf = (key: string, at: number, last: number): number | null => {
  if (key === 'ArrowLeft') return Math.max(0, at - 1);
  if (key === 'ArrowRight') return Math.min(last, at + 1);
  if (key === 'Home') return 0;
  return key === 'End' ? last : null;
};

interface HistoryStripProps {
  readonly label: string;
  readonly history: ToothHistory;
  readonly marked: ReadonlySet<string>;
  /** UIDs of the images that are open in the viewer. */
  readonly openUids: readonly string[];
  /** Takes the focus when it appears. */
  readonly takesFocus: boolean;
  readonly onOpen: (image: ImageInfo) => void;
  readonly onMark: (imageUid: string) => void;
  readonly onCompare: (focusedUid: string) => void;
}

/**
 * Images by date, the oldest at the left; apart from them those without a date and without teeth. Arrow keys, Home and End move,
 * Enter opens, Space marks, C compares.
 */
export const HistoryStrip = (props: HistoryStripProps) => {
  const { label, history, marked, openUids, takesFocus, onOpen, onMark, onCompare } = props;
  const { t } = useTranslation('tooth-history');
  const strip = useRef<HTMLDivElement>(null);
  const [chosen, setChosen] = useState<string | null>(null);
  const order = inOrder(history);
  const shownFirst =
    order.find(({ image }) => openUids.includes(image.uid)) ?? history.dated.at(-1) ?? order[0] ?? null;
  const reached = order.some(({ image }) => image.uid === chosen) ? chosen : (shownFirst?.image.uid ?? null);
  const elementOf = (uid: string | null) => strip.current?.querySelector<HTMLElement>(`[data-uid="${uid}"]`) ?? null;

  const focusFirst = useRef(takesFocus);
  // The newest image, or the open one, is in sight whenever other images are shown.
  useEffect(() => {
    const element = strip.current?.querySelector<HTMLElement>('[tabindex="0"]');
    element?.scrollIntoView?.({ block: 'nearest', inline: 'nearest' });
    // Focus on the section itself means that the number of another tooth was typed.
    const isTyped = document.activeElement === strip.current?.closest('[data-tooth-history]');
    if (focusFirst.current || isTyped) element?.focus({ preventScroll: true });
    focusFirst.current = false;
  }, [label]);

  const onKeyDown = (event: KeyboardEvent<HTMLElement>) => {
    const at = order.findIndex(({ image }) => image.uid === reached);
    const current = order[at];
    if (!current || event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
    const next = stepOf(event.key, at, order.length - 1);
    if (next !== null) {
      const uid = order[next]?.image.uid ?? null;
      setChosen(uid);
      elementOf(uid)?.focus();
    } else if (event.key === 'Enter') onOpen(current.image);
    else if (event.key === ' ') onMark(current.image.uid);
    else if (event.key.toLowerCase() === 'c') onCompare(current.image.uid);
    else return;
    event.preventDefault();
  };
  const onClick = ({ target, ctrlKey, metaKey }: MouseEvent<HTMLElement>) => {
    if (!(target instanceof Element)) return;
    const uid = target.closest<HTMLElement>('[data-uid]')?.dataset.uid;
    const entry = order.find(({ image }) => image.uid === uid);
    if (!entry) return;
    setChosen(entry.image.uid);
    elementOf(entry.image.uid)?.focus({ preventScroll: true });
    if (ctrlKey || metaKey || target.closest('[data-check]')) onMark(entry.image.uid);
    else onOpen(entry.image);
  };

  const groups = [
    { id: 'dated', name: null, images: history.dated },
    { id: 'undated', name: t('undated'), images: history.undated },
    { id: 'withoutTeeth', name: t('withoutTeeth'), images: history.withoutTeeth },
  ] as const;
  return (
    <div
      ref={strip}
      className={classes.strip}
      role="listbox"
      aria-label={label}
      aria-multiselectable="true"
      aria-orientation="horizontal"
      tabIndex={-1}
      onKeyDown={onKeyDown}
      onClick={onClick}
    >
      {groups
        .filter(({ images }) => images.length > 0)
        .map(({ id, name, images }) => (
          // biome-ignore lint/a11y/useSemanticElements: a fieldset is for forms
          <div
            key={id}
            role="group"
            className={classes.group}
            data-apart={name !== null || undefined}
            aria-label={name ?? label}
          >
            {name !== null && (
              <p className={classes.groupName} aria-hidden="true">
                {name} <span className={classes.count}>{images.length}</span>
              </p>
            )}
            {images.map((entry) => (
              <HistoryImage
                key={entry.image.uid}
                entry={entry}
                isReached={entry.image.uid === reached}
                isMarked={marked.has(entry.image.uid)}
                isOpen={openUids.includes(entry.image.uid)}
              />
            ))}
          </div>
        ))}
    </div>
  );
};
