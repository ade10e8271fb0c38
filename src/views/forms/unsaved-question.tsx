import { Button, Modal } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import classes from './form.module.css';

interface UnsavedQuestionProps {
  readonly onDiscard: () => void;
  readonly onKeep: () => void;
}

/** Asked before what somebody changed is lost. Draw it only while it is asked: one that waits hears the very key that opened it, and closes again. */
export const UnsavedQuestion = ({ onDiscard, onKeep }: UnsavedQuestionProps) => {
  const { t } = useTranslation(['edit', 'shell']);
  return (
    <Modal
      opened
      onClose={onKeep}
      title={t('unsavedTitle')}
      size={400}
      zIndex={400}
      closeButtonProps={{ 'aria-label': t('shell:close') }}
    >
      <p>{t('unsavedText')}</p>
      <div className={classes.answers} data-below-text>
        <Button variant="default" onClick={onDiscard}>
          {t('discard')}
        </Button>
        <Button data-autofocus onClick={onKeep}>
          {t('keepEditing')}
        </Button>
      </div>
    </Modal>
  );
};
