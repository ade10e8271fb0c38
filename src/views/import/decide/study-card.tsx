import { Button } from '@mantine/core';
import { type ReactNode, useId } from 'react';
import { useTranslation } from 'react-i18next';
import type { ImportDecision, ImportFile, ImportStudy } from '../../../../contract/imports.ts';
import { type ToldFailure, useFailureText } from '../../language/failure-text.ts';
import { IconAlert } from '../../parts/icon-alert.tsx';
import classes from './decide.module.css';
import { FileWall } from './file-wall.tsx';
import { IntoStudy } from './into-study.tsx';
import { Mounting } from './mounting.tsx';
import { useStudyName } from './obstacle-text.ts';
import { filesOf, stateOf } from './study.rules.ts';
import { StudyHead } from './study-head.tsx';
import { StudyStatus } from './study-status.tsx';
import { useDecision } from './use-decision.ts';
import { Whose } from './whose.tsx';

interface StudyCardProps {
  readonly study: ImportStudy;
  /** Of the whole import. */
  readonly files: readonly ImportFile[];
  readonly clinicId: string;
  /** The patient into whose page the files were dropped. */
  readonly pageOf: string | null;
  readonly deciding: boolean;
  /** Why the last decision about it was not taken. */
  readonly failure: ToldFailure | null;
  /** null: it is the only one, and always open. */
  readonly open: boolean | null;
  readonly onOpen: (open: boolean) => void;
  readonly onDecide: (decision: Partial<ImportDecision>) => void;
  readonly alike: number;
  readonly onAlike: (patientId: string) => void;
  /** Leads to the next study that waits for a person; null when there is none. */
  readonly onNext: (() => void) | null;
}

const Part = ({ title, children }: { title: string; children: ReactNode }) => (
  <section className={classes.part} aria-label={title}>
    <h5 className={classes.partTitle}>{title}</h5>
    <div className={classes.partBody}>{children}</div>
  </section>
);

/** One study of an import and all that is decided about it. */
export const StudyCard = (props: StudyCardProps) => {
  const {
    study,
    files: all,
    clinicId,
    pageOf,
    deciding,
    failure,
    open,
    onOpen,
    onDecide,
    alike,
    onAlike,
    onNext,
  } = props;
  const { t } = useTranslation('import-decide');
  const body = useId();
  const failureText = useFailureText();
  const name = useStudyName()(study);
  const shown = useDecision(study, deciding, onDecide);
  const { decision, decide } = shown;
  const files = filesOf(study, all);
  const state = decision.leftOut ? 'left-out' : stateOf(study);
  const isFolded = open === false || state === 'left-out' || state === 'imported';
  return (
    <li className={classes.card} data-state={state} data-study={study.key} aria-label={name}>
      <StudyHead
        study={study}
        files={files}
        state={state}
        open={state === 'left-out' || state === 'imported' ? null : open}
        body={body}
        onOpen={onOpen}
        onLeaveOut={(leftOut) => decide({ leftOut })}
      />
      {isFolded && <StudyStatus study={study} state={state} />}
      {failure && <IconAlert>{t('notTaken', { reason: failureText(failure) })}</IconAlert>}
      {!isFolded && (
        <div id={body} className={classes.body}>
          {study.obstacles.includes('nothing-to-import') && <IconAlert>{t('obstacle-nothing-to-import')}</IconAlert>}
          <Part title={t('patient')}>
            <Whose
              study={study}
              files={files}
              clinicId={clinicId}
              pageOf={pageOf}
              shown={shown}
              alike={alike}
              onAlike={onAlike}
            />
          </Part>
          {study.kind === 'static' && study.patient && !shown.comparing && (
            <Part title={t('study')}>
              <IntoStudy
                patientId={study.patient.id}
                studyUid={decision.studyUid}
                description={study.description}
                onChoose={(studyUid) => decide({ studyUid })}
              />
            </Part>
          )}
          {decision.viewSetTemplateUuid === null && files.length > 0 && (
            <Part title={t('filesOfStudy')}>
              <FileWall files={files} />
            </Part>
          )}
          <Part title={t('mount')}>
            <Mounting study={study} files={files} clinicId={clinicId} shown={shown} />
          </Part>
          {onNext && state === 'ready' && (
            <div className={classes.next}>
              <Button variant="default" onClick={onNext}>
                {t('next')}
              </Button>
            </div>
          )}
        </div>
      )}
    </li>
  );
};
