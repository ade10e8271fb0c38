import { Menu } from '@mantine/core';
import IconCheck from '@tabler/icons-react/dist/esm/icons/IconCheck.mjs';
import IconChevronLeft from '@tabler/icons-react/dist/esm/icons/IconChevronLeft.mjs';
import IconChevronRight from '@tabler/icons-react/dist/esm/icons/IconChevronRight.mjs';
import IconPlayerPause from '@tabler/icons-react/dist/esm/icons/IconPlayerPause.mjs';
import IconPlayerPlay from '@tabler/icons-react/dist/esm/icons/IconPlayerPlay.mjs';
import IconRepeat from '@tabler/icons-react/dist/esm/icons/IconRepeat.mjs';
import { useTranslation } from 'react-i18next';
import { ToolButton } from '../../ui/tool-button.tsx';
import classes from './frame-bar.module.css';
import { useKeyText } from './shortcuts.ts';
import type { Cine } from './use-cine.ts';

interface FrameBarProps {
  readonly frame: number;
  readonly frames: number;
  readonly cine: Cine;
  readonly onFrame: (frame: number) => void;
}

const speeds = [1, 2, 5, 10, 15, 20, 30];

/** Frame navigation: step, slider and cine. */
export const FrameBar = ({ frame, frames, cine, onFrame }: FrameBarProps) => {
  const { t } = useTranslation('viewer');
  const keyText = useKeyText();
  const text = t('frame', { frame, frames });
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is for forms
    <div className={classes.bar} role="group" aria-label={t('frames')}>
      <ToolButton
        label={t('previousFrame')}
        shortcut="PageUp"
        keyText={keyText('PageUp')}
        disabled={frame <= 1}
        onClick={() => onFrame(frame - 1)}
      >
        <IconChevronLeft />
      </ToolButton>
      <ToolButton
        label={t(cine.playing ? 'pause' : 'play')}
        shortcut="J"
        onClick={() => cine.setPlaying(!cine.playing)}
      >
        {cine.playing ? <IconPlayerPause /> : <IconPlayerPlay />}
      </ToolButton>
      <ToolButton
        label={t('nextFrame')}
        shortcut="PageDown"
        keyText={keyText('PageDown')}
        disabled={frame >= frames}
        onClick={() => onFrame(frame + 1)}
      >
        <IconChevronRight />
      </ToolButton>
      <input
        className={classes.slider}
        type="range"
        min={1}
        max={frames}
        step={1}
        value={frame}
        aria-label={t('frameNumber')}
        aria-valuetext={text}
        onChange={(event) => onFrame(event.currentTarget.valueAsNumber)}
      />
      <span className={classes.text} style={{ '--digits': String(frames).length * 2 + 3 }}>
        {frame} / {frames}
      </span>
      <Menu position="top-end">
        <Menu.Target>
          <button type="button" className={classes.speed} aria-label={t('speed', { speed: cine.framesPerSecond })}>
            {t('framesPerSecond', { speed: cine.framesPerSecond })}
          </button>
        </Menu.Target>
        <Menu.Dropdown>
          {speeds.map((speed) => (
            <Menu.Item
              key={speed}
              rightSection={speed === cine.framesPerSecond ? <IconCheck /> : null}
              onClick={() => cine.setFramesPerSecond(speed)}
            >
              {t('framesPerSecond', { speed })}
            </Menu.Item>
          ))}
        </Menu.Dropdown>
      </Menu>
      <ToolButton label={t('loop')} active={cine.loop} onClick={() => cine.setLoop(!cine.loop)}>
        <IconRepeat />
      </ToolButton>
    </div>
  );
};
