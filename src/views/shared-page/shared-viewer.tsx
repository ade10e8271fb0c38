import { Button } from '@mantine/core';
import IconBrightness from '@tabler/icons-react/dist/esm/icons/IconBrightness.mjs';
import IconChevronLeft from '@tabler/icons-react/dist/esm/icons/IconChevronLeft.mjs';
import IconChevronRight from '@tabler/icons-react/dist/esm/icons/IconChevronRight.mjs';
import IconContrast from '@tabler/icons-react/dist/esm/icons/IconContrast.mjs';
import IconHandMove from '@tabler/icons-react/dist/esm/icons/IconHandMove.mjs';
import IconMaximize from '@tabler/icons-react/dist/esm/icons/IconMaximize.mjs';
import IconPlayerSkipBack from '@tabler/icons-react/dist/esm/icons/IconPlayerSkipBack.mjs';
import IconPlayerSkipForward from '@tabler/icons-react/dist/esm/icons/IconPlayerSkipForward.mjs';
import IconRestore from '@tabler/icons-react/dist/esm/icons/IconRestore.mjs';
import IconRotateClockwise2 from '@tabler/icons-react/dist/esm/icons/IconRotateClockwise2.mjs';
import IconZoomIn from '@tabler/icons-react/dist/esm/icons/IconZoomIn.mjs';
import IconZoomOut from '@tabler/icons-react/dist/esm/icons/IconZoomOut.mjs';
import { useEffect, useEffectEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { SharedImage } from '../../../contract/shared-links.ts';
import { failureOfQuery } from '../app/queries-context.tsx';
import { useFailureText } from '../language/failure-text.ts';
import { Notice } from '../ui/notice.tsx';
import { ToolButton } from '../ui/tool-button.tsx';
import { useImageText } from './image-text.ts';
import { isLinkInvalid, type SharedAccess } from './shared-access.ts';
import classes from './shared-page.module.css';
import { type StageState, useSharedStage } from './use-shared-stage.ts';

interface StateProps {
  readonly state: StageState;
  readonly onRetry: () => void;
}

/** What is shown instead of an image. */
const ViewerState = ({ state, onRetry }: StateProps) => {
  const { t } = useTranslation(['shared', 'shell']);
  const failureText = useFailureText();
  if (state.phase === 'ready') return null;
  if (state.phase === 'loading')
    return (
      <p className={classes.state} role="status">
        {t('loading')}
      </p>
    );
  return (
    <div className={classes.state}>
      {state.phase === 'unavailable' ? (
        <Notice urgent title={t('noGraphics')} />
      ) : (
        <Notice
          urgent
          title={t('imageFailed', { reason: failureText(failureOfQuery(state.error)) })}
          action={
            <Button variant="default" onClick={onRetry}>
              {t('shell:retry')}
            </Button>
          }
        />
      )}
    </div>
  );
};

interface SharedViewerProps {
  readonly image: SharedImage;
  /** Number of the image among the others, as text. */
  readonly place: string;
  readonly openImages: SharedAccess['openImages'];
  readonly onInvalid: () => void;
  /** Null at the first and last image. */
  readonly onPrevious: (() => void) | null;
  readonly onNext: (() => void) | null;
}

/** The viewer for one image: window, zoom, pan, rotation, inversion and the display of the file. */
export const SharedViewer = ({ image, place, openImages, onInvalid, onPrevious, onNext }: SharedViewerProps) => {
  const { t } = useTranslation('shared');
  const [host, setHost] = useState<HTMLElement | null>(null);
  const shown = useSharedStage(host, openImages, image, t('images'));
  const { kind, teeth, date } = useImageText()(image);
  const { state, stage, tool, frame } = shown;
  const isEnded = state.phase === 'failed' && isLinkInvalid(failureOfQuery(state.error));
  const leave = useEffectEvent(onInvalid);
  useEffect(() => {
    if (isEnded) leave();
  }, [isEnded]);
  return (
    <section className={classes.screen} data-on-black aria-label={place}>
      <div className={classes.stage} ref={setHost}>
        <ViewerState state={state} onRetry={shown.retry} />
      </div>
      <p className={classes.place} aria-live="polite">
        {[place, kind, teeth, date].filter(Boolean).join(', ')}
      </p>
      <div className={classes.tools} role="toolbar" aria-label={t('tools')}>
        <ToolButton
          label={t('previous')}
          shortcut=","
          reason={onPrevious ? null : place}
          onClick={() => onPrevious?.()}
        >
          <IconChevronLeft />
        </ToolButton>
        <ToolButton label={t('next')} shortcut="." reason={onNext ? null : place} onClick={() => onNext?.()}>
          <IconChevronRight />
        </ToolButton>
        <span className={classes.gap} />
        <ToolButton
          label={t('window')}
          shortcut="W"
          active={tool === 'window'}
          onClick={() => shown.chooseTool('window')}
        >
          <IconBrightness />
        </ToolButton>
        <ToolButton label={t('pan')} shortcut="P" active={tool === 'pan'} onClick={() => shown.chooseTool('pan')}>
          <IconHandMove />
        </ToolButton>
        <span className={classes.gap} />
        <ToolButton label={t('zoomIn')} shortcut="+" onClick={() => stage?.act({ type: 'zoom', steps: 1 })}>
          <IconZoomIn />
        </ToolButton>
        <ToolButton label={t('zoomOut')} shortcut="-" onClick={() => stage?.act({ type: 'zoom', steps: -1 })}>
          <IconZoomOut />
        </ToolButton>
        <ToolButton label={t('fit')} shortcut="Q" onClick={() => stage?.act({ type: 'fit' })}>
          <IconMaximize />
        </ToolButton>
        <ToolButton label={t('rotate')} shortcut="R" onClick={() => stage?.act({ type: 'rotate', quarters: 1 })}>
          <IconRotateClockwise2 />
        </ToolButton>
        <ToolButton label={t('invert')} shortcut="I" onClick={() => stage?.act({ type: 'invert' })}>
          <IconContrast />
        </ToolButton>
        <ToolButton label={t('stored')} shortcut="Backspace" onClick={shown.showAsStored}>
          <IconRestore />
        </ToolButton>
        {image.frames > 1 && (
          <>
            <span className={classes.gap} />
            <ToolButton
              label={t('frameBack')}
              shortcut="PageUp"
              disabled={frame === 1}
              onClick={() => shown.showFrame(frame - 1)}
            >
              <IconPlayerSkipBack />
            </ToolButton>
            <ToolButton
              label={t('frameOn')}
              shortcut="PageDown"
              disabled={frame === image.frames}
              onClick={() => shown.showFrame(frame + 1)}
            >
              <IconPlayerSkipForward />
            </ToolButton>
            <span className={classes.frame}>{t('frame', { number: frame, count: image.frames })}</span>
          </>
        )}
      </div>
    </section>
  );
};
