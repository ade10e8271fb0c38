import { useTranslation } from 'react-i18next';
import type { MergePreview } from '../../../contract/merge.ts';
import { IconAlert } from '../parts/icon-alert.tsx';
import classes from './merge.module.css';

const counted = ['studies', 'deletedStudies', 'images', 'viewsets', 'imports'] as const;

/** What a merge would move, by number and by name, and what makes it doubtful. */
export const WhatMoves = ({ preview }: { readonly preview: MergePreview }) => {
  const { t } = useTranslation('merge');
  const { counts, studies, warnings } = preview;
  return (
    <>
      {warnings.length > 0 && (
        <IconAlert>
          {t('doubt')} {warnings.map((warning) => t(warning)).join('. ')}.
        </IconAlert>
      )}
      <h3 className={classes.role}>{t('moves')}</h3>
      <p className={classes.counts}>
        {counted
          .filter((what) => counts[what] > 0)
          .map((what) => (
            <span key={what}>{t(what, { count: counts[what] })}</span>
          ))}
      </p>
      {studies.length > 0 && (
        <>
          {studies.length < counts.studies && <p className={classes.fact}>{t('newest', { count: studies.length })}</p>}
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by the keyboard */}
          <ul className={classes.studies} tabIndex={0} aria-label={t('moves')}>
            {studies.map(({ id, description, studyDate, images }) => (
              <li key={id}>
                <span className={classes.day}>{studyDate ?? t('noDate')}</span>
                <span>{description.trim() || t('untitledStudy')}</span>
                <span className={classes.fact}>{t('images', { count: images })}</span>
              </li>
            ))}
          </ul>
        </>
      )}
    </>
  );
};
