import { Button, Modal } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { failureOfQuery } from '../app/queries-context.tsx';
import { useFailureText } from '../language/failure-text.ts';
import { IconAlert } from '../ui/icon-alert.tsx';
import classes from './users.module.css';

interface UserQuestionProps {
  readonly title: string;
  readonly text: string;
  readonly yes: string;
  /** The action is destructive. */
  readonly harms: boolean;
  /** Shown while the action runs. */
  readonly waiting?: string;
  /** Runs the action; rejects with the server's error. */
  readonly onYes: () => Promise<unknown>;
  /** Details of an error. */
  readonly detailOf?: (error: unknown) => string;
  readonly onClose: () => void;
}

/** Confirms an action on a user and shows its error. */
export const UserQuestion = ({ title, text, yes, harms, waiting, onYes, detailOf, onClose }: UserQuestionProps) => {
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
      setFailure([failureText(failureOfQuery(error)), detailOf?.(error)].filter(Boolean).join('. '));
    }
  };
  return (
    <Modal opened onClose={onClose} title={title} size={440} closeButtonProps={{ 'aria-label': t('close') }}>
      <div className={classes.question}>
        <p>{text}</p>
        <div aria-live="assertive">{failure ? <IconAlert>{failure}</IconAlert> : busy && waiting}</div>
      </div>
      <div className={classes.buttons}>
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
