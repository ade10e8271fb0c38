import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { Link } from 'wouter';
import type { Language } from '../language/languages.ts';
import { entryButtonClass } from '../parts/entry-button.tsx';
import { useReading } from '../reading.tsx';
import classes from './sign-in.module.css';
import { SignInFrame } from './sign-in-frame.tsx';

/** A letter is on its way, if there is such an account. */
export const ForgotSuccessPage = ({ onLanguage }: { onLanguage: (language: Language) => void }) => {
  const { t } = useTranslation('reset-password');
  const outbox = useQuery(useReading().welcome()).data?.outbox ?? null;
  return (
    <SignInFrame title={t('sentTitle')} lead={t('sentLead')} step="sent" onLanguage={onLanguage}>
      <div className={classes.stack}>
        <p className={classes.quiet}>{t('sentSpam')}</p>
        {outbox && (
          <a href={outbox} target="_blank" rel="noreferrer" className={entryButtonClass} data-quiet>
            {t('outbox')}
          </a>
        )}
        <div className={classes.pair}>
          <Link href="/authorization" className={classes.quietLink}>
            {t('backToSignIn')}
          </Link>
          <Link href="/authorization/password/forgot" className={classes.quietLink}>
            {t('sendAgain')}
          </Link>
        </div>
      </div>
    </SignInFrame>
  );
};
