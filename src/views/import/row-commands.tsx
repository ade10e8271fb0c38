import { Button } from '@mantine/core';
import IconPlayerPause from '@tabler/icons-react/dist/esm/icons/IconPlayerPause.mjs';
import IconPlayerPlay from '@tabler/icons-react/dist/esm/icons/IconPlayerPlay.mjs';
import IconRefresh from '@tabler/icons-react/dist/esm/icons/IconRefresh.mjs';
import IconX from '@tabler/icons-react/dist/esm/icons/IconX.mjs';
import { useTranslation } from 'react-i18next';
import { ToolButton } from '../parts/tool-button.tsx';
import classes from './row.module.css';

/** What may be done with an import now. */
export interface RowMay {
  readonly pause: boolean;
  readonly resume: boolean;
  readonly retry: boolean;
  readonly cancel: boolean;
  readonly remove: boolean;
}

export interface RowCommandsProps {
  readonly may: RowMay;
  readonly onPause: () => void;
  readonly onContinue: () => void;
  readonly onRetry: () => void;
  readonly onCancel: () => void;
  readonly onRemove: () => void;
}

/** Pause, go on, try again, cancel or take out of the list: those that make sense now, always in the same place. */
export const RowCommands = ({ may, onPause, onContinue, onRetry, onCancel, onRemove }: RowCommandsProps) => {
  const { t } = useTranslation('import');
  return (
    <>
      {may.retry && (
        <Button size="compact-sm" variant="default" leftSection={<IconRefresh />} onClick={onRetry}>
          {t('retry')}
        </Button>
      )}
      {may.pause && (
        <ToolButton label={t('pause')} onClick={onPause}>
          <IconPlayerPause />
        </ToolButton>
      )}
      {may.resume && (
        <ToolButton label={t('continue')} onClick={onContinue}>
          <IconPlayerPlay />
        </ToolButton>
      )}
      {may.remove ? (
        <ToolButton label={t('remove')} onClick={onRemove}>
          <IconX />
        </ToolButton>
      ) : (
        may.cancel && (
          <ToolButton label={t('cancel')} onClick={onCancel}>
            <IconX />
          </ToolButton>
        )
      )}
    </>
  );
};

/** Something arrived already: cancelling asks first. The way back has the focus. */
export const CancelAsk = ({ arrived, onYes, onNo }: { arrived: number; onYes: () => void; onNo: () => void }) => {
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
