import { Button, PasswordInput, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'wouter';
import { bounds, email as emailSchema, password as passwordSchema } from '../../../contract/bounds.ts';
import type { SessionActor } from '../../machines/session/session.machine.ts';
import { failureOfQuery, useAppQueries } from '../app/queries-context.tsx';
import { useFailureText } from '../language/failure-text.ts';
import { LanguageRow } from '../language/language-row.tsx';
import type { Language } from '../language/languages.ts';
import radiograph from '../theme/radiograph.webp';
import { AuthFrame } from '../ui/auth-frame.tsx';
import { IconAlert } from '../ui/icon-alert.tsx';
import classes from './setup.module.css';

interface FirstAdministrator {
  readonly key: string;
  readonly email: string;
  readonly firstName: string;
  readonly lastName: string;
  readonly password: string;
  readonly organisationName: string;
}

interface SetupFormProps {
  readonly oneTimeKey: string;
  readonly busy: boolean;
  readonly failure: string | null;
  readonly onSubmit: (values: FirstAdministrator) => void;
}

/** Creates the first administrator and clinic of an empty installation. */
const SetupForm = ({ oneTimeKey, busy, failure, onSubmit }: SetupFormProps) => {
  const { t } = useTranslation(['setup', 'sign-in']);
  const within = (name: 'firstName' | 'lastName' | 'organisationName') => (value: string) => {
    const [min, max] = bounds[name];
    const length = value.trim().length;
    return length >= min && length <= max ? null : t('length', { min, max });
  };
  const form = useForm({
    mode: 'uncontrolled',
    initialValues: {
      key: oneTimeKey,
      email: '',
      firstName: '',
      lastName: '',
      password: '',
      again: '',
      organisationName: '',
    },
    validate: {
      key: (value) => (value.trim().length >= 20 ? null : t('keyLength')),
      email: (value) => (emailSchema.safeParse(value.trim()).success ? null : t('sign-in:emailInvalid')),
      firstName: within('firstName'),
      lastName: within('lastName'),
      organisationName: within('organisationName'),
      password: (value) => (passwordSchema.safeParse(value).success ? null : t('passwordRule')),
      again: (value, { password }) => (value === password ? null : t('passwordsDiffer')),
    },
  });
  const visibility = { 'aria-label': t('sign-in:showPassword'), 'aria-hidden': false, tabIndex: 0 };
  return (
    <form
      className={classes.form}
      noValidate
      onSubmit={form.onSubmit(({ again: _, ...values }) =>
        onSubmit({
          ...values,
          key: values.key.trim(),
          email: values.email.trim(),
          firstName: values.firstName.trim(),
          lastName: values.lastName.trim(),
          organisationName: values.organisationName.trim(),
        }),
      )}
    >
      <TextInput
        label={t('key')}
        description={t('keyHelp')}
        autoFocus
        {...form.getInputProps('key')}
        key={form.key('key')}
      />
      <TextInput
        label={t('organisationName')}
        {...form.getInputProps('organisationName')}
        key={form.key('organisationName')}
      />
      <div className={classes.pair}>
        <TextInput
          label={t('firstName')}
          autoComplete="given-name"
          {...form.getInputProps('firstName')}
          key={form.key('firstName')}
        />
        <TextInput
          label={t('lastName')}
          autoComplete="family-name"
          {...form.getInputProps('lastName')}
          key={form.key('lastName')}
        />
      </div>
      <TextInput
        label={t('sign-in:email')}
        type="email"
        autoComplete="username"
        {...form.getInputProps('email')}
        key={form.key('email')}
      />
      <PasswordInput
        label={t('sign-in:password')}
        description={t('passwordRule')}
        autoComplete="new-password"
        visibilityToggleButtonProps={visibility}
        {...form.getInputProps('password')}
        key={form.key('password')}
      />
      <PasswordInput
        label={t('repeatPassword')}
        autoComplete="new-password"
        visibilityToggleButtonProps={visibility}
        {...form.getInputProps('again')}
        key={form.key('again')}
      />
      <div aria-live="assertive">{failure && <IconAlert>{failure}</IconAlert>}</div>
      <Button type="submit" size="md" fullWidth loading={busy}>
        {t('submit')}
      </Button>
    </form>
  );
};

interface SetupPageProps {
  readonly actor: SessionActor;
  /** The one-time key from the link, if any. */
  readonly oneTimeKey: string;
  readonly onLanguage: (language: Language) => void;
}

/** Sets up an empty installation and signs the administrator in. */
export const SetupPage = ({ actor, oneTimeKey, onLanguage }: SetupPageProps) => {
  const { t } = useTranslation(['setup', 'sign-in']);
  const failureText = useFailureText();
  const queries = useAppQueries();
  const welcome = useQuery(queries.welcome());
  const [busy, setBusy] = useState(false);
  const [failure, setFailure] = useState<string | null>(null);
  const isTaken = welcome.data?.awaitsFirstAdministrator === false && !busy;
  return (
    <AuthFrame
      tagline={t('sign-in:tagline')}
      title={t('title')}
      introduction={isTaken ? t('taken') : t('introduction')}
      picture={radiograph}
      foot={<LanguageRow label={t('sign-in:language')} onChoose={onLanguage} />}
    >
      {isTaken ? (
        <Button component={Link} href="/authorization" size="md">
          {t('sign-in:submit')}
        </Button>
      ) : (
        <SetupForm
          oneTimeKey={oneTimeKey}
          busy={busy}
          failure={failure}
          onSubmit={async (values) => {
            setBusy(true);
            setFailure(null);
            try {
              await queries.createFirstAdministrator(values);
              actor.send({ type: 'sign-in.submitted', email: values.email, password: values.password, code: null });
            } catch (error) {
              setFailure(failureText(failureOfQuery(error)));
              setBusy(false);
            }
          }}
        />
      )}
    </AuthFrame>
  );
};
