import { useTranslation } from 'react-i18next';
import { type ImportStep, importStepNames } from '../../../contract/imports.ts';
import type { WaitReason } from '../../machines/import-study/import-study.machine.ts';
import { fileSize } from '../ui/file-size.ts';
import classes from './row.module.css';
import { type Outcome, timeLeft } from './shown-import.ts';

interface Segment {
  readonly name: string;
  readonly state: 'done' | 'running' | 'paused' | 'waiting' | 'failed' | 'needs-decision';
  /** Progress of a running or paused step, 0 to 100. */
  readonly percent: number;
}

const isUnderWay = ({ state }: Segment) => state === 'running' || state === 'paused';

/** A progress bar with one segment per step. */
const SegmentedSteps = ({ segments, label, text }: { segments: readonly Segment[]; label: string; text: string }) => {
  const done = segments.filter((segment) => segment.state === 'done').length;
  const running = segments.find(isUnderWay);
  const whole = segments.length ? ((done + (running ? running.percent / 100 : 0)) / segments.length) * 100 : 0;
  return (
    <div
      className={classes.bar}
      role="progressbar"
      aria-label={label}
      aria-valuemin={0}
      aria-valuemax={100}
      aria-valuenow={Math.round(whole)}
      aria-valuetext={text}
    >
      {segments.map((segment) => (
        <div key={segment.name} className={classes.segment} data-state={segment.state} title={segment.name}>
          <div
            className={classes.fill}
            style={{
              transform: `scaleX(${segment.state === 'waiting' ? 0 : isUnderWay(segment) ? segment.percent / 100 : 1})`,
            }}
          />
        </div>
      ))}
    </div>
  );
};

export interface ShownProgress {
  readonly step: ImportStep;
  /** Progress of the current step, 0 to 100. */
  readonly percent: number;
  readonly outcome: Outcome;
  /** Done, but some files are missing. */
  readonly incomplete: boolean;
  /** `connection`: the server is unreachable or the connection for progress events is lost. Null: the import does not wait. */
  readonly waitReason: WaitReason | null;
  readonly filesDone: number;
  readonly totalFiles: number;
  readonly bytesLeft: number;
  /** Bytes per second; null: unknown. */
  readonly speed: number | null;
}

const segmentState = ({ step, outcome, incomplete, waitReason }: ShownProgress, index: number): Segment['state'] => {
  const now = importStepNames.indexOf(step);
  if (outcome === 'done') return incomplete && index === now ? 'needs-decision' : 'done';
  if (index !== now) return index < now ? 'done' : 'waiting';
  if (outcome === 'paused' || (outcome === 'running' && waitReason)) return 'paused';
  return outcome;
};

/** Returns a short text for the current state. */
export const useStateText = (shown: Pick<ShownProgress, 'step' | 'outcome' | 'waitReason' | 'incomplete'>): string => {
  const { t } = useTranslation('import');
  const { step, outcome, waitReason, incomplete } = shown;
  const stepName = t(`step-${step}`);
  if (outcome === 'failed') return t('stepFailed', { step: stepName });
  if (outcome === 'needs-decision') return t(step === 'uploading' ? 'uploadStopped' : 'needsDecision');
  if (outcome === 'paused') return t('paused');
  if (outcome === 'done') return t(incomplete ? 'partlyDone' : 'step-done');
  if (waitReason === 'disk-space') return t('waitingForSpace');
  return waitReason ? t('waiting') : stepName;
};

/** Below this progress an estimate of the remaining time is unreliable. */
const minPercent = 2;

const Pace = ({ bytesLeft, speed, percent }: { bytesLeft: number; speed: number; percent: number }) => {
  const { t, i18n } = useTranslation('import');
  const left = percent < minPercent ? null : timeLeft(bytesLeft, speed);
  return (
    <>
      <span className={classes.figure}>{t('speed', { size: fileSize(speed, i18n.language) })}</span>
      {left && <span className={classes.figure}>{t(`left-${left.unit}`, { count: left.count })}</span>}
    </>
  );
};

/** Progress bar of six steps with the current step, percentage, speed and remaining time. */
export const RowProgress = ({ shown }: { shown: ShownProgress }) => {
  const { t } = useTranslation('import');
  const stateText = useStateText(shown);
  const { step, percent, outcome, waitReason, filesDone, totalFiles, bytesLeft, speed } = shown;
  const moves = outcome === 'running' && !waitReason;
  const segments = importStepNames.map((name, index) => ({
    name: t(`step-${name}`),
    state: segmentState(shown, index),
    percent,
  }));
  return (
    <>
      <SegmentedSteps
        segments={segments}
        label={t('steps')}
        text={outcome === 'done' ? stateText : `${stateText} ${t('percent', { percent })}`}
      />
      <p className={classes.progress}>
        <span className={classes.state} data-tone={outcome} data-incomplete={shown.incomplete || undefined}>
          {stateText}
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
