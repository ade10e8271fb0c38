import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'wouter';
import { LanguageRow } from '../language/language-row.tsx';
import type { Language } from '../language/languages.ts';
import { EntryFrame } from '../parts/entry-frame.tsx';
import radiograph from '../theme/radiograph.webp';
import classes from './sign-in.module.css';

export interface SignInFrameProps {
  readonly title: string;
  readonly lead?: ReactNode;
  readonly step?: string;
  /** Leads to the help: where nobody waits for an answer that would be left behind. */
  readonly withHelp?: boolean;
  readonly onLanguage: (language: Language) => void;
  readonly children: ReactNode;
}

/** The frame of all pages below /authorization. */
export const SignInFrame = ({ withHelp = false, onLanguage, children, ...rest }: SignInFrameProps) => {
  const { t } = useTranslation('sign-in');
  return (
    <EntryFrame
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
    </EntryFrame>
  );
};
