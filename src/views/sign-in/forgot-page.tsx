import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link, useLocation } from 'wouter';
import { useAppContext } from '../app/app-context.tsx';
import { failureOfQuery, useAppQueries } from '../app/queries-context.tsx';
import { useFailureText } from '../language/failure-text.ts';
import { defaultLanguage, type Language, languageOf } from '../language/languages.ts';
import { authLinkClass } from '../ui/auth-controls.tsx';
import { EmailForm } from './email-form.tsx';
import { SignInFrame } from './sign-in-frame.tsx';

/** Requests a password reset e-mail, or says that there is none. The reply does not reveal whether the account exists. */
export const ForgotPage = ({ onLanguage }: { onLanguage: (language: Language) => void }) => {
  const { t, i18n } = useTranslation('reset-password');
  const { passwords } = useAppContext();
  const failureText = useFailureText();
  const [, navigate] = useLocation();
  const [busy, setBusy] = useState(false);
  const [failure, setFailure] = useState<string | null>(null);
  const welcome = useQuery(useAppQueries().welcome());
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
  const title = t('forgotTitle');
  const back = (
    <Link href="/authorization/password" className={authLinkClass}>
      {t('backToSignIn')}
    </Link>
  );
  if (welcome.isPending)
    return (
      <SignInFrame title={title} step="loading" onLanguage={onLanguage}>
        {back}
      </SignInFrame>
    );
  const isDemo = typeof welcome.data?.outbox === 'string';
  if (welcome.data && !welcome.data.hasMailServer && !isDemo)
    return (
      <SignInFrame title={title} introduction={t('forgotLeadNoMail')} step="no-mail" onLanguage={onLanguage}>
        {back}
      </SignInFrame>
    );
  return (
    <SignInFrame
      title={title}
      introduction={t(isDemo ? 'forgotLeadDemo' : 'forgotLead')}
      step="forgot"
      onLanguage={onLanguage}
    >
      <EmailForm busy={busy} failure={failure} label={t('send')} onSubmit={submit}>
        {back}
      </EmailForm>
    </SignInFrame>
  );
};
