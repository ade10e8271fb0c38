import { LoadingOverlay, Portal, VisuallyHidden } from '@mantine/core';
import { useSelector } from '@xstate/react';
import { useTranslation } from 'react-i18next';
import { selectIsStale, selectShowsLoading, type ViewsetActor } from '../../machines/viewset/viewset.machine.ts';
import { CarriedImage } from './carried-image.tsx';
import classes from './desk-voice.module.css';
import type { Desk } from './use-desk.ts';

interface DeskVoiceProps {
  readonly actor: ViewsetActor;
  readonly desk: Desk;
  /** Digits typed so far. */
  readonly typed: string;
}

/** What floats above the mount: what is carried, the number being typed, a reorder that takes long; and a voice for those who do not see. */
export const DeskVoice = ({ actor, desk, typed }: DeskVoiceProps) => {
  const { t } = useTranslation('viewset');
  const loading = useSelector(actor, selectShowsLoading);
  const stale = useSelector(actor, selectIsStale);
  return (
    <>
      <VisuallyHidden role="status" aria-live="polite">
        {desk.said}
      </VisuallyHidden>
      <CarriedImage carry={desk.carry} />
      {typed && <div className={classes.typed}>{t('slotTyped', { typed })}</div>}
      {stale && (
        <div className={classes.stale} role="status">
          {t('stale')}
        </div>
      )}
      {loading && (
        <Portal>
          <div className={classes.loading} role="status" aria-label={t('saving')}>
            <LoadingOverlay visible overlayProps={{ backgroundOpacity: 0.5, color: '#000' }} />
          </div>
        </Portal>
      )}
    </>
  );
};
