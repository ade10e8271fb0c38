import IconArrowLeft from '@tabler/icons-react/dist/esm/icons/IconArrowLeft.mjs';
import { useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'wouter';
import { LanguageRow } from '../language/language-row.tsx';
import type { Language } from '../language/languages.ts';
import { ProductMark } from '../ui/product-mark.tsx';
import { HelpRoute } from './help-route.tsx';
import classes from './visitor-help.module.css';

/** The help page before sign-in, with a link back. */
export const VisitorHelp = ({ onLanguage }: { onLanguage: (language: Language) => void }) => {
  const { t } = useTranslation('sign-in');
  const page = useRef<HTMLElement>(null);
  // Focus the page, so that arrow keys scroll and a screen reader starts here.
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
