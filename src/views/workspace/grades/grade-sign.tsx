import { useTranslation } from 'react-i18next';
import type { GradeSummary } from '../../../../contract/grade-summary.ts';
import classes from './grade.module.css';

/** Says that an image is not acceptable, and why. */
export const GradeSign = ({ grade }: { readonly grade: GradeSummary | null }) => {
  const { t } = useTranslation('grade');
  return grade?.reason ? (
    <span className={classes.sign}>{t('shown', { reason: t(`reason-${grade.reason}`) })}</span>
  ) : null;
};
