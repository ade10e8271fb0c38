import { Button } from '@mantine/core';
import IconCheck from '@tabler/icons-react/dist/esm/icons/IconCheck.mjs';
import IconX from '@tabler/icons-react/dist/esm/icons/IconX.mjs';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'wouter';
import type { ImportStep } from '../../../contract/imports.ts';
import { IconAlert } from '../parts/icon-alert.tsx';
import { type Segment, SegmentedSteps } from '../parts/segmented-steps.tsx';
import { ToolButton } from '../parts/tool-button.tsx';
import { FileList, type ShownFile } from './file-list.tsx';
import classes from './import.module.css';
import { Interrupted } from './interrupted.tsx';
import { type ChosenPatient, Mismatch, type NamedInFiles } from './mismatch.tsx';

export const stepOrder: readonly ImportStep[] = [
  'uploading',
  'preparing',
  'parsing',
  'validation',
  'importing',
  'done',
];

/** One import as a person sees it. */
export interface ShownImport {
  readonly patient: ChosenPatient;
  readonly step: ImportStep;
  /** 0 to 100 of the running step. */
  readonly percent: number;
  readonly outcome: 'running' | 'asks' | 'failed' | 'done';
  readonly files: readonly ShownFile[];
  readonly totalFiles: number;
  readonly filesDone: number;
  /** Whom the files name when it is somebody else. */
  readonly named: readonly NamedInFiles[];
  /** Why it stopped, in words; null when it did not, or when each file says it. */
  readonly failure: string | null;
  readonly canRetry: boolean;
  readonly canCancel: boolean;
}

export interface ImportRowActions {
  readonly onConfirm: () => void;
  /** Takes what arrived of an upload that stopped. */
  readonly onResume: () => void;
  /** Adds what is missing of it. */
  readonly onAdd: (files: readonly File[]) => void;
  readonly onRetry: () => void;
  readonly onCancel: () => void;
  readonly onRemove: () => void;
}

const segmentState = (shown: ShownImport, index: number): Segment['state'] => {
  const now = stepOrder.indexOf(shown.step);
  if (shown.outcome === 'done' || index < now) return 'done';
  if (index > now) return 'waiting';
  return shown.outcome === 'running' ? 'running' : shown.outcome;
};

const Summary = ({ shown }: { shown: ShownImport }) => {
  const { t } = useTranslation('import');
  const count = (status: ShownFile['status']) => shown.files.filter((file) => file.status === status).length;
  const [imported, duplicates, refused] = [count('imported'), count('duplicate'), count('refused')];
  return (
    <p className={classes.summary}>
      {shown.outcome === 'done' && imported > 0 && (
        <span className={classes.good}>
          <IconCheck aria-hidden="true" /> {t('imported', { count: imported })}
        </span>
      )}
      {duplicates > 0 && <span>{t('duplicates', { count: duplicates })}</span>}
      {refused > 0 && <span className={classes.bad}>{t('refused', { count: refused })}</span>}
    </p>
  );
};

/** One import: for whom, six steps, what was done, and what a person can do about it. */
export const ImportRow = ({
  shown,
  href,
  actions,
}: {
  shown: ShownImport;
  /** The patient's page. */
  href: string;
  actions: ImportRowActions;
}) => {
  const { t } = useTranslation('import');
  const refused = shown.files.some((file) => file.status === 'refused');
  const settled = shown.outcome === 'done' || shown.outcome === 'failed';
  const interrupted = shown.outcome === 'asks' && shown.step === 'uploading';
  const [open, setOpen] = useState<boolean | null>(null);
  const showsFiles = open ?? (settled && refused);
  const stepName = t(`step-${shown.step}`);
  const state = interrupted
    ? t('uploadStopped')
    : shown.outcome === 'failed'
      ? t('stepFailed', { step: stepName })
      : stepName;
  const segments = stepOrder.map((step, index) => ({
    name: t(`step-${step}`),
    state: segmentState(shown, index),
    percent: shown.percent,
  }));
  return (
    <li className={classes.row} data-outcome={shown.outcome} aria-label={shown.patient.name}>
      <div className={classes.head}>
        <h3 className={classes.person}>
          <Link href={href} title={t('openPatient')}>
            {shown.patient.name}
          </Link>
        </h3>
        {settled || interrupted ? (
          <ToolButton label={t('remove')} onClick={actions.onRemove}>
            <IconX />
          </ToolButton>
        ) : (
          shown.canCancel && (
            <ToolButton label={t('cancel')} onClick={actions.onCancel}>
              <IconX />
            </ToolButton>
          )
        )}
      </div>
      <SegmentedSteps
        segments={segments}
        label={t('steps')}
        text={`${state} ${t('percent', { percent: shown.percent })}`}
      />
      <p className={classes.progress}>
        <span data-tone={shown.outcome}>{state}</span>
        {shown.outcome === 'running' && <span>{t('percent', { percent: shown.percent })}</span>}
        <span className={classes.push}>{t('filesDone', { done: shown.filesDone, count: shown.totalFiles })}</span>
      </p>
      <Summary shown={shown} />
      {shown.failure && <IconAlert>{shown.failure}</IconAlert>}
      {interrupted && (
        <Interrupted
          arrived={shown.filesDone}
          expected={shown.totalFiles}
          onResume={actions.onResume}
          onAdd={actions.onAdd}
        />
      )}
      {shown.outcome === 'asks' && !interrupted && (
        <Mismatch
          chosen={shown.patient}
          named={shown.named}
          onConfirm={actions.onConfirm}
          onCancel={actions.onCancel}
        />
      )}
      <div className={classes.actions}>
        {shown.files.length > 0 && (
          <Button
            variant="subtle"
            color="gray"
            size="compact-sm"
            className={classes.toggle}
            aria-expanded={showsFiles}
            onClick={() => setOpen(!showsFiles)}
          >
            {showsFiles ? t('hideFiles') : t('showFiles')}
          </Button>
        )}
        {shown.outcome === 'failed' && shown.canRetry && (
          <Button size="compact-sm" variant="default" onClick={actions.onRetry}>
            {t('retry')}
          </Button>
        )}
      </div>
      {showsFiles && <FileList files={shown.files} />}
    </li>
  );
};
