import IconArrowLeft from '@tabler/icons-react/dist/esm/icons/IconArrowLeft.mjs';
import { useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'wouter';
import { HelpRoute } from './help-route.tsx';
import { LanguageRow } from './language/language-row.tsx';
import type { Language } from './language/languages.ts';
import { ProductMark } from './parts/product-mark.tsx';
import classes from './visitor-help.module.css';

/** The help for somebody who is not signed in, with the way back above it. */
export const VisitorHelp = ({ onLanguage }: { onLanguage: (language: Language) => void }) => {
  const { t } = useTranslation('sign-in');
  const page = useRef<HTMLElement>(null);
  // Arrow keys scroll at once, and a screen reader begins to read here.
  useEffect(() => page.current?.focus({ preventScroll: true }), []);
  return (
    <div className={classes.shell}>
      <header className={classes.bar} data-chrome>
        <ProductMark />
        <Link href="/authorization" className={classes.back}>
          <IconArrowLeft aria-hidden="true" />
          {t('backToSignIn')}
        </Link>
        <LanguageRow label={t('language')} onChoose={onLanguage} />
      </header>
      <main className={classes.content} ref={page} tabIndex={-1}>
        <HelpRoute />
      </main>
    </div>
  );
};
