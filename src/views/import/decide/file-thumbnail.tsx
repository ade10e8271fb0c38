import { Button } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { ImportFile } from '../../../../contract/imports.ts';
import type { Slot } from '../../../../contract/viewsets.ts';
import { useToothText } from '../../language/tooth-notation.ts';
import { Thumbnail } from '../../ui/thumbnail.tsx';
import classes from './decide.module.css';
import { contradicts } from './links.rules.ts';
import type { MoveAnnouncement } from './use-file-mover.ts';

/** Thumbnails shown before "show all". */
const mostFirst = 24;

/** Shows the files of a study as thumbnails without mount slots. */
export const FileGrid = ({ files }: { files: readonly ImportFile[] }) => {
  const { t } = useTranslation('import-decide');
  const fileText = useFileText();
  const [all, setAll] = useState(false);
  const shown = all ? files : files.slice(0, mostFirst);
  return (
    <>
      <ul className={classes.wall} aria-label={t('filesOfStudy')}>
        {shown.map((file) => (
          <li key={file.id} title={fileText.fileName(file)} data-known={file.status === 'duplicate' || undefined}>
            <FileThumbnail file={file} />
          </li>
        ))}
      </ul>
      {shown.length < files.length && (
        <Button variant="subtle" onClick={() => setAll(true)}>
          {t('showAll', { count: files.length })}
        </Button>
      )}
    </>
  );
};

/** Returns labels for files and slots, and announcements of moves. */
export const useFileText = () => {
  const { t } = useTranslation('import-decide');
  const toothText = useToothText();
  /** "12.dcm, teeth 14 15, 2026-03-02 10:14" */
  const fileName = (file: ImportFile): string =>
    [
      file.path || file.fileName,
      file.teeth.length > 0 && t('teeth', { teeth: toothText(file.teeth) }),
      file.acquiredAt?.slice(0, 16).replace('T', ' '),
      file.status === 'duplicate' && t('inArchiveAlready'),
    ]
      .filter(Boolean)
      .join(', ');
  /** Returns why a file does not fit a slot; null when it does. */
  const caution = (slot: Slot, file: ImportFile | null): string | null =>
    file && contradicts(slot.teeth, file.teeth)
      ? t('otherTeeth', { number: slot.order, slot: toothText(slot.teeth), file: toothText(file.teeth) })
      : null;
  /** "Slot 3, teeth 14 15, empty" */
  const slotName = (slot: Slot, file: ImportFile | null): string =>
    [
      t('slot', { number: slot.order }),
      slot.teeth.length > 0 && t('teeth', { teeth: toothText(slot.teeth) }),
      file ? fileName(file) : t('empty'),
      caution(slot, file),
    ]
      .filter(Boolean)
      .join(', ');
  const announcementText = (announcement: MoveAnnouncement | null): string => {
    if (!announcement) return '';
    if (announcement.what === 'picked-up') return t('keyboardHint');
    if (announcement.what === 'cancelled') return t('placementCancelled');
    if (announcement.what === 'swapped')
      return announcement.with === null
        ? t('putOver', { number: announcement.slot })
        : t('swapped', { from: announcement.with, to: announcement.slot });
    return t(announcement.what, { number: announcement.slot });
  };
  return { fileName, slotName, caution, saidText: announcementText, toothText };
};

interface FileThumbnailProps {
  readonly file: ImportFile;
  readonly rotation?: number;
  readonly flipped?: boolean;
}

/** Documents and videos have no link once they are read; a file that is being imported has none either. */
const hasNoPicture = ({ status, thumbLink }: ImportFile): boolean =>
  thumbLink === null && (status === 'parsed' || status === 'duplicate');

/** Thumbnail of a file before import. */
export const FileThumbnail = ({ file, rotation = 0, flipped = false }: FileThumbnailProps) => {
  const { t } = useTranslation('import-decide');
  return (
    <Thumbnail
      link={file.thumbLink}
      kind={hasNoPicture(file) ? 'document' : 'image'}
      words={{ pending: t('thumbPending'), failed: t('thumbFailed'), document: t('document') }}
      rotation={rotation}
      flipped={flipped}
    />
  );
};
