import { useTranslation } from 'react-i18next';
import type { Language } from '../language/languages.ts';
import classes from './sign-in.module.css';
import { SignInFrame } from './sign-in-frame.tsx';

/** The person is known; the page is about to go on. */
export const SigningIn = ({ onLanguage }: { onLanguage: (language: Language) => void }) => {
  const { t } = useTranslation('sign-in');
  return (
    <SignInFrame title={t('signingIn')} lead={t('signingInLead')} step="finished" onLanguage={onLanguage}>
      <span role="status" className={classes.progress} aria-label={t('signingIn')} />
    </SignInFrame>
  );
};
