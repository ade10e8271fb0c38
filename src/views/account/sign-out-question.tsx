import { Button, Modal } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import classes from './account.module.css';

interface SignOutQuestionProps {
  readonly opened: boolean;
  readonly onNo: () => void;
  readonly onYes: () => void;
}

/** Asks before every sign-out, since it stops running uploads. */
export const SignOutQuestion = ({ opened, onNo, onYes }: SignOutQuestionProps) => {
  const { t } = useTranslation('account');
  return (
    <Modal
      opened={opened}
      onClose={onNo}
      title={t('signOutQuestion')}
      closeButtonProps={{ 'aria-label': t('close') }}
      zIndex={400}
    >
      <p>{t('signOutText')}</p>
      <div className={classes.buttons}>
        <Button variant="default" onClick={onNo}>
          {t('cancel')}
        </Button>
        <Button data-autofocus onClick={onYes}>
          {t('signOut')}
        </Button>
      </div>
    </Modal>
  );
};
