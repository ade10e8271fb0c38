import { Button } from '@mantine/core';
import IconPlayerPause from '@tabler/icons-react/dist/esm/icons/IconPlayerPause.mjs';
import IconPlayerPlay from '@tabler/icons-react/dist/esm/icons/IconPlayerPlay.mjs';
import IconRefresh from '@tabler/icons-react/dist/esm/icons/IconRefresh.mjs';
import IconX from '@tabler/icons-react/dist/esm/icons/IconX.mjs';
import { useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { FilesRead } from '../ui/dropped-files.ts';
import { FileInput, type FileInputHandle } from '../ui/file-input.tsx';
import { IconAlert } from '../ui/icon-alert.tsx';
import { ToolButton } from '../ui/tool-button.tsx';
import classes from './row.module.css';

interface InterruptedProps {
  readonly arrived: number;
  /** Expected number of files. */
  readonly expected: number;
  /** Number of files that must be chosen again, because the browser no longer has them; 0 when another session uploads. */
  readonly lost: number;
  readonly onResume: () => void;
  readonly onAdd: (files: FilesRead) => void;
  /** Discards the import for all sessions. */
  readonly onDiscard: () => void;
}

/** Asks whether an interrupted upload is imported as it is or completed with more files. */
export const InterruptedUpload = ({ arrived, expected, lost, onResume, onAdd, onDiscard }: InterruptedProps) => {
  const { t } = useTranslation('import');
  const [isConfirmingDiscard, setDiscards] = useState(false);
  const dialog = useRef<FileInputHandle>(null);
  return (
    <section className={classes.ask} aria-label={t('uploadStopped')}>
      <IconAlert tone="caution">
        <b>{lost > 0 ? t('lost', { count: lost }) : t('arrived', { arrived, count: expected })}</b>
      </IconAlert>
      <p>{lost > 0 ? t('lostText') : t('arrivedText')}</p>
      {lost === 0 && <p className={classes.dimmed}>{t('arrivedElsewhere')}</p>}
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
        {lost === 0 && !isConfirmingDiscard && (
          <Button variant="subtle" color="gray" onClick={() => setDiscards(true)}>
            {t('discard')}
          </Button>
        )}
      </div>
      {isConfirmingDiscard && <CancelQuestion arrived={arrived} onYes={onDiscard} onNo={() => setDiscards(false)} />}
    </section>
  );
};

/** Commands that are currently available. */
export interface AvailableCommands {
  readonly pause: boolean;
  readonly resume: boolean;
  readonly retry: boolean;
  readonly cancel: boolean;
  readonly remove: boolean;
}

export interface RowCommandsProps {
  readonly available: AvailableCommands;
  readonly onPause: () => void;
  readonly onContinue: () => void;
  readonly onRetry: () => void;
  readonly onCancel: () => void;
  readonly onRemove: () => void;
}

/** Buttons to pause, continue, retry, cancel or remove an import. */
export const RowCommands = ({ available, onPause, onContinue, onRetry, onCancel, onRemove }: RowCommandsProps) => {
  const { t } = useTranslation('import');
  return (
    <>
      {available.retry && (
        <Button size="compact-sm" variant="default" leftSection={<IconRefresh />} onClick={onRetry}>
          {t('retry')}
        </Button>
      )}
      {available.pause && (
        <ToolButton label={t('pause')} onClick={onPause}>
          <IconPlayerPause />
        </ToolButton>
      )}
      {available.resume && (
        <ToolButton label={t('continue')} onClick={onContinue}>
          <IconPlayerPlay />
        </ToolButton>
      )}
      {available.remove ? (
        <ToolButton label={t('remove')} onClick={onRemove}>
          <IconX />
        </ToolButton>
      ) : (
        available.cancel && (
          <ToolButton label={t('cancel')} onClick={onCancel}>
            <IconX />
          </ToolButton>
        )
      )}
    </>
  );
};

/** Asks for confirmation before an import with uploaded files is cancelled. The focus starts on the button that does not cancel. */
export const CancelQuestion = ({ arrived, onYes, onNo }: { arrived: number; onYes: () => void; onNo: () => void }) => {
  const { t } = useTranslation('import');
  return (
    <div
      className={classes.ask}
      role="alertdialog"
      aria-label={t('cancelAsk')}
      onKeyDown={(event) => {
        if (event.key !== 'Escape') return;
        event.stopPropagation();
        onNo();
      }}
    >
      <p>
        <b>{t('cancelAsk')}</b> {t('cancelLoses', { count: arrived })}
      </p>
      <div className={classes.actions}>
        <Button variant="default" size="compact-md" autoFocus onClick={onNo}>
          {t('keepImport')}
        </Button>
        <Button color="red" variant="outline" size="compact-md" onClick={onYes}>
          {t('cancel')}
        </Button>
      </div>
    </div>
  );
};
