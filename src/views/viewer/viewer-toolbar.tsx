import IconArrowBackUp from '@tabler/icons-react/dist/esm/icons/IconArrowBackUp.mjs';
import IconArrowLeft from '@tabler/icons-react/dist/esm/icons/IconArrowLeft.mjs';
import IconArrowsMaximize from '@tabler/icons-react/dist/esm/icons/IconArrowsMaximize.mjs';
import IconBrightness from '@tabler/icons-react/dist/esm/icons/IconBrightness.mjs';
import IconChevronLeft from '@tabler/icons-react/dist/esm/icons/IconChevronLeft.mjs';
import IconChevronRight from '@tabler/icons-react/dist/esm/icons/IconChevronRight.mjs';
import IconContrast from '@tabler/icons-react/dist/esm/icons/IconContrast.mjs';
import IconFlipHorizontal from '@tabler/icons-react/dist/esm/icons/IconFlipHorizontal.mjs';
import IconHandMove from '@tabler/icons-react/dist/esm/icons/IconHandMove.mjs';
import IconRestore from '@tabler/icons-react/dist/esm/icons/IconRestore.mjs';
import IconRotate2 from '@tabler/icons-react/dist/esm/icons/IconRotate2.mjs';
import IconRotateClockwise2 from '@tabler/icons-react/dist/esm/icons/IconRotateClockwise2.mjs';
import IconTextCaption from '@tabler/icons-react/dist/esm/icons/IconTextCaption.mjs';
import IconZoomIn from '@tabler/icons-react/dist/esm/icons/IconZoomIn.mjs';
import { useTranslation } from 'react-i18next';
import type { ViewerTool } from '../../machines/viewer/viewer.rules.ts';
import { ToolButton } from '../parts/tool-button.tsx';
import type { LookCommand } from './commands.ts';
import classes from './viewer.module.css';

export type { ViewerTool };
export type ViewerCommand = LookCommand | 'reset' | 'undo';

interface ViewerToolbarProps {
  readonly tool: ViewerTool;
  /** Nothing can be done to an image that is not there yet. */
  readonly ready: boolean;
  readonly inverted: boolean;
  readonly horizontalFlip: boolean;
  readonly fitted: boolean;
  readonly actual: boolean;
  readonly overlays: boolean;
  readonly canReset: boolean;
  readonly canUndo: boolean;
  readonly onTool: (tool: ViewerTool) => void;
  readonly onCommand: (command: ViewerCommand) => void;
  readonly onOverlays: () => void;
  /** To the next or the previous image. */
  readonly onStep: (by: 1 | -1) => void;
  /** Back to the mount; null when there is none behind the image. */
  readonly onBack: (() => void) | null;
}

/** What can be done to the image in hand; groups by purpose, each with its key. */
export const ViewerToolbar = (props: ViewerToolbarProps) => {
  const {
    tool,
    ready,
    inverted,
    horizontalFlip,
    fitted,
    actual,
    overlays,
    canReset,
    canUndo,
    onTool,
    onCommand,
    onOverlays,
    onStep,
    onBack,
  } = props;
  const { t } = useTranslation('viewer');
  return (
    <div role="toolbar" aria-label={t('toolbar')} className={classes.toolbar}>
      {onBack && (
        <div className={classes.group}>
          <ToolButton label={t('back')} shortcut="Escape" onClick={onBack}>
            <IconArrowLeft />
          </ToolButton>
        </div>
      )}
      <div className={classes.group}>
        <ToolButton label={t('previous')} shortcut="," onClick={() => onStep(-1)}>
          <IconChevronLeft />
        </ToolButton>
        <ToolButton label={t('next')} shortcut="." onClick={() => onStep(1)}>
          <IconChevronRight />
        </ToolButton>
      </div>
      <div className={classes.group}>
        <ToolButton label={t('window')} shortcut="W" active={tool === 'window'} onClick={() => onTool('window')}>
          <IconBrightness />
        </ToolButton>
        <ToolButton label={t('zoom')} shortcut="Z" active={tool === 'zoom'} onClick={() => onTool('zoom')}>
          <IconZoomIn />
        </ToolButton>
        <ToolButton label={t('pan')} shortcut="P" active={tool === 'pan'} onClick={() => onTool('pan')}>
          <IconHandMove />
        </ToolButton>
      </div>
      <div className={classes.group}>
        <ToolButton
          label={t('actual')}
          shortcut="1"
          active={actual}
          disabled={!ready}
          onClick={() => onCommand('actual')}
        >
          <span className={classes.oneToOne}>{t('oneToOne')}</span>
        </ToolButton>
        <ToolButton label={t('fit')} shortcut="F" active={fitted} disabled={!ready} onClick={() => onCommand('fit')}>
          <IconArrowsMaximize />
        </ToolButton>
      </div>
      <div className={classes.group}>
        <ToolButton
          label={t('rotateLeft')}
          shortcut="Shift+R"
          disabled={!ready}
          onClick={() => onCommand('rotate-left')}
        >
          <IconRotate2 />
        </ToolButton>
        <ToolButton label={t('rotateRight')} shortcut="R" disabled={!ready} onClick={() => onCommand('rotate-right')}>
          <IconRotateClockwise2 />
        </ToolButton>
        <ToolButton
          label={t('flip')}
          shortcut="H"
          active={horizontalFlip}
          disabled={!ready}
          onClick={() => onCommand('flip')}
        >
          <IconFlipHorizontal />
        </ToolButton>
        <ToolButton
          label={t('invert')}
          shortcut="I"
          active={inverted}
          disabled={!ready}
          onClick={() => onCommand('invert')}
        >
          <IconContrast />
        </ToolButton>
        <ToolButton label={t('undo')} shortcut="Control+Z" disabled={!canUndo} onClick={() => onCommand('undo')}>
          <IconArrowBackUp />
        </ToolButton>
        <ToolButton label={t('reset')} shortcut="Backspace" disabled={!canReset} onClick={() => onCommand('reset')}>
          <IconRestore />
        </ToolButton>
      </div>
      <div className={classes.group}>
        <ToolButton label={t('overlays')} shortcut="O" active={overlays} onClick={onOverlays}>
          <IconTextCaption />
        </ToolButton>
      </div>
    </div>
  );
};
