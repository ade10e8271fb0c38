import { type FormEvent, type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { email as emailSchema } from '../../../contract/bounds.ts';
import { EntryButton } from '../parts/entry-button.tsx';
import { EntryField } from '../parts/entry-field.tsx';
import { IconAlert } from '../parts/icon-alert.tsx';
import { textOf } from './form-text.ts';
import classes from './sign-in.module.css';

interface EmailFormProps {
  readonly busy: boolean;
  readonly failure: string | null;
  /** What the button says. */
  readonly label: string;
  readonly onSubmit: (email: string) => void;
  /** Below the button. */
  readonly children?: ReactNode;
}

/** The address of an account, and nothing else. */
export const EmailForm = ({ busy, failure, label, onSubmit, children }: EmailFormProps) => {
  const { t } = useTranslation('sign-in');
  const [wrong, setWrong] = useState<string | null>(null);
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (busy) return;
    const email = textOf(event.currentTarget, 'username').trim();
    if (emailSchema.safeParse(email).success) onSubmit(email);
    else {
      setWrong(email === '' ? t('required') : t('emailInvalid'));
      event.currentTarget.querySelector('input')?.focus();
    }
  };
  return (
    <form className={classes.form} noValidate onSubmit={submit}>
      <EntryField
        label={t('email')}
        name="username"
        type="email"
        autoComplete="username"
        autoCapitalize="none"
        spellCheck={false}
        autoFocus
        error={wrong}
        onInput={() => setWrong(null)}
      />
      <div aria-live="assertive">{failure && <IconAlert>{failure}</IconAlert>}</div>
      <EntryButton type="submit" busy={busy}>
        {label}
      </EntryButton>
      {children}
    </form>
  );
};
