import { Button, Modal } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useFailureText } from '../language/failure-text.ts';
import { IconAlert } from '../parts/icon-alert.tsx';
import { failureOfQuery } from '../reading.tsx';
import classes from './people.module.css';

interface PersonQuestionProps {
  readonly title: string;
  readonly text: string;
  readonly yes: string;
  /** It takes something away. */
  readonly harms: boolean;
  /** What happens on yes; rejects with what the archive refused. */
  readonly onYes: () => Promise<unknown>;
  readonly onClose: () => void;
}

/** Asks before something is done to a person, and says why it could not be. */
export const PersonQuestion = ({ title, text, yes, harms, onYes, onClose }: PersonQuestionProps) => {
  const { t } = useTranslation('shell');
  const failureText = useFailureText();
  const [busy, setBusy] = useState(false);
  const [failure, setFailure] = useState<string | null>(null);
  const act = async () => {
    setBusy(true);
    setFailure(null);
    try {
      await onYes();
    } catch (error) {
      setBusy(false);
      setFailure(failureText(failureOfQuery(error)));
    }
  };
  return (
    <Modal opened onClose={onClose} title={title} size={440} closeButtonProps={{ 'aria-label': t('close') }}>
      <div className={classes.question}>
        <p>{text}</p>
        <div aria-live="assertive">{failure && <IconAlert>{failure}</IconAlert>}</div>
      </div>
      <div className={classes.answers}>
        <Button variant="default" data-autofocus={harms || undefined} onClick={onClose}>
          {t('cancel')}
        </Button>
        <Button
          color={harms ? 'red.9' : undefined}
          data-autofocus={!harms || undefined}
          loading={busy}
          onClick={() => void act()}
        >
          {yes}
        </Button>
      </div>
    </Modal>
  );
};
