import { Button, NativeSelect } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useId } from 'react';
import { useTranslation } from 'react-i18next';
import type { ImportDecision, ImportFile, ImportStudy } from '../../../../contract/imports.ts';
import type { Study } from '../../../../contract/studies.ts';
import { useAppQueries } from '../../app/queries-context.tsx';
import { QueryFailed } from '../../forms/query-failed.tsx';
import { type ReportedFailure, useFailureText } from '../../language/failure-text.ts';
import { IconAlert } from '../../ui/icon-alert.tsx';
import classes from './decide.module.css';
import { FileGrid } from './file-thumbnail.tsx';
import { Mounting } from './mounting.tsx';
import { filesOf, stateOf } from './study.rules.ts';
import { StudyHead, StudyStatus, useStudyName } from './study-head.tsx';
import { StudyPatient } from './study-patient.tsx';
import { useDecision } from './use-decision.ts';

interface IntoStudyProps {
  readonly patientId: string;
  /** Study Instance UID; null: a new study. */
  readonly studyUid: string | null;
  /** Name of a new study. */
  readonly description: string;
  readonly onChoose: (studyUid: string | null) => void;
}

/** Page size of the study list, newest first. */
const maxStudies = 200;
const newStudyValue = 'new';

/** JPEG and PNG files carry no study; the user chooses one of the patient's or a new one. */
const IntoStudy = ({ patientId, studyUid, description, onChoose }: IntoStudyProps) => {
  const { t } = useTranslation('import-decide');
  const studies = useQuery(useAppQueries().studies(patientId, { page: 1, ppage: maxStudies }));
  const nameOf = (study: Study) =>
    [
      study.studyDate ?? t('undated'),
      study.description || t('untitled'),
      t('images', { count: study.series.reduce((sum, { images }) => sum + images.length, 0) }),
    ].join(' · ');
  const listed = studies.data?.data ?? [];
  const isUnlisted = studyUid !== null && !listed.some(({ uid }) => uid === studyUid);
  return (
    <div className={classes.into}>
      <NativeSelect
        aria-label={t('intoStudy')}
        value={studyUid ?? newStudyValue}
        onChange={({ currentTarget }) => onChoose(currentTarget.value === newStudyValue ? null : currentTarget.value)}
        data={[
          { value: newStudyValue, label: description ? t('newStudyNamed', { name: description }) : t('newStudy') },
          ...(isUnlisted ? [{ value: studyUid, label: t('untitled') }] : []),
          ...listed.map((study) => ({ value: study.uid, label: nameOf(study) })),
        ]}
      />
      {studies.isError && <QueryFailed error={studies.error} onRetry={() => void studies.refetch()} />}
    </div>
  );
};

interface StudyCardProps {
  readonly study: ImportStudy;
  /** All files of the import. */
  readonly files: readonly ImportFile[];
  readonly clinicId: string;
  /** Patient on whose page the files were dropped. */
  readonly pageOf: string | null;
  readonly deciding: boolean;
  /** Error of its last decision. */
  readonly failure: ReportedFailure | null;
  /** Null: the only study, always expanded. */
  readonly open: boolean | null;
  readonly onOpen: (open: boolean) => void;
  readonly onDecide: (decision: Partial<ImportDecision>) => void;
  readonly alike: number;
  readonly onAlike: (patientId: string) => void;
  /** Goes to the next undecided study; null when there is none. */
  readonly onNext: (() => void) | null;
}

const Part = ({ title, children }: { title: string; children: ReactNode }) => (
  <section className={classes.part} aria-label={title}>
    <h5 className={classes.partTitle}>{title}</h5>
    <div className={classes.partBody}>{children}</div>
  </section>
);

/** Shows one study of an import and its decisions. */
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
  const isCollapsed = open === false || state === 'left-out' || state === 'imported';
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
      {isCollapsed && <StudyStatus study={study} state={state} />}
      {failure && <IconAlert>{t('changeUndone', { reason: failureText(failure) })}</IconAlert>}
      {!isCollapsed && (
        <div id={body} className={classes.body}>
          {study.obstacles.includes('nothing-to-import') && <IconAlert>{t('obstacle-nothing-to-import')}</IconAlert>}
          <Part title={t('patient')}>
            <StudyPatient
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
              <FileGrid files={files} />
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
