import { type FormEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link, useLocation } from 'wouter';
import { email as emailSchema } from '../../../contract/bounds.ts';
import { useGround } from '../ground.tsx';
import { useFailureText } from '../language/failure-text.ts';
import { defaultLanguage, type Language, languageOf } from '../language/languages.ts';
import { EntryButton } from '../parts/entry-button.tsx';
import { EntryField } from '../parts/entry-field.tsx';
import { IconAlert } from '../parts/icon-alert.tsx';
import { failureOfQuery } from '../reading.tsx';
import { textOf } from './form-text.ts';
import classes from './sign-in.module.css';
import { SignInFrame } from './sign-in-frame.tsx';

/** Asks for a letter with a link to a new password. Whether there is such an account is not told. */
export const ForgotPage = ({ onLanguage }: { onLanguage: (language: Language) => void }) => {
  const { t, i18n } = useTranslation(['reset-password', 'sign-in']);
  const { passwords } = useGround();
  const failureText = useFailureText();
  const [, navigate] = useLocation();
  const [busy, setBusy] = useState(false);
  const [wrong, setWrong] = useState<string | null>(null);
  const [failure, setFailure] = useState<string | null>(null);
  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (busy) return;
    const email = textOf(event.currentTarget, 'username').trim();
    if (!emailSchema.safeParse(email).success) {
      setWrong(email === '' ? t('sign-in:required') : t('sign-in:emailInvalid'));
      event.currentTarget.querySelector('input')?.focus();
      return;
    }
    setBusy(true);
    setFailure(null);
    try {
      await passwords.requestReset(email, languageOf(i18n.language) ?? defaultLanguage);
      navigate('/authorization/password/forgot/success');
    } catch (error) {
      setFailure(failureText(failureOfQuery(error)));
      setBusy(false);
    }
  };
  return (
    <SignInFrame title={t('forgotTitle')} lead={t('forgotLead')} step="forgot" onLanguage={onLanguage}>
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
          {t('send')}
        </EntryButton>
        <Link href="/authorization/password" className={classes.quietLink}>
          {t('backToSignIn')}
        </Link>
      </form>
    </SignInFrame>
  );
};
