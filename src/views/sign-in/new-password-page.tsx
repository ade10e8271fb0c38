import { type FormEvent, useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'wouter';
import { bounds } from '../../../contract/bounds.ts';
import { useAppContext } from '../app/app-context.tsx';
import { failureOfQuery, rejectedFields } from '../app/queries-context.tsx';
import { PasswordRuleList, unmetRules, usePasswordErrorText } from '../forms/password-rules.tsx';
import { useFailureText } from '../language/failure-text.ts';
import type { Language } from '../language/languages.ts';
import { AuthButton, AuthPasswordField, authButtonClass } from '../ui/auth-controls.tsx';
import { IconAlert } from '../ui/icon-alert.tsx';
import { forgetResetLink, storedResetLink, storeResetLink } from './reset-link.ts';
import classes from './sign-in.module.css';
import { SignInFrame } from './sign-in-frame.tsx';

const [, max] = bounds.password;

interface NewPasswordFormProps {
  readonly busy: boolean;
  readonly failure: string | null;
  readonly onSubmit: (password: string) => void;
}

/** New password, typed twice, with a live checklist of the password rules. */
const NewPasswordForm = ({ busy, failure, onSubmit }: NewPasswordFormProps) => {
  const { t } = useTranslation(['password', 'reset-password', 'sign-in']);
  const [password, setPassword] = useState('');
  const [again, setAgain] = useState('');
  const [tried, setTried] = useState(false);
  const form = useRef<HTMLFormElement>(null);
  const unmet = unmetRules(password);
  const lacking = password === '' ? t('sign-in:required') : unmet.size > 0 ? t('requirementsNotMet') : null;
  const differing = again === '' ? t('sign-in:required') : again === password ? null : t('differ');
  // A mismatch is shown while typing, before the form is submitted.
  const isParting = again !== '' && !password.startsWith(again);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (busy) return;
    setTried(true);
    if (lacking === null && differing === null) onSubmit(password);
    else form.current?.querySelector<HTMLInputElement>(`input[name="${lacking ? 'password' : 'again'}"]`)?.focus();
  };
  return (
    <form className={classes.form} ref={form} noValidate onSubmit={submit}>
      <AuthPasswordField
        label={t('newPassword')}
        showLabel={t('sign-in:showPassword')}
        name="password"
        autoComplete="new-password"
        autoFocus
        maxLength={max}
        value={password}
        error={tried ? lacking : null}
        onChange={(event) => setPassword(event.currentTarget.value)}
      />
      <PasswordRuleList password={password} />
      <AuthPasswordField
        label={t('repeat')}
        showLabel={t('sign-in:showPassword')}
        name="again"
        autoComplete="new-password"
        maxLength={max}
        value={again}
        error={tried ? differing : isParting ? t('differ') : null}
        onChange={(event) => setAgain(event.currentTarget.value)}
      />
      <div aria-live="assertive">{failure && <IconAlert>{failure}</IconAlert>}</div>
      <AuthButton type="submit" busy={busy}>
        {t('reset-password:save')}
      </AuthButton>
    </form>
  );
};

/** Sets a new password with the link from the e-mail. */
export const NewPasswordPage = ({ onLanguage }: { onLanguage: (language: Language) => void }) => {
  const { t } = useTranslation('reset-password');
  const { passwords } = useAppContext();
  const failureText = useFailureText();
  const { t: ofPassword } = useTranslation('password');
  const passwordErrorText = usePasswordErrorText();
  const [link, setLink] = useState(() => {
    storeResetLink();
    return storedResetLink();
  });
  const [step, setStep] = useState<'entering' | 'saved' | 'expired'>(link ? 'entering' : 'expired');
  const [busy, setBusy] = useState(false);
  const [failure, setFailure] = useState<string | null>(null);
  // A second link opened in the same tab changes only the hash.
  useEffect(() => {
    const begin = () => {
      if (window.location.hash.length < 2) return;
      storeResetLink();
      const next = storedResetLink();
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
      const loadFailure = failureOfQuery(error);
      if (loadFailure.code === 'link-expired') {
        forgetResetLink();
        setStep('expired');
      } else {
        const rejected = rejectedFields(error).find(({ fieldKey }) => fieldKey === 'password');
        setFailure(rejected ? `${ofPassword('rejected')} ${passwordErrorText(rejected)}` : failureText(loadFailure));
      }
    } finally {
      setBusy(false);
    }
  };
  if (step === 'saved')
    return (
      <SignInFrame title={t('savedTitle')} introduction={t('savedLead')} step={step} onLanguage={onLanguage}>
        <Link href="/authorization/password" className={authButtonClass}>
          {t('toSignIn')}
        </Link>
      </SignInFrame>
    );
  if (step === 'expired')
    return (
      <SignInFrame title={t('expiredTitle')} introduction={t('expiredLead')} step={step} onLanguage={onLanguage}>
        <Link href="/authorization/password/forgot" className={authButtonClass}>
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
