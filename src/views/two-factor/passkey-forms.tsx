import { Button, TextInput } from '@mantine/core';
import { type FormEvent, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { IconAlert } from '../ui/icon-alert.tsx';
import classes from './two-factor.module.css';

interface FormProps {
  readonly busy: boolean;
  /** Text of the last error. */
  readonly error: string | null;
  readonly onCancel: () => void;
}

interface NameFormProps extends FormProps {
  readonly initial: string;
  readonly submit: string;
  readonly onSubmit: (name: string) => void;
}

/** Asks for the name of a passkey. */
export const NameForm = ({ initial, submit, busy, error, onSubmit, onCancel }: NameFormProps) => {
  const { t } = useTranslation(['two-factor', 'shell']);
  const [name, setName] = useState(initial);
  const [lacks, setLacks] = useState(false);
  const field = useRef<HTMLInputElement>(null);
  const send = (event: FormEvent) => {
    event.preventDefault();
    setLacks(name.trim() === '');
    if (name.trim() === '') field.current?.focus();
    else onSubmit(name.trim());
  };
  return (
    <form className={classes.step} noValidate onSubmit={send}>
      <TextInput
        ref={field}
        label={t('passkeyName')}
        description={t('passkeyNameHelp')}
        data-autofocus
        maxLength={60}
        value={name}
        error={lacks ? t('passkeyNameNeeded') : null}
        onChange={(event) => setName(event.currentTarget.value)}
      />
      <div aria-live="assertive">{error && <IconAlert>{error}</IconAlert>}</div>
      <div className={classes.buttons}>
        <Button variant="default" onClick={onCancel}>
          {t('shell:cancel')}
        </Button>
        <Button type="submit" loading={busy}>
          {submit}
        </Button>
      </div>
    </form>
  );
};

interface RemoveQuestionProps extends FormProps {
  /** It is the only second factor of the account. */
  readonly isLast: boolean;
  readonly onConfirm: () => void;
}

/** Asks before a passkey is removed. */
export const RemoveQuestion = ({ isLast, busy, error, onConfirm, onCancel }: RemoveQuestionProps) => {
  const { t } = useTranslation(['two-factor', 'shell']);
  return (
    <div className={classes.step}>
      <p>{t('removeText')}</p>
      {isLast && <IconAlert tone="caution">{t('removeLast')}</IconAlert>}
      <div aria-live="assertive">{error && <IconAlert>{error}</IconAlert>}</div>
      <div className={classes.buttons}>
        <Button variant="default" data-autofocus onClick={onCancel}>
          {t('shell:cancel')}
        </Button>
        <Button color="red.9" loading={busy} onClick={onConfirm}>
          {t('remove')}
        </Button>
      </div>
    </div>
  );
};
