import { type FormEvent, useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'wouter';
import { email as emailSchema } from '../../../contract/bounds.ts';
import { EntryButton } from '../parts/entry-button.tsx';
import { EntryField, EntryPassword } from '../parts/entry-field.tsx';
import { IconAlert } from '../parts/icon-alert.tsx';
import { textOf } from './form-text.ts';
import classes from './sign-in.module.css';

export interface Credentials {
  readonly email: string;
  readonly password: string;
}

interface PasswordFormProps {
  /** What the form holds at first. */
  readonly filled: Credentials;
  readonly busy: boolean;
  /** Why the last attempt failed, in words. */
  readonly failure: string | null;
  /** Where a forgotten password is replaced; null where that would lose the way. */
  readonly forgot: string | null;
  readonly onSubmit: (credentials: Credentials) => void;
}

/** E-mail and password. What stands in the fields is read when it is sent: programs that fill in passwords do not always tell. */
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
      <EntryField
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
      <EntryPassword
        label={t('password')}
        showLabel={t('showPassword')}
        name="password"
        autoComplete="current-password"
        defaultValue={filled.password}
        error={wrong.password ?? null}
        onInput={() => setWrong((one) => ({ ...one, password: undefined }))}
      />
      <div aria-live="assertive">{failure && <IconAlert>{failure}</IconAlert>}</div>
      <EntryButton type="submit" busy={busy}>
        {t('submit')}
      </EntryButton>
      {forgot && (
        <Link href={forgot} className={classes.quietLink}>
          {t('forgot')}
        </Link>
      )}
    </form>
  );
};
