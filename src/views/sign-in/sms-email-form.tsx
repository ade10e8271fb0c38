import { type FormEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { email as emailSchema } from '../../../contract/bounds.ts';
import { EntryButton } from '../parts/entry-button.tsx';
import { EntryField } from '../parts/entry-field.tsx';
import { IconAlert } from '../parts/icon-alert.tsx';
import { textOf } from './form-text.ts';
import classes from './sign-in.module.css';

interface SmsEmailFormProps {
  readonly busy: boolean;
  readonly failure: string | null;
  readonly onSubmit: (email: string) => void;
}

/** The address of the account whose telephone gets the code. */
export const SmsEmailForm = ({ busy, failure, onSubmit }: SmsEmailFormProps) => {
  const { t } = useTranslation(['interaction', 'sign-in']);
  const [wrong, setWrong] = useState<string | null>(null);
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (busy) return;
    const email = textOf(event.currentTarget, 'username').trim();
    if (emailSchema.safeParse(email).success) onSubmit(email);
    else {
      setWrong(email === '' ? t('sign-in:required') : t('sign-in:emailInvalid'));
      event.currentTarget.querySelector('input')?.focus();
    }
  };
  return (
    <form className={classes.form} noValidate onSubmit={submit}>
      <EntryField
        label={t('sign-in:email')}
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
        {t('smsSend')}
      </EntryButton>
    </form>
  );
};
