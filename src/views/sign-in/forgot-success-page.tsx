import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { Link } from 'wouter';
import { useAppQueries } from '../app/queries-context.tsx';
import type { Language } from '../language/languages.ts';
import { authButtonClass, authLinkClass } from '../ui/auth-controls.tsx';
import classes from './sign-in.module.css';
import { SignInFrame } from './sign-in-frame.tsx';

/** Says what happens to the e-mail if the account exists; whether the mail server accepts it is not known yet. */
export const ForgotSuccessPage = ({ onLanguage }: { onLanguage: (language: Language) => void }) => {
  const { t } = useTranslation('reset-password');
  const outbox = useQuery(useAppQueries().welcome()).data?.outbox ?? null;
  return (
    <SignInFrame
      title={t(outbox ? 'sentTitleDemo' : 'sentTitle')}
      introduction={t(outbox ? 'sentLeadDemo' : 'sentLead')}
      step="sent"
      onLanguage={onLanguage}
    >
      <div className={classes.stack}>
        {outbox ? (
          <a href={outbox} target="_blank" rel="noreferrer" className={authButtonClass} data-secondary>
            {t('outbox')}
          </a>
        ) : (
          <p className={classes.dimmed}>{t('sentSpam')}</p>
        )}
        <div className={classes.pair}>
          <Link href="/authorization" className={authLinkClass}>
            {t('backToSignIn')}
          </Link>
          <Link href="/authorization/password/forgot" className={authLinkClass}>
            {t('sendAgain')}
          </Link>
        </div>
      </div>
    </SignInFrame>
  );
};
