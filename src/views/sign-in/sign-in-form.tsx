import { Button, PasswordInput, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useTranslation } from 'react-i18next';
import { email as emailSchema } from '../../../contract/bounds.ts';
import { IconAlert } from '../parts/icon-alert.tsx';
import classes from './sign-in.module.css';

export interface Credentials {
  readonly email: string;
  readonly password: string;
}

interface SignInFormProps {
  /** What the form holds at first; a new value (a demo sign-in) fills it anew. */
  readonly filled: Credentials;
  readonly busy: boolean;
  /** Why the last attempt failed, in words. */
  readonly failure: string | null;
  readonly onSubmit: (credentials: Credentials) => void;
}

/** E-mail and password. */
export const SignInForm = ({ filled, busy, failure, onSubmit }: SignInFormProps) => {
  const { t } = useTranslation('sign-in');
  const form = useForm<Credentials>({
    mode: 'uncontrolled',
    initialValues: filled,
    validate: {
      email: (value) =>
        value.trim() === '' ? t('required') : emailSchema.safeParse(value.trim()).success ? null : t('emailInvalid'),
      password: (value) => (value === '' ? t('required') : null),
    },
  });
  return (
    <form
      className={classes.form}
      noValidate
      onSubmit={form.onSubmit(({ email, password }) => onSubmit({ email: email.trim(), password }))}
    >
      <TextInput
        label={t('email')}
        type="email"
        autoComplete="username"
        autoFocus
        spellCheck={false}
        size="md"
        key={form.key('email')}
        {...form.getInputProps('email')}
      />
      <PasswordInput
        label={t('password')}
        autoComplete="current-password"
        size="md"
        visibilityToggleButtonProps={{ 'aria-label': t('showPassword'), tabIndex: 0, 'aria-hidden': false }}
        key={form.key('password')}
        {...form.getInputProps('password')}
      />
      <div aria-live="assertive">{failure && <IconAlert>{failure}</IconAlert>}</div>
      <Button type="submit" size="md" fullWidth loading={busy} loaderProps={{ type: 'oval' }}>
        {t('submit')}
      </Button>
    </form>
  );
};
