import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link, useLocation } from 'wouter';
import { useAppContext } from '../app/app-context.tsx';
import { failureOfQuery } from '../app/queries-context.tsx';
import { useFailureText } from '../language/failure-text.ts';
import { defaultLanguage, type Language, languageOf } from '../language/languages.ts';
import { EmailForm } from './email-form.tsx';
import classes from './sign-in.module.css';
import { SignInFrame } from './sign-in-frame.tsx';

/** Requests a password reset e-mail. The reply does not reveal whether the account exists. */
export const ForgotPage = ({ onLanguage }: { onLanguage: (language: Language) => void }) => {
  const { t, i18n } = useTranslation('reset-password');
  const { passwords } = useAppContext();
  const failureText = useFailureText();
  const [, navigate] = useLocation();
  const [busy, setBusy] = useState(false);
  const [failure, setFailure] = useState<string | null>(null);
  const submit = async (email: string) => {
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
    <SignInFrame title={t('forgotTitle')} introduction={t('forgotLead')} step="forgot" onLanguage={onLanguage}>
      <EmailForm busy={busy} failure={failure} label={t('send')} onSubmit={submit}>
        <Link href="/authorization/password" className={classes.quietLink}>
          {t('backToSignIn')}
        </Link>
      </EmailForm>
    </SignInFrame>
  );
};
