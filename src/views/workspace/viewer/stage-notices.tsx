import { Button } from '@mantine/core';
import IconLink from '@tabler/icons-react/dist/esm/icons/IconLink.mjs';
import IconPhotoX from '@tabler/icons-react/dist/esm/icons/IconPhotoX.mjs';
import IconX from '@tabler/icons-react/dist/esm/icons/IconX.mjs';
import { useId } from 'react';
import { useTranslation } from 'react-i18next';
import type { Scene } from '../../../viewer/index.ts';
import { Notice } from '../../ui/notice.tsx';
import { ToolButton } from '../../ui/tool-button.tsx';
import { useWorkspace } from '../workspace-context.ts';
import { useKeyText } from './shortcuts.ts';
import classes from './stage-state.module.css';
import type { StageStore } from './stage-store.ts';
import { loadedIn, useStageStore } from './use-stage.ts';
import type { ViewerCommand } from './viewer-commands.ts';

/** The stage could not be created: no graphics, or its code failed to load. */
export const NoStageState = ({ graphics, onRetry }: { graphics: boolean; onRetry: () => void }) => {
  const { t } = useTranslation(['viewer', 'shell']);
  return (
    <div className={classes.state} data-on-black>
      <Notice
        urgent
        title={t(graphics ? 'noGraphicsTitle' : 'loadFailedTitle')}
        text={t(graphics ? 'noGraphics' : 'loadFailed')}
        icon={<IconPhotoX />}
        action={
          <Button variant="default" onClick={onRetry}>
            {t('shell:retry')}
          </Button>
        }
      />
    </div>
  );
};

/** The graphics context was lost; the stage redraws when it is restored. */
export const GraphicsLostState = () => {
  const { t } = useTranslation('viewer');
  return (
    <div className={classes.lost} role="status" data-on-black>
      {t('graphicsLost')}
    </div>
  );
};

/** Shows how many linked images have unsaved brightness, and offers to save or discard it. */
export const FollowedNotice = ({ count }: { count: number }) => {
  const { t } = useTranslation('viewer');
  const { viewer } = useWorkspace();
  return (
    <div role="status" className={classes.followed}>
      {count > 0 && (
        <div className={classes.followedNotice} data-on-black>
          <span>{t('followedUnsaved', { count })}</span>
          <span className={classes.buttons}>
            <Button size="xs" onClick={() => viewer.send({ type: 'followed.confirmed' })}>
              {t('saveFollowed', { count })}
            </Button>
            <Button size="xs" variant="default" onClick={() => viewer.send({ type: 'followed.discarded' })}>
              {t('discardFollowed')}
            </Button>
          </span>
        </div>
      )}
    </div>
  );
};

interface HiddenNoticesProps {
  readonly scene: Scene;
  readonly store: StageStore | null;
  readonly marksHidden: boolean;
  readonly planesHidden: boolean;
  /** Returns whether the presentation state of an image is named on it. */
  readonly isNamed: (imageUid: string) => boolean;
  readonly onCommand: (command: ViewerCommand) => void;
}

/** Says on the stage what is hidden or shown in another way, which the picture itself does not show. */
export const HiddenNotices = (props: HiddenNoticesProps) => {
  const { scene, store, marksHidden, planesHidden, isNamed, onCommand } = props;
  const { t } = useTranslation('viewer');
  const hasPlanes = useStageStore(store, (store) =>
    scene.images.some(({ id }) => (loadedIn(store, id)?.overlayPlanes.planes.length ?? 0) > 0),
  );
  const unnamed = scene.images.filter(({ id, state }) => state && !isNamed(id)).length;
  const id = useId();
  const notice = (text: string, command: ViewerCommand) => (
    <div className={classes.hiddenNotice} data-on-black>
      <span id={`${id}-${command.type}`}>{text}</span>
      <Button
        size="compact-xs"
        variant="default"
        aria-describedby={`${id}-${command.type}`}
        onClick={() => onCommand(command)}
      >
        {t('showMarks')}
      </Button>
    </div>
  );
  return (
    <div role="status" className={classes.hidden}>
      {marksHidden && notice(t('marksHidden'), { type: 'marks-hidden' })}
      {planesHidden && hasPlanes && notice(t('planesHidden'), { type: 'planes-hidden' })}
      {unnamed > 0 && (
        <div className={classes.hiddenNotice} data-on-black>
          {t('statesOn', { count: unnamed })}
        </div>
      )}
    </div>
  );
};

interface LeaveFocusModeProps {
  /** Whether the compared images are linked; null without a comparison. */
  readonly linked: boolean | null;
  readonly onLink: () => void;
  readonly onLeave: () => void;
}

/** Buttons that stay in focus mode: leave, and link of a comparison. */
export const LeaveFocusMode = ({ linked, onLink, onLeave }: LeaveFocusModeProps) => {
  const { t } = useTranslation('viewer');
  const keyText = useKeyText();
  return (
    <div className={classes.leave} data-comparing={linked !== null || undefined} data-on-black>
      {linked !== null && (
        <ToolButton label={t('tool-link')} active={linked} onClick={onLink}>
          <IconLink />
        </ToolButton>
      )}
      <ToolButton label={t('leaveFocusMode')} shortcut="Shift+H" keyText={keyText('Shift+H')} onClick={onLeave}>
        <IconX />
      </ToolButton>
    </div>
  );
};
