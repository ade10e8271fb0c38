import { type FormEvent, type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { email as emailSchema } from '../../../contract/bounds.ts';
import { AuthButton, AuthField } from '../ui/auth-controls.tsx';
import { IconAlert } from '../ui/icon-alert.tsx';
import { textOf } from './password-form.tsx';
import classes from './sign-in.module.css';

interface EmailFormProps {
  readonly busy: boolean;
  readonly failure: string | null;
  /** Label of the submit button. */
  readonly label: string;
  readonly onSubmit: (email: string) => void;
  /** Content below the button. */
  readonly children?: ReactNode;
}

/** Form with one e-mail field. */
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
      <AuthField
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
      <AuthButton type="submit" busy={busy}>
        {label}
      </AuthButton>
      {children}
    </form>
  );
};
