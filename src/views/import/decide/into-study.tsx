import { Button, NativeSelect } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import type { Study } from '../../../../contract/studies.ts';
import { useFailureText } from '../../language/failure-text.ts';
import { IconAlert } from '../../parts/icon-alert.tsx';
import { failureOfQuery, useReading } from '../../reading.tsx';
import classes from './decide.module.css';

interface IntoStudyProps {
  readonly patientId: string;
  /** Study Instance UID; null: a new one. */
  readonly studyUid: string | null;
  /** What a new study would be called. */
  readonly description: string;
  readonly onChoose: (studyUid: string | null) => void;
}

/** Studies that are offered, newest first. */
const most = 200;
const anew = 'new';

/** Pictures say nothing of a study: a person says into which of the patient's they go. */
export const IntoStudy = ({ patientId, studyUid, description, onChoose }: IntoStudyProps) => {
  const { t } = useTranslation(['import-decide', 'shell']);
  const failureText = useFailureText();
  const studies = useQuery(useReading().studies(patientId, { page: 1, ppage: most }));
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
        value={studyUid ?? anew}
        onChange={({ currentTarget }) => onChoose(currentTarget.value === anew ? null : currentTarget.value)}
        data={[
          { value: anew, label: description ? t('newStudyNamed', { name: description }) : t('newStudy') },
          ...(isUnlisted ? [{ value: studyUid, label: t('untitled') }] : []),
          ...listed.map((study) => ({ value: study.uid, label: nameOf(study) })),
        ]}
      />
      {studies.isError && (
        <>
          <IconAlert>{failureText(failureOfQuery(studies.error))}</IconAlert>
          <Button variant="default" onClick={() => void studies.refetch()}>
            {t('shell:retry')}
          </Button>
        </>
      )}
    </div>
  );
};
