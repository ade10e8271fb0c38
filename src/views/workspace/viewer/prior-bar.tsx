import IconArrowsLeftRight from '@tabler/icons-react/dist/esm/icons/IconArrowsLeftRight.mjs';
import IconChevronLeft from '@tabler/icons-react/dist/esm/icons/IconChevronLeft.mjs';
import IconChevronRight from '@tabler/icons-react/dist/esm/icons/IconChevronRight.mjs';
import { useTranslation } from 'react-i18next';
import type { PriorComparison } from '../../app/shown-content.ts';
import { ToolButton } from '../../ui/tool-button.tsx';
import classes from './prior-bar.module.css';
import { useEarlierText, useMatchText } from './prior-texts.ts';
import { useKeyText } from './shortcuts.ts';
import type { ViewerCommand } from './viewer-commands.ts';

interface PriorBarProps {
  readonly prior: PriorComparison;
  readonly onCommand: (command: ViewerCommand) => void;
}

/** Below an image and an earlier one: why it was chosen, and the buttons for earlier, later and swapped. */
export const PriorBar = ({ prior, onCommand }: PriorBarProps) => {
  const { t } = useTranslation('viewer');
  const keyText = useKeyText();
  const matchText = useMatchText();
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is for forms
    <div className={classes.bar} role="group" aria-label={t('prior')} data-chrome>
      <ToolButton label={t('priorOlder')} shortcut="B" onClick={() => onCommand({ type: 'prior' })}>
        <IconChevronLeft />
      </ToolButton>
      <ToolButton
        label={t('priorLater')}
        shortcut="Shift+B"
        keyText={keyText('Shift+B')}
        reason={prior.hasLater ? null : t('priorIsLatest')}
        onClick={() => onCommand({ type: 'prior-later' })}
      >
        <IconChevronRight />
      </ToolButton>
      <p className={classes.text} role="status">
        <span>{matchText(prior.match)}</span>
        {prior.undated > 0 && <span className={classes.note}>{t('priorUndated', { count: prior.undated })}</span>}
      </p>
      <ToolButton label={t('priorSwap')} shortcut="S" onClick={() => onCommand({ type: 'prior-swap' })}>
        <IconArrowsLeftRight />
      </ToolButton>
    </div>
  );
};

interface PriorHeadingProps {
  readonly prior: PriorComparison;
  readonly imageUid: string;
}

/** The date of an image of the pair, and how much earlier it is. */
export const PriorHeading = ({ prior, imageUid }: PriorHeadingProps) => {
  const { t } = useTranslation('viewer');
  const earlierText = useEarlierText();
  const { currentUid, currentDay, priorDay } = prior;
  const [day, text] =
    imageUid === currentUid ? [currentDay, t('priorCurrent')] : [priorDay, earlierText(priorDay, currentDay)];
  return (
    <p className={classes.heading} data-on-black>
      <time dateTime={day}>{day}</time>
      <span>{text}</span>
    </p>
  );
};
