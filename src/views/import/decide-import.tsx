import { Button } from '@mantine/core';
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
import { lazily } from '../parts/lazily.ts';
import { ConfirmImport } from './confirm-import.tsx';
import type { DecideHandle } from './decide/decide-studies.tsx';
import classes from './row.module.css';
import { reasonsOf } from './shown-import.ts';

const DecideStudies = lazily(async () => (await import('./decide/decide-studies.tsx')).DecideStudies);

const sameKeys = (one: readonly string[], other: readonly string[]) => one.join(' ') === other.join(' ');

interface DecideImportProps {
  readonly one: TrayImport;
  /** One import is decided at a time, unless a person opens more: the page would be endless, and jump. */
  readonly open: boolean;
  readonly onOpen: (open: boolean) => void;
  readonly onConfirm: () => void;
}

/** The studies that were found, each to be decided, and the one button for all of them. */
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
  // What is folded is opened first, and led into once it is there.
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
          className={classes.fold}
          aria-expanded={open}
          onClick={() => onOpen(!open)}
        >
          {open ? t('hideStudies') : t('showStudies', { count: studies.length })}
        </Button>
      </div>
    </>
  );
};
