import { SegmentedControl } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { Study } from '../../../contract/studies.ts';
import { IconAlert } from '../parts/icon-alert.tsx';
import classes from './new-viewset.module.css';

interface StudyChoiceProps {
  readonly study: Study | null;
  readonly inNew: boolean;
  /** Why no study can be made; null when one can. */
  readonly newBarred: string | null;
  readonly onChange: (inNew: boolean) => void;
}

/** Into the study that one looks at, or into a new one of today. */
export const StudyChoice = ({ study, inNew, newBarred, onChange }: StudyChoiceProps) => {
  const { t } = useTranslation('edit');
  const name = study ? [study.studyDate, study.description].filter(Boolean).join(' ') : null;
  const clipped = (text: string) => (
    <span className={classes.clipped} title={text}>
      {text}
    </span>
  );
  return (
    <div>
      <p className={classes.label}>{t('study')}</p>
      <SegmentedControl
        fullWidth
        aria-label={t('study')}
        value={inNew ? 'new' : 'this'}
        onChange={(value) => onChange(value === 'new')}
        data={[
          ...(study ? [{ value: 'this', label: clipped(name || t('untitledStudy')) }] : []),
          { value: 'new', label: clipped(t('newStudy')), disabled: newBarred !== null },
        ]}
      />
      {newBarred && inNew && <IconAlert>{newBarred}</IconAlert>}
      {newBarred && !inNew && <p className={classes.quiet}>{t('newStudyBarred', { reason: newBarred })}</p>}
    </div>
  );
};
