import IconArrowsLeftRight from '@tabler/icons-react/dist/esm/icons/IconArrowsLeftRight.mjs';
import IconChevronLeft from '@tabler/icons-react/dist/esm/icons/IconChevronLeft.mjs';
import IconChevronRight from '@tabler/icons-react/dist/esm/icons/IconChevronRight.mjs';
import dayjs from 'dayjs';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { MountComparison, PriorComparison, PriorMatch } from '../../app/shown-content.ts';
import { useToothText } from '../../language/tooth-notation.ts';
import { ageAt } from '../../ui/dates.ts';
import { ToolButton } from '../../ui/tool-button.tsx';
import classes from './prior-bar.module.css';
import { useKeyText } from './shortcuts.ts';
import type { ViewerCommand } from './viewer-commands.ts';

/** Formats how much earlier a day was than another one, `YYYY-MM-DD`: years and months, days within a month. */
export const useEarlierText = () => {
  const { t } = useTranslation('viewer');
  return (day: string, than: string): string => {
    const { years, months } = ageAt(day, than) ?? { years: 0, months: 0 };
    if (years > 0 && months > 0) return t('earlierYearsMonths', { years, months });
    if (years > 0) return t('earlierYears', { years });
    if (months > 0) return t('earlierMonths', { months });
    return t('earlierDays', { count: dayjs(than).diff(dayjs(day), 'day') });
  };
};

/** Says why an earlier image was chosen. */
const useMatchText = () => {
  const { t } = useTranslation('viewer');
  const toothText = useToothText();
  return (match: PriorMatch): string => {
    if (match.by === 'region') return t('priorByRegion');
    const teeth = toothText(match.teeth);
    if (match.by === 'teeth') return t('priorByTeeth', { count: match.teeth.length, teeth });
    return t('priorBySlot', { slot: [match.description, teeth].filter(Boolean).join(', ') });
  };
};

interface ComparisonBarProps {
  /** Prefix of the locale keys: of images or of mounts. */
  readonly of: 'prior' | 'mount';
  readonly hasLater: boolean;
  readonly children: ReactNode;
  readonly onCommand: (command: ViewerCommand) => void;
}

/** Below what is compared with something earlier: why it was chosen, and the buttons for earlier, later and swapped. */
const ComparisonBar = ({ of, hasLater, children, onCommand }: ComparisonBarProps) => {
  const { t } = useTranslation('viewer');
  const keyText = useKeyText();
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is for forms
    <div className={classes.bar} role="group" aria-label={t(of)} data-chrome>
      <ToolButton label={t(`${of}Older`)} shortcut="B" onClick={() => onCommand({ type: 'prior' })}>
        <IconChevronLeft />
      </ToolButton>
      <ToolButton
        label={t(`${of}Later`)}
        shortcut="Shift+B"
        keyText={keyText('Shift+B')}
        reason={hasLater ? null : t(`${of}IsLatest`)}
        onClick={() => onCommand({ type: 'prior-later' })}
      >
        <IconChevronRight />
      </ToolButton>
      <p className={classes.text} role="status">
        {children}
      </p>
      <ToolButton label={t(`${of}Swap`)} shortcut="S" onClick={() => onCommand({ type: 'prior-swap' })}>
        <IconArrowsLeftRight />
      </ToolButton>
    </div>
  );
};

interface PriorBarProps {
  readonly prior: PriorComparison;
  readonly onCommand: (command: ViewerCommand) => void;
}

export const PriorBar = ({ prior, onCommand }: PriorBarProps) => {
  const { t } = useTranslation('viewer');
  const matchText = useMatchText();
  return (
    <ComparisonBar of="prior" hasLater={prior.hasLater} onCommand={onCommand}>
      <span>{matchText(prior.match)}</span>
      {prior.undated > 0 && <span className={classes.note}>{t('priorUndated', { count: prior.undated })}</span>}
    </ComparisonBar>
  );
};

interface MountBarProps {
  readonly prior: MountComparison;
  readonly onCommand: (command: ViewerCommand) => void;
}

export const MountBar = ({ prior, onCommand }: MountBarProps) => {
  const { t } = useTranslation('viewer');
  const count = prior.pairs.length;
  return (
    <ComparisonBar of="mount" hasLater={prior.hasLater} onCommand={onCommand}>
      <span>{prior.match === 'template' ? t('mountByTemplate', { count }) : t('mountByTeeth', { count })}</span>
    </ComparisonBar>
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
