import { useTranslation } from 'react-i18next';
import type { ImportStep } from '../../../contract/imports.ts';
import { fileSize } from '../parts/file-size.ts';
import { type Segment, SegmentedSteps } from '../parts/segmented-steps.tsx';
import classes from './row.module.css';
import { type Outcome, stepOrder, timeLeft } from './shown-import.ts';

export interface ShownProgress {
  readonly step: ImportStep;
  /** 0 to 100 of the running step. */
  readonly percent: number;
  readonly outcome: Outcome;
  /** Done, but not with everything. */
  readonly incomplete: boolean;
  /** The archive cannot be reached, or cannot tell of progress. */
  readonly waits: boolean;
  readonly filesDone: number;
  readonly totalFiles: number;
  readonly bytesLeft: number;
  /** Bytes a second; null: not known. */
  readonly speed: number | null;
}

const segmentState = ({ step, outcome, incomplete, waits }: ShownProgress, index: number): Segment['state'] => {
  const now = stepOrder.indexOf(step);
  if (outcome === 'done') return incomplete && index === now ? 'asks' : 'done';
  if (index !== now) return index < now ? 'done' : 'waiting';
  if (outcome === 'paused' || (outcome === 'running' && waits)) return 'paused';
  return outcome;
};

/** What it does now, in one word or few. */
export const useStateWords = (shown: Pick<ShownProgress, 'step' | 'outcome' | 'waits' | 'incomplete'>): string => {
  const { t } = useTranslation('import');
  const { step, outcome, waits, incomplete } = shown;
  const stepName = t(`step-${step}`);
  if (outcome === 'failed') return t('stepFailed', { step: stepName });
  if (outcome === 'asks') return t(step === 'uploading' ? 'uploadStopped' : 'needsYou');
  if (outcome === 'paused') return t('paused');
  if (outcome === 'done') return t(incomplete ? 'doneWithout' : 'step-done');
  return waits ? t('waiting') : stepName;
};

/** Below this a guess of the time would be off by far. */
const leastPercent = 2;

const Pace = ({ bytesLeft, speed, percent }: { bytesLeft: number; speed: number; percent: number }) => {
  const { t, i18n } = useTranslation('import');
  const left = percent < leastPercent ? null : timeLeft(bytesLeft, speed);
  return (
    <>
      <span className={classes.figure}>{t('speed', { size: fileSize(speed, i18n.language) })}</span>
      {left && <span className={classes.figure}>{t(`left-${left.unit}`, { count: left.count })}</span>}
    </>
  );
};

/** Six steps as a bar; below it what is done now, how far it is, how fast, and how long it takes. */
export const RowProgress = ({ shown }: { shown: ShownProgress }) => {
  const { t } = useTranslation('import');
  const words = useStateWords(shown);
  const { step, percent, outcome, waits, filesDone, totalFiles, bytesLeft, speed } = shown;
  const moves = outcome === 'running' && !waits;
  const segments = stepOrder.map((name, index) => ({
    name: t(`step-${name}`),
    state: segmentState(shown, index),
    percent,
  }));
  return (
    <>
      <SegmentedSteps
        segments={segments}
        label={t('steps')}
        text={outcome === 'done' ? words : `${words} ${t('percent', { percent })}`}
      />
      <p className={classes.progress}>
        <span className={classes.state} data-tone={outcome} data-incomplete={shown.incomplete || undefined}>
          {words}
        </span>
        {(outcome === 'running' || outcome === 'paused') && (
          <span className={classes.percent}>{t('percent', { percent })}</span>
        )}
        {moves && step === 'uploading' && speed !== null && (
          <Pace bytesLeft={bytesLeft} speed={speed} percent={percent} />
        )}
        {totalFiles > 0 && outcome !== 'done' && (
          <span className={classes.push}>{t('filesDone', { done: filesDone, count: totalFiles })}</span>
        )}
      </p>
    </>
  );
};
