import { UnstyledButton } from '@mantine/core';
import IconAlertTriangle from '@tabler/icons-react/dist/esm/icons/IconAlertTriangle.mjs';
import IconCheck from '@tabler/icons-react/dist/esm/icons/IconCheck.mjs';
import { useSelector } from '@xstate/react';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import {
  type ImportStudyActor,
  selectCanConfirm,
  selectPercent,
  selectStepNumber,
} from '../../machines/import-study/import-study.machine.ts';
import { type ImportsActor, selectImports } from '../../machines/imports/imports.machine.ts';
import type { TrayImport } from '../../machines/imports/imports.rules.ts';
import classes from './import.module.css';
import type { Outcome } from './shown-import.ts';
import { isPartlyDone, outcomeOf } from './use-shown-import.ts';
import { useThrottled } from './use-throttled.ts';

const radius = 8;
const circumference = 2 * Math.PI * radius;

/** A progress ring of `percent` (0 to 100). */
const ProgressRing = ({ percent, size = 20 }: { percent: number; size?: number }) => (
  <svg width={size} height={size} viewBox="0 0 20 20" fill="none" aria-hidden="true">
    <circle cx="10" cy="10" r={radius} stroke="var(--line)" strokeWidth="2.5" />
    <circle
      cx="10"
      cy="10"
      r={radius}
      stroke="var(--accent)"
      strokeWidth="2.5"
      strokeLinecap="round"
      strokeDasharray={`${(circumference * Math.min(100, Math.max(0, percent))) / 100} ${circumference}`}
      transform="rotate(-90 10 10)"
    />
  </svg>
);

interface TrayState {
  readonly counts: Readonly<Record<Outcome, number>>;
  /** Everything is decided; only the confirmation is missing. */
  readonly ready: number;
  /** Done imports with rejected files. */
  readonly partly: number;
  /** One failed, stopped during upload, is incomplete or waits for a decision. */
  readonly needsAttention: boolean;
  /** Total progress of all running imports, 0 to 100; steps count equally. */
  readonly percent: number;
}

const steps = 5;

export const isReady = (actor: ImportStudyActor): boolean => selectCanConfirm(actor.getSnapshot());

const stateOf = (imports: readonly TrayImport[]): TrayState => {
  const counts = { running: 0, paused: 0, 'needs-decision': 0, failed: 0, done: 0 };
  let [done, ready, partly] = [0, 0, 0];
  for (const { actor } of imports) {
    const snapshot = actor.getSnapshot();
    const outcome = outcomeOf(snapshot);
    counts[outcome] += 1;
    if (outcome === 'running') done += selectStepNumber(snapshot) + selectPercent(snapshot) / 100;
    if (selectCanConfirm(snapshot)) ready += 1;
    if (isPartlyDone(actor)) partly += 1;
  }
  const { running, 'needs-decision': waiting, failed } = counts;
  const percent = running === 0 ? 0 : Math.min(100, Math.round((done / (running * steps)) * 100));
  return { counts, ready, partly, needsAttention: waiting + failed + partly > 0, percent };
};

const same = (one: TrayState, other: TrayState) =>
  one.ready === other.ready &&
  one.partly === other.partly &&
  one.percent === other.percent &&
  Object.entries(one.counts).every(([outcome, count]) => other.counts[outcome as Outcome] === count);

/** Returns the combined state of all imports of the tray. */
export const useTrayState = (imports: readonly TrayImport[]): TrayState => {
  const actors = useMemo(() => imports.map(({ actor }) => actor), [imports]);
  return useThrottled(actors, () => stateOf(imports), same, 200);
};

interface ImportIndicatorProps {
  readonly actor: ImportsActor;
  /** Images on the way to devices, which the panel shows too; null without any. */
  readonly sendings: {
    readonly running: number;
    readonly needsAttention: boolean;
    readonly percent: number;
  } | null;
  readonly opened: boolean;
  readonly onToggle: () => void;
}

/** Header button with the progress of imports and sendings, and a mark when one needs attention. */
export const ImportIndicator = ({ actor, sendings, opened, onToggle }: ImportIndicatorProps) => {
  const { t } = useTranslation(['shell', 'import']);
  const imports = useSelector(actor, selectImports);
  const state = useTrayState(imports);
  if (imports.length === 0 && !sendings) return null;
  const running = state.counts.running + (sendings?.running ?? 0);
  const percent = state.counts.running > 0 ? state.percent : (sendings?.percent ?? 0);
  const needsAttention = state.needsAttention || (sendings?.needsAttention ?? false);
  const title = sendings ? t('import:trayWithSendings') : t('import:tray');
  const label = () => {
    if (running === 0) return title;
    if (!sendings) return t('importsRunning', { count: running, percent });
    return `${title}: ${t('running', { count: running })}`;
  };
  return (
    <UnstyledButton
      className={classes.indicator}
      data-tone={needsAttention ? 'needs-decision' : running > 0 ? 'running' : 'settled'}
      aria-label={label()}
      title={label()}
      aria-expanded={opened}
      onClick={onToggle}
    >
      {needsAttention ? <IconAlertTriangle /> : running > 0 ? <ProgressRing percent={percent} /> : <IconCheck />}
      {running > 0 && <span>{t('running', { count: running })}</span>}
    </UnstyledButton>
  );
};
