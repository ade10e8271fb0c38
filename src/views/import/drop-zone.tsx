import { Button } from '@mantine/core';
import IconDisc from '@tabler/icons-react/dist/esm/icons/IconDisc.mjs';
import IconFiles from '@tabler/icons-react/dist/esm/icons/IconFiles.mjs';
import IconFolder from '@tabler/icons-react/dist/esm/icons/IconFolder.mjs';
import IconUpload from '@tabler/icons-react/dist/esm/icons/IconUpload.mjs';
import { useRef } from 'react';
import { useTranslation } from 'react-i18next';
import type { FilesRead } from '../parts/dropped-files.ts';
import { FileInput, type FileInputHandle } from '../parts/file-input.tsx';
import classes from './import.module.css';

interface DropZoneProps {
  /** A bar, once it was used: the imports are what one looks at then. */
  readonly slim: boolean;
  /** Files found so far in folders that are being opened; null when none are. */
  readonly opening: number | null;
  readonly onFiles: (files: FilesRead) => void;
  readonly onDirectory: (files: FilesRead) => void;
}

/** Where files are dropped, or chosen: files, a folder, or a folder with a DICOMDIR. */
export const DropZone = ({ slim, opening, onFiles, onDirectory }: DropZoneProps) => {
  const { t } = useTranslation('import');
  const dialog = useRef<FileInputHandle>(null);
  const discs = useRef<FileInputHandle>(null);
  return (
    <section className={classes.zone} data-slim={slim || undefined} aria-label={t('dropHere')}>
      <FileInput ref={dialog} onFiles={onFiles} />
      <FileInput ref={discs} name="disc" onFiles={onDirectory} />
      <div className={classes.invitation}>
        <IconUpload aria-hidden="true" />
        <div>
          <p className={classes.call}>{opening === null ? t('dropHere') : t('readingFolders', { count: opening })}</p>
          <p className={classes.quiet}>{t('dropHint')}</p>
        </div>
      </div>
      <div className={classes.actions}>
        <Button
          variant={slim ? 'default' : 'filled'}
          leftSection={<IconFiles />}
          onClick={() => dialog.current?.chooseFiles()}
        >
          {t('chooseFiles')}
        </Button>
        <Button variant="default" leftSection={<IconFolder />} onClick={() => dialog.current?.chooseFolder()}>
          {t('chooseFolder')}
        </Button>
        <Button variant="default" leftSection={<IconDisc />} onClick={() => discs.current?.chooseFolder()}>
          {t('chooseDisc')}
        </Button>
      </div>
    </section>
  );
};
