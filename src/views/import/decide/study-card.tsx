import { Button, Checkbox } from '@mantine/core';
import IconChevronDown from '@tabler/icons-react/dist/esm/icons/IconChevronDown.mjs';
import { type ReactNode, useId } from 'react';
import { useTranslation } from 'react-i18next';
import type { ImportDecision, ImportFile, ImportStudy } from '../../../../contract/imports.ts';
import { type ToldFailure, useFailureText } from '../../language/failure-text.ts';
import { useModalityName } from '../../language/modality-name.tsx';
import { IconAlert } from '../../parts/icon-alert.tsx';
import classes from './decide.module.css';
import { FileThumbnail } from './file-thumbnail.tsx';
import { FileWall } from './file-wall.tsx';
import { IntoStudy } from './into-study.tsx';
import { Mounting } from './mounting.tsx';
import { useStudyName } from './obstacle-text.ts';
import { filesOf, newAmong, stateOf } from './study.rules.ts';
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

/** Pictures beside the head of a card that is closed. */
const glimpses = 4;

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
  const id = useId();
  const failureText = useFailureText();
  const modalityName = useModalityName();
  const name = useStudyName()(study);
  const shown = useDecision(study, deciding, onDecide);
  const { decision, decide } = shown;
  const files = filesOf(study, all);
  const isOpen = (open ?? true) && !decision.leftOut;
  const state = decision.leftOut ? 'left-out' : stateOf(study);
  const facts = [
    study.studyDate,
    study.modalities.map(modalityName).join(', '),
    t('images', { count: study.filesCount }),
  ].filter(Boolean);
  const fresh = newAmong(files);
  return (
    <li className={classes.card} data-state={state} data-study={study.key} aria-label={name}>
      <div className={classes.head}>
        <div className={classes.what}>
          <h4 className={classes.title}>
            {open === null || decision.leftOut ? (
              name
            ) : (
              <button
                type="button"
                className={classes.fold}
                aria-expanded={isOpen}
                aria-controls={id}
                onClick={() => onOpen(!open)}
              >
                <IconChevronDown aria-hidden="true" />
                {name}
              </button>
            )}
          </h4>
          <p className={classes.quiet}>{facts.join(' · ')}</p>
          {study.inArchive && study.kind === 'dicom' && (
            <p className={classes.quiet}>
              {fresh === 0
                ? t('allInArchive')
                : t('addsTo', { count: fresh, study: study.studyDate ?? name, images: study.inArchive.images })}
            </p>
          )}
        </div>
        {!isOpen && !decision.leftOut && (
          <div className={classes.glimpses} aria-hidden="true">
            {files.slice(0, glimpses).map((file) => (
              <span key={file.id}>
                <FileThumbnail file={file} />
              </span>
            ))}
          </div>
        )}
        <Checkbox
          label={t('leaveOut')}
          aria-label={t('leaveOutStudy', { name })}
          checked={decision.leftOut}
          disabled={state === 'imported'}
          onChange={(event) => decide({ leftOut: event.currentTarget.checked })}
        />
      </div>
      {(!isOpen || state === 'imported') && (
        <div className={classes.status}>
          <StudyStatus study={study} state={state} />
        </div>
      )}
      {failure && <IconAlert>{t('notTaken', { reason: failureText(failure) })}</IconAlert>}
      {isOpen && state !== 'imported' && (
        <div id={id} className={classes.body}>
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
