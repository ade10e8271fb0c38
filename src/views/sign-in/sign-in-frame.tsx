import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'wouter';
import { LanguageRow } from '../language/language-row.tsx';
import type { Language } from '../language/languages.ts';
import radiograph from '../theme/radiograph.webp';
import { AuthFrame } from '../ui/auth-frame.tsx';
import classes from './sign-in.module.css';

export interface SignInFrameProps {
  readonly title: string;
  readonly introduction?: ReactNode;
  readonly step?: string;
  /** Links to the help, on pages where leaving loses nothing. */
  readonly withHelp?: boolean;
  readonly onLanguage: (language: Language) => void;
  readonly children: ReactNode;
}

/** Frame of all pages below /authorization. */
export const SignInFrame = ({ withHelp = false, onLanguage, children, ...rest }: SignInFrameProps) => {
  const { t } = useTranslation('sign-in');
  return (
    <AuthFrame
      {...rest}
      tagline={t('tagline')}
      picture={radiograph}
      foot={
        <div className={classes.foot}>
          <LanguageRow label={t('language')} onChoose={onLanguage} />
          {withHelp && (
            <Link href="/help" className={classes.help}>
              {t('help')}
            </Link>
          )}
        </div>
      }
    >
      {children}
    </AuthFrame>
  );
};

/** Shown after sign-in until the next page opens. */
export const SigningIn = ({ onLanguage }: { onLanguage: (language: Language) => void }) => {
  const { t } = useTranslation('sign-in');
  return (
    <SignInFrame title={t('signingIn')} introduction={t('signingInLead')} step="finished" onLanguage={onLanguage}>
      <span role="status" className={classes.progress} aria-label={t('signingIn')} />
    </SignInFrame>
  );
};
