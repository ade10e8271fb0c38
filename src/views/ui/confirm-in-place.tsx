import { Button } from '@mantine/core';
import { useState } from 'react';
import classes from './confirm-in-place.module.css';
import { IconAlert } from './icon-alert.tsx';

interface ConfirmInPlaceProps {
  readonly texts: Readonly<Record<'action' | 'actionOf' | 'question' | 'confirm' | 'keep', string>>;
  readonly onConfirm: () => Promise<unknown>;
  /** Returns the text of what `onConfirm` throws. */
  readonly problemOf: (error: unknown) => string;
}

/** A button for something that cannot be undone, which asks in its own place before it acts. */
export const ConfirmInPlace = ({ texts, onConfirm, problemOf }: ConfirmInPlaceProps) => {
  const [step, setStep] = useState<'idle' | 'asking' | 'acting'>('idle');
  const [problem, setProblem] = useState<string | null>(null);
  const act = async () => {
    setStep('acting');
    try {
      await onConfirm();
    } catch (error) {
      setProblem(problemOf(error));
      setStep('idle');
    }
  };
  if (step === 'idle')
    return (
      <div className={classes.actions}>
        {problem && <IconAlert>{problem}</IconAlert>}
        <Button
          size="xs"
          variant="default"
          aria-label={texts.actionOf}
          onClick={() => {
            setProblem(null);
            setStep('asking');
          }}
        >
          {texts.action}
        </Button>
      </div>
    );
  return (
    <div className={classes.actions} role="alert">
      <p className={classes.question}>{texts.question}</p>
      <Button size="xs" color="red.9" autoFocus loading={step === 'acting'} onClick={() => void act()}>
        {texts.confirm}
      </Button>
      <Button size="xs" variant="default" disabled={step === 'acting'} onClick={() => setStep('idle')}>
        {texts.keep}
      </Button>
    </div>
  );
};
