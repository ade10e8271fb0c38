import { Loader } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import type { ChangeSubject, RecordChange } from '../../../contract/changes.ts';
import { failureOfQuery, useAppQueries } from '../app/queries-context.tsx';
import { useRecordFailureText } from '../language/failure-text.ts';
import { useMomentText } from '../language/file-error-text.ts';
import { useToothText } from '../language/tooth-notation.ts';
import { IconAlert } from '../ui/icon-alert.tsx';
import { LazyDetails } from '../ui/lazy-details.tsx';
import classes from './changes.module.css';

/** Returns the text of a value before or after a change. */
const useValueText = () => {
  const { t } = useTranslation('changes');
  const toothText = useToothText();
  return (change: RecordChange, side: 'before' | 'after'): string => {
    if (change.field === 'patient') {
      const { name, personalNumber, protectedIdentity } = change[side];
      if (name === '') return t(protectedIdentity ? 'protectedPatient' : 'destroyedPatient');
      return `${name}, ${personalNumber}`;
    }
    if (change.field === 'teeth') return toothText(change[side]) || t('empty');
    if (change.field === 'protectedIdentity') return t(change[side] ? 'yes' : 'no');
    if (change.field === 'sex') return change[side] ? t(`sex-${change[side]}`) : t('empty');
    return change[side] || t('empty');
  };
};

const ChangeLine = ({ change, subject }: { readonly change: RecordChange; readonly subject: ChangeSubject }) => {
  const { t } = useTranslation('changes');
  const valueText = useValueText();
  const momentText = useMomentText();
  const field = t(`field-${change.field}`);
  return (
    <li className={classes.change}>
      <span className={classes.field}>{change.subject === subject ? field : t('ofStudy', { field })}</span>
      <span className={classes.values}>
        {(['before', 'after'] as const).map((side) => (
          <span key={side} data-side={side}>
            <span className={classes.dimmed}>{t(side)} </span>
            {valueText(change, side)}
          </span>
        ))}
      </span>
      <span className={classes.dimmed}>
        {change.author.name} <time dateTime={change.changedAt}>{momentText(change.changedAt)}</time>
      </span>
    </li>
  );
};

const ChangeList = ({ subject, id }: ChangesProps) => {
  const { t } = useTranslation('changes');
  const failureText = useRecordFailureText();
  const { data, error } = useQuery(useAppQueries().changes(subject, id));
  if (error && !data) return <IconAlert>{t('failed', { reason: failureText(failureOfQuery(error)) })}</IconAlert>;
  if (!data) return <Loader size="xs" />;
  if (data.changes.length === 0) return <p className={classes.dimmed}>{t('none')}</p>;
  return (
    <ol className={classes.list}>
      {data.changes.map((change, index) => (
        <ChangeLine key={data.changes.length - index} change={change} subject={subject} />
      ))}
    </ol>
  );
};

interface ChangesProps {
  readonly subject: ChangeSubject;
  readonly id: string;
}

/** What was changed in a study, or in an image and its study: old and new value, who and when. Use the id as `key`. */
export const Changes = (props: ChangesProps) => (
  <LazyDetails title={useTranslation('changes').t('title')}>
    <ChangeList {...props} />
  </LazyDetails>
);
