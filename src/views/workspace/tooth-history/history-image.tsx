import { VisuallyHidden } from '@mantine/core';
import IconCheck from '@tabler/icons-react/dist/esm/icons/IconCheck.mjs';
import { memo } from 'react';
import { useTranslation } from 'react-i18next';
import { useDocumentText } from '../../language/document-text.ts';
import { useFileErrorText } from '../../language/file-error-text.ts';
import { useToothText } from '../../language/tooth-notation.ts';
import { Thumbnail } from '../../ui/thumbnail.tsx';
import classes from './tooth-history.module.css';
import type { HistoryImage as Entry } from './tooth-history.rules.ts';

interface HistoryImageProps {
  readonly entry: Entry;
  /** The image that Tab reaches. */
  readonly isReached: boolean;
  readonly isMarked: boolean;
  /** The image is open in the viewer. */
  readonly isOpen: boolean;
}

/** An image of the history with its date, kind and teeth. The strip handles its keys and clicks. */
export const HistoryImage = memo(({ entry, isReached, isMarked, isOpen }: HistoryImageProps) => {
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
