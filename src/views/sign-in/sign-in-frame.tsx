import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { LanguageRow } from '../language/language-row.tsx';
import type { Language } from '../language/languages.ts';
import { EntryFrame } from '../parts/entry-frame.tsx';
import radiograph from '../theme/radiograph.webp';

export interface SignInFrameProps {
  readonly title: string;
  readonly lead?: ReactNode;
  readonly step?: string;
  readonly onLanguage: (language: Language) => void;
  readonly children: ReactNode;
}

/** The frame of all pages below /authorization. */
export const SignInFrame = ({ onLanguage, children, ...rest }: SignInFrameProps) => {
  const { t } = useTranslation('sign-in');
  return (
    <EntryFrame
      {...rest}
      tagline={t('tagline')}
      picture={radiograph}
      foot={<LanguageRow label={t('language')} onChoose={onLanguage} />}
    >
      {children}
    </EntryFrame>
  );
};
