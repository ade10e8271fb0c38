import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'wouter';
import { ProductMark } from '../parts/product-mark.tsx';
import classes from './header.module.css';

interface HeaderProps {
  readonly tabs: readonly { readonly name: string; readonly href: string; readonly active: boolean }[];
  readonly search: ReactNode;
  /** At the right end: imports, clinic, account. */
  readonly children: ReactNode;
}

/** The bar above every page of somebody signed in. */
export const Header = ({ tabs, search, children }: HeaderProps) => {
  const { t } = useTranslation('shell');
  return (
    <header className={classes.header} data-chrome>
      <div className={classes.start}>
        <Link href="/" className={classes.home} aria-label={t('home')}>
          <ProductMark />
        </Link>
        {tabs.length > 0 && (
          <nav className={classes.tabs} aria-label={t('navigation')}>
            {tabs.map((tab) => (
              <Link
                key={tab.href}
                href={tab.href}
                className={classes.tab}
                aria-current={tab.active ? 'page' : undefined}
              >
                {tab.name}
              </Link>
            ))}
          </nav>
        )}
      </div>
      <div className={classes.search}>{search}</div>
      <div className={classes.end}>{children}</div>
    </header>
  );
};
