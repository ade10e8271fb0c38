import { Button, Modal } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useRecordFailureText } from '../language/failure-text.ts';
import { IconAlert } from '../parts/icon-alert.tsx';
import { failureOfQuery } from '../reading.tsx';
import classes from './form.module.css';

interface BinQuestionProps {
  readonly title: string;
  /** Of what goes. */
  readonly name: string;
  /** What goes with it. */
  readonly lines: readonly string[];
  readonly kept: string;
  /** Rejects with what the archive refused; whoever asks closes the question when it is done. */
  readonly onYes: () => Promise<unknown>;
  readonly onClose: () => void;
}

/** Asks before a record of a list goes into the recycle bin. */
export const BinQuestion = ({ title, name, lines, kept, onYes, onClose }: BinQuestionProps) => {
  const { t } = useTranslation(['edit', 'shell']);
  const failureText = useRecordFailureText();
  const [busy, setBusy] = useState(false);
  const [failure, setFailure] = useState<string | null>(null);
  const remove = async () => {
    setBusy(true);
    setFailure(null);
    try {
      await onYes();
    } catch (error) {
      setFailure(failureText(failureOfQuery(error)));
      setBusy(false);
    }
  };
  return (
    <Modal opened onClose={onClose} title={title} closeButtonProps={{ 'aria-label': t('shell:close') }}>
      <p>{t('deleteQuestion', { name })}</p>
      {lines.length > 0 && (
        <ul>
          {lines.map((line) => (
            <li key={line}>{line}</li>
          ))}
        </ul>
      )}
      <p>{kept}</p>
      <div aria-live="assertive">{failure && <IconAlert>{failure}</IconAlert>}</div>
      <div className={classes.answers} data-below-text>
        <Button variant="default" data-autofocus onClick={onClose}>
          {t('shell:cancel')}
        </Button>
        <Button color="red.9" loading={busy} onClick={() => void remove()}>
          {t('delete')}
        </Button>
      </div>
    </Modal>
  );
};
