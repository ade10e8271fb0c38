import { type FormEvent, useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'wouter';
import { email as emailSchema } from '../../../contract/bounds.ts';
import { AuthButton, AuthField, AuthPasswordField, authLinkClass } from '../ui/auth-controls.tsx';
import { IconAlert } from '../ui/icon-alert.tsx';
import classes from './sign-in.module.css';

/** Returns the text of a form field; '' when there is no such field. */
export const textOf = (form: HTMLFormElement, name: string): string => {
  const value = new FormData(form).get(name);
  return typeof value === 'string' ? value : '';
};

export interface Credentials {
  readonly email: string;
  readonly password: string;
}

export const emptyCredentials: Credentials = { email: '', password: '' };

interface PasswordFormProps {
  /** Initial values. */
  readonly filled: Credentials;
  readonly busy: boolean;
  /** Error of the last attempt. */
  readonly failure: string | null;
  /** Link to the password reset; null where it would abort the interaction. */
  readonly forgot: string | null;
  readonly onSubmit: (credentials: Credentials) => void;
}

/** E-mail and password form. Fields are read on submit, because password managers do not always fire change events. */
export const PasswordForm = ({ filled, busy, failure, forgot, onSubmit }: PasswordFormProps) => {
  const { t } = useTranslation('sign-in');
  const [wrong, setWrong] = useState<{ email?: string | undefined; password?: string | undefined }>({});
  const form = useRef<HTMLFormElement>(null);
  const field = (name: string) => form.current?.querySelector<HTMLInputElement>(`input[name="${name}"]`);
  useEffect(() => {
    if (!failure) return;
    field('password')?.focus();
    field('password')?.select();
  }, [failure]);
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (busy) return;
    const email = textOf(event.currentTarget, 'username').trim();
    const password = textOf(event.currentTarget, 'password');
    const isAddress = emailSchema.safeParse(email).success;
    const found = {
      email: email === '' ? t('required') : isAddress ? undefined : t('emailInvalid'),
      password: password === '' ? t('required') : undefined,
    };
    setWrong(found);
    if (found.email) field('username')?.focus();
    else if (found.password) field('password')?.focus();
    else onSubmit({ email, password });
  };
  return (
    <form className={classes.form} ref={form} noValidate onSubmit={submit}>
      <AuthField
        label={t('email')}
        name="username"
        type="email"
        autoComplete="username"
        autoCapitalize="none"
        autoFocus
        spellCheck={false}
        defaultValue={filled.email}
        error={wrong.email ?? null}
        onInput={() => setWrong((one) => ({ ...one, email: undefined }))}
      />
      <AuthPasswordField
        label={t('password')}
        showLabel={t('showPassword')}
        name="password"
        autoComplete="current-password"
        defaultValue={filled.password}
        error={wrong.password ?? null}
        onInput={() => setWrong((one) => ({ ...one, password: undefined }))}
      />
      <div aria-live="assertive">{failure && <IconAlert>{failure}</IconAlert>}</div>
      <AuthButton type="submit" busy={busy}>
        {t('submit')}
      </AuthButton>
      {forgot && (
        <Link href={forgot} className={authLinkClass}>
          {t('forgot')}
        </Link>
      )}
    </form>
  );
};
