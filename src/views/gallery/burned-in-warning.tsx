import { Checkbox } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { IconAlert } from '../ui/icon-alert.tsx';
import classes from './recipient-dialog.module.css';

interface BurnedInWarningProps {
  /** Images that may have text in them; null while they are counted. */
  readonly count: number | null;
  /** Why they could not be counted; null when they were. */
  readonly failure: string | null;
  readonly isConfirmed: boolean;
  readonly isDisabled: boolean;
  readonly onConfirm: (isConfirmed: boolean) => void;
}

/** Warns of text in the pixels of an anonymised copy, which the user confirms. */
export const BurnedInWarning = ({ count, failure, isConfirmed, isDisabled, onConfirm }: BurnedInWarningProps) => {
  const { t } = useTranslation('gallery');
  if (failure !== null) return <IconAlert>{failure}</IconAlert>;
  if (count === null) return <p className={classes.text}>{t('checkingImages')}</p>;
  if (count === 0) return null;
  return (
    <div className={classes.warning} role="status">
      <IconAlert tone="caution">{t('burnedIn', { count })}</IconAlert>
      <Checkbox
        label={t('burnedInConfirm')}
        disabled={isDisabled}
        checked={isConfirmed}
        onChange={(event) => onConfirm(event.currentTarget.checked)}
      />
    </div>
  );
};
