import { Button } from '@mantine/core';
import { useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { FilesRead } from '../parts/dropped-files.ts';
import { FileInput, type FileInputHandle } from '../parts/file-input.tsx';
import { IconAlert } from '../parts/icon-alert.tsx';
import classes from './row.module.css';
import { CancelAsk } from './row-commands.tsx';

interface InterruptedProps {
  readonly arrived: number;
  /** How many files were meant to come. */
  readonly expected: number;
  /** Files of this session whose bytes the browser no longer has; 0: another session sent them. */
  readonly lost: number;
  readonly onResume: () => void;
  readonly onAdd: (files: FilesRead) => void;
  /** Nobody wants it any more, here or elsewhere. */
  readonly onDiscard: () => void;
}

/** The upload stopped: what arrived is imported, or the rest is added, only when a person says so. */
export const Interrupted = ({ arrived, expected, lost, onResume, onAdd, onDiscard }: InterruptedProps) => {
  const { t } = useTranslation('import');
  const [discards, setDiscards] = useState(false);
  const dialog = useRef<FileInputHandle>(null);
  return (
    <section className={classes.ask} aria-label={t('uploadStopped')}>
      <IconAlert tone="caution">
        <b>{lost > 0 ? t('lost', { count: lost }) : t('arrived', { arrived, count: expected })}</b>
      </IconAlert>
      <p>{lost > 0 ? t('lostText') : t('arrivedText')}</p>
      {lost === 0 && <p className={classes.quiet}>{t('arrivedElsewhere')}</p>}
      <FileInput ref={dialog} onFiles={onAdd} />
      <div className={classes.actions}>
        <Button variant={lost > 0 ? 'default' : 'filled'} disabled={arrived === 0} onClick={onResume}>
          {lost > 0 ? t('onlyArrived') : t('importArrived')}
        </Button>
        <Button variant={lost > 0 ? 'filled' : 'default'} onClick={() => dialog.current?.chooseFiles()}>
          {lost > 0 ? t('chooseFiles') : t('addFiles')}
        </Button>
        <Button variant="default" onClick={() => dialog.current?.chooseFolder()}>
          {lost > 0 ? t('chooseFolder') : t('addFolder')}
        </Button>
        {lost === 0 && !discards && (
          <Button variant="subtle" color="gray" onClick={() => setDiscards(true)}>
            {t('discard')}
          </Button>
        )}
      </div>
      {discards && <CancelAsk arrived={arrived} onYes={onDiscard} onNo={() => setDiscards(false)} />}
    </section>
  );
};
