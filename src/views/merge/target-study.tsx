import { NativeSelect } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import type { Movable, MovePreview } from '../../../contract/moves.ts';
import type { Study } from '../../../contract/studies.ts';
import { failureOfQuery, useAppQueries } from '../app/queries-context.tsx';
import { useFailureText } from '../language/failure-text.ts';
import { IconAlert } from '../ui/icon-alert.tsx';
import { formatPersonName } from '../ui/person-name.ts';
import classes from './merge.module.css';

const counted = ['images', 'viewsets', 'imports'] as const;

/** Shows the effects of a move and its warnings: patients, names in the files, mounts that lose an image. */
export const MoveFacts = ({ what, preview }: { readonly what: Movable; readonly preview: MovePreview }) => {
  const { t } = useTranslation('merge');
  const { counts, warnings, named, isDeleted, leavesEmptyStudy } = preview;
  const names = named.map((one) => formatPersonName(one.name) ?? one.patientId ?? one.birthDate ?? '').join(', ');
  const isOthers = named.some(({ match }) => match === 'differs');
  return (
    <>
      {warnings.length > 0 && (
        <IconAlert>
          {t('moveDoubt')} {warnings.map((warning) => t(warning)).join('. ')}.
        </IconAlert>
      )}
      {named.length > 0 && isOthers && <IconAlert tone="caution">{t('headersDiffer', { names })}</IconAlert>}
      {named.length > 0 && !isOthers && <p>{t('headersName', { names })}</p>}
      <h3 className={classes.role}>{t('moves')}</h3>
      <p className={classes.counts}>
        {counted
          .filter((one) => counts[one] > 0)
          .map((one) => (
            <span key={one}>{t(one, { count: counts[one] })}</span>
          ))}
      </p>
      {counts.slots > 0 && <IconAlert tone="caution">{t('slots', { count: counts.slots })}</IconAlert>}
      {isDeleted && <p>{t('restoredWithPatient')}</p>}
      {leavesEmptyStudy && <p>{t('leavesEmptyStudy')}</p>}
      {what !== 'study' && <p className={classes.fact}>{t('displayMoves')}</p>}
    </>
  );
};

interface TargetStudyProps {
  readonly patientId: string;
  /** Null: a new study. */
  readonly studyId: string | null;
  readonly onChoose: (studyId: string | null) => void;
}

/** Page size of the study list, newest first. */
const maxStudies = 200;

/** Chooses the study that receives a series or image: a new study by default. */
export const TargetStudy = ({ patientId, studyId, onChoose }: TargetStudyProps) => {
  const { t } = useTranslation('merge');
  const failureText = useFailureText();
  const studies = useQuery(useAppQueries().studies(patientId, { page: 1, ppage: maxStudies }));
  const nameOf = (study: Study) =>
    [
      study.studyDate ?? t('noDate'),
      study.description.trim() || t('untitledStudy'),
      t('images', { count: study.series.reduce((sum, { images }) => sum + images.length, 0) }),
    ].join(' · ');
  return (
    <>
      <NativeSelect
        className={classes.studyTo}
        label={t('studyTo')}
        value={studyId ?? ''}
        onChange={({ currentTarget }) => onChoose(currentTarget.value || null)}
        data={[
          { value: '', label: t('newStudyLike') },
          ...(studies.data?.data ?? []).map((study) => ({ value: study.id, label: nameOf(study) })),
        ]}
      />
      {studies.isError && <IconAlert>{failureText(failureOfQuery(studies.error))}</IconAlert>}
    </>
  );
};
