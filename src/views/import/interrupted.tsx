import { Button } from '@mantine/core';
import { useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { FileInput, type FileInputHandle } from '../parts/file-input.tsx';
import { IconAlert } from '../parts/icon-alert.tsx';
import classes from './import.module.css';

interface InterruptedProps {
  readonly arrived: number;
  /** How many files were meant to come. */
  readonly expected: number;
  readonly onResume: () => void;
  readonly onAdd: (files: readonly File[]) => void;
}

/** The upload stopped in another session: what arrived is imported, or the rest is added, only when a person says so. */
export const Interrupted = ({ arrived, expected, onResume, onAdd }: InterruptedProps) => {
  const { t } = useTranslation('import');
  const dialog = useRef<FileInputHandle>(null);
  return (
    <section className={classes.mismatch} aria-label={t('uploadStopped')}>
      <IconAlert tone="caution">
        <b>{t('arrived', { arrived, count: expected })}</b>
      </IconAlert>
      <p>{t('arrivedText')}</p>
      <p className={classes.quiet}>{t('arrivedElsewhere')}</p>
      <FileInput ref={dialog} onFiles={onAdd} />
      <div className={classes.actions}>
        <Button disabled={arrived === 0} onClick={onResume}>
          {t('importArrived')}
        </Button>
        <Button variant="default" onClick={() => dialog.current?.chooseFiles()}>
          {t('addFiles')}
        </Button>
        <Button variant="default" onClick={() => dialog.current?.chooseFolder()}>
          {t('addFolder')}
        </Button>
      </div>
    </section>
  );
};
