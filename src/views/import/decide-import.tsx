import { Button, UnstyledButton } from '@mantine/core';
import { useSelector } from '@xstate/react';
import { Suspense, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import {
  selectCanConfirm,
  selectDecisionFailure,
  selectFoundFiles,
  selectIsDeciding,
  selectStudies,
} from '../../machines/import-study/import-study.machine.ts';
import type { TrayImport } from '../../machines/imports/imports.rules.ts';
import { lazyComponent } from '../ui/lazy-component.ts';
import type { DecideHandle } from './decide/decide-studies.tsx';
import classes from './row.module.css';
import { type Reason, reasonsOf } from './shown-import.ts';

interface ConfirmImportProps {
  readonly studies: number;
  /** Why it cannot be imported yet; empty when it can. */
  readonly reasons: readonly Reason[];
  /** A decision is being sent to the server. */
  readonly deciding: boolean;
  readonly canConfirm: boolean;
  /** Scrolls to the first missing decision. */
  readonly onMend: () => void;
  readonly onConfirm: () => void;
}

/** Import button with the reasons why it is disabled. */
const ConfirmImport = ({ studies, reasons, deciding, canConfirm, onMend, onConfirm }: ConfirmImportProps) => {
  const { t } = useTranslation('import');
  const words = [
    ...reasons.map(({ why, studies: count }) => t(`obstacle-${why}`, { count })),
    ...(reasons.length === 0 && deciding ? [t('deciding')] : []),
  ];
  return (
    <>
      <Button disabled={!canConfirm} title={words.join('. ') || undefined} onClick={onConfirm}>
        {t('importStudies', { count: studies })}
      </Button>
      {words.length > 0 && (
        <div role="status">
          <ul className={classes.reasons}>
            {words.map((text) => (
              <li key={text}>{reasons.length > 0 ? <UnstyledButton onClick={onMend}>{text}</UnstyledButton> : text}</li>
            ))}
          </ul>
        </div>
      )}
    </>
  );
};

const DecideStudies = lazyComponent(async () => (await import('./decide/decide-studies.tsx')).DecideStudies);

const sameKeys = (one: readonly string[], other: readonly string[]) => one.join(' ') === other.join(' ');

interface DecideImportProps {
  readonly one: TrayImport;
  /** Only one import is expanded unless the user expands more, to keep the page short and stable. */
  readonly open: boolean;
  readonly onOpen: (open: boolean) => void;
  readonly onConfirm: () => void;
}

/** Shows the studies of an import for decision, and the import button. */
export const DecideImport = ({ one, open, onOpen, onConfirm }: DecideImportProps) => {
  const { t } = useTranslation('import');
  const { actor, customerId, patientId } = one;
  const studies = useSelector(actor, selectStudies);
  const files = useSelector(actor, selectFoundFiles);
  const deciding = useSelector(actor, selectIsDeciding, sameKeys);
  const failure = useSelector(actor, selectDecisionFailure);
  const canConfirm = useSelector(actor, selectCanConfirm);
  const decide = useRef<DecideHandle>(null);
  const mends = useRef(false);
  // A collapsed import is expanded first; focus moves when it is rendered.
  const hold = (handle: DecideHandle | null) => {
    decide.current = handle;
    if (!handle || !mends.current) return;
    mends.current = false;
    handle.mend();
  };
  const mend = () => {
    if (decide.current) decide.current.mend();
    else {
      mends.current = true;
      onOpen(true);
    }
  };
  return (
    <>
      {open && (
        <Suspense fallback={null}>
          <DecideStudies
            ref={hold}
            studies={studies}
            files={files}
            deciding={new Set(deciding)}
            failure={failure}
            clinicId={customerId}
            patientId={patientId}
            onDecide={(key, decision) => actor.send({ type: 'study.decided', key, decision })}
          />
        </Suspense>
      )}
      <div className={classes.confirm}>
        <ConfirmImport
          studies={studies.filter(({ decision }) => !decision.leftOut).length}
          reasons={reasonsOf(studies)}
          deciding={deciding.length > 0}
          canConfirm={canConfirm}
          onMend={mend}
          onConfirm={onConfirm}
        />
        <Button
          variant="subtle"
          color="gray"
          className={classes.expand}
          aria-expanded={open}
          onClick={() => onOpen(!open)}
        >
          {open ? t('hideStudies') : t('showStudies', { count: studies.length })}
        </Button>
      </div>
    </>
  );
};
