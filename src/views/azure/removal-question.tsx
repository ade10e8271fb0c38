import { Button } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import classes from './azure.module.css';

interface RemovalQuestionProps {
  readonly busy: boolean;
  readonly onNo: () => void;
  readonly onYes: () => void;
}

/** Asked before a way to sign in is taken from everybody who uses it. */
export const RemovalQuestion = ({ busy, onNo, onYes }: RemovalQuestionProps) => {
  const { t } = useTranslation('azure');
  return (
    <div className={classes.removal} role="alertdialog" aria-label={t('removeQuestion')}>
      <strong>{t('removeQuestion')}</strong>
      <p>{t('removeText')}</p>
      <div className={classes.buttons}>
        <Button variant="default" autoFocus disabled={busy} onClick={onNo}>
          {t('keep')}
        </Button>
        <Button color="red.9" loading={busy} onClick={onYes}>
          {t('removeNow')}
        </Button>
      </div>
    </div>
  );
};
