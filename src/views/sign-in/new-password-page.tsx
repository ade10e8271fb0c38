import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'wouter';
import { useGround } from '../ground.tsx';
import { useFailureText } from '../language/failure-text.ts';
import type { Language } from '../language/languages.ts';
import { entryButtonClass } from '../parts/entry-button.tsx';
import { failureOfQuery } from '../reading.tsx';
import { NewPasswordForm } from './new-password-form.tsx';
import { forgetResetLink, heldResetLink, keepResetLink } from './reset-link.ts';
import { SignInFrame } from './sign-in-frame.tsx';

/** A new password, by the link of a letter. */
export const NewPasswordPage = ({ onLanguage }: { onLanguage: (language: Language) => void }) => {
  const { t } = useTranslation('reset-password');
  const { passwords } = useGround();
  const failureText = useFailureText();
  const [link, setLink] = useState(() => {
    keepResetLink();
    return heldResetLink();
  });
  const [step, setStep] = useState<'entering' | 'saved' | 'expired'>(link ? 'entering' : 'expired');
  const [busy, setBusy] = useState(false);
  const [failure, setFailure] = useState<string | null>(null);
  // A second letter opened in the same tab changes nothing but the hash.
  useEffect(() => {
    const begin = () => {
      if (window.location.hash.length < 2) return;
      keepResetLink();
      const next = heldResetLink();
      setLink(next);
      setStep(next ? 'entering' : 'expired');
    };
    window.addEventListener('hashchange', begin);
    return () => window.removeEventListener('hashchange', begin);
  }, []);
  const save = async (password: string) => {
    if (!link) return;
    setBusy(true);
    setFailure(null);
    try {
      await passwords.reset({ ...link, password });
      forgetResetLink();
      setStep('saved');
    } catch (error) {
      const told = failureOfQuery(error);
      if (told.code === 'link-expired') {
        forgetResetLink();
        setStep('expired');
      } else setFailure(failureText(told));
    } finally {
      setBusy(false);
    }
  };
  if (step === 'saved')
    return (
      <SignInFrame title={t('savedTitle')} lead={t('savedLead')} step={step} onLanguage={onLanguage}>
        <Link href="/authorization/password" className={entryButtonClass}>
          {t('toSignIn')}
        </Link>
      </SignInFrame>
    );
  if (step === 'expired')
    return (
      <SignInFrame title={t('expiredTitle')} lead={t('expiredLead')} step={step} onLanguage={onLanguage}>
        <Link href="/authorization/password/forgot" className={entryButtonClass}>
          {t('newLink')}
        </Link>
      </SignInFrame>
    );
  return (
    <SignInFrame title={t('newTitle')} step={step} onLanguage={onLanguage}>
      <NewPasswordForm busy={busy} failure={failure} onSubmit={(password) => void save(password)} />
    </SignInFrame>
  );
};
