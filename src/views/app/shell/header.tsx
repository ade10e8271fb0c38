import { ActionIcon, Menu, Tooltip } from '@mantine/core';
import IconMenu2 from '@tabler/icons-react/dist/esm/icons/IconMenu2.mjs';
import IconSettings from '@tabler/icons-react/dist/esm/icons/IconSettings.mjs';
import IconX from '@tabler/icons-react/dist/esm/icons/IconX.mjs';
import { Fragment, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'wouter';
import { type Language, languageNames, languageOf, languages } from '../../language/languages.ts';
import { isThemeChoice, type ThemeChoice, themeChoices } from '../../theme/theme.ts';
import { ProductMark } from '../../ui/product-mark.tsx';
import classes from './header.module.css';

/** Shortens clinic names of 25 or more characters to 21 and an ellipsis. */
export const clipName = (name: string): string => {
  const letters = [...name];
  return letters.length >= 25 ? `${letters.slice(0, 21).join('').trimEnd()}…` : name;
};

export interface HeaderMenuItem {
  readonly name: string;
  readonly icon: ReactNode;
  /** A path, or an action. */
  readonly to: string | (() => void);
}

interface HeaderMenuProps {
  /** Groups separated by dividers; empty ones are left out. */
  readonly groups: readonly (readonly HeaderMenuItem[])[];
  /** The menu replaces the whole header. */
  readonly narrow: boolean;
  readonly themeChoice: ThemeChoice;
  readonly onTheme: (choice: ThemeChoice) => void;
  readonly onLanguage: (language: Language) => void;
}

const Entry = ({ name, icon, to }: HeaderMenuItem) =>
  typeof to === 'string' ? (
    <Menu.Item component={Link} href={to} leftSection={icon}>
      {name}
    </Menu.Item>
  ) : (
    <Menu.Item leftSection={icon} onClick={to}>
      {name}
    </Menu.Item>
  );

/** Language and theme; on narrow screens also all header links. */
export const HeaderMenu = ({ groups, narrow, themeChoice, onTheme, onLanguage }: HeaderMenuProps) => {
  const { t, i18n } = useTranslation(['header', 'account']);
  const name = t(narrow ? 'menu' : 'settings');
  const chooseLanguage = (value: string) => {
    const language = languageOf(value);
    if (language) onLanguage(language);
  };
  return (
    <Menu position="bottom-end" width={268} returnFocus transitionProps={{ duration: 120 }}>
      <Menu.Target>
        <ActionIcon variant="subtle" color="gray" className={classes.opener} aria-label={name} title={name}>
          {narrow ? <IconMenu2 /> : <IconSettings />}
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown className={classes.menu}>
        {groups
          .filter((group) => group.length > 0)
          .map((group) => (
            <Fragment key={group[0]?.name}>
              {group.map((entry) => (
                <Entry key={entry.name} {...entry} />
              ))}
              <Menu.Divider />
            </Fragment>
          ))}
        <Menu.Label>{t('language')}</Menu.Label>
        <Menu.RadioGroup value={i18n.language} onChange={chooseLanguage}>
          <div className={classes.two}>
            {languages.map((language) => (
              <Menu.RadioItem key={language} value={language} lang={language === 'no' ? 'nb' : language}>
                {languageNames[language]}
              </Menu.RadioItem>
            ))}
          </div>
        </Menu.RadioGroup>
        <Menu.Label>{t('theme')}</Menu.Label>
        <Menu.RadioGroup
          value={themeChoice}
          onChange={(value) => {
            if (isThemeChoice(value)) onTheme(value);
          }}
        >
          {themeChoices.map((choice) => (
            <Menu.RadioItem key={choice} value={choice}>
              {t(`account:${choice}`)}
            </Menu.RadioItem>
          ))}
        </Menu.RadioGroup>
      </Menu.Dropdown>
    </Menu>
  );
};

/** The current clinic, with a button to leave it where allowed. */
export const ClinicChip = ({ name, onLeave }: { name: string; onLeave: (() => void) | null }) => {
  const { t } = useTranslation('shell');
  const clipped = clipName(name);
  const shown = (
    <span className={classes.name}>
      <span className={classes.visuallyHidden}>{t('currentClinic', { name })}</span>
      <span aria-hidden="true">{clipped}</span>
    </span>
  );
  return (
    <div className={classes.chip}>
      {clipped === name ? shown : <Tooltip label={name}>{shown}</Tooltip>}
      {onLeave && (
        <button type="button" className={classes.leave} aria-label={t('leaveClinic', { name })} onClick={onLeave}>
          <IconX />
        </button>
      )}
    </div>
  );
};

interface HeaderProps {
  readonly tabs: readonly { readonly name: string; readonly href: string; readonly active: boolean }[];
  readonly search: ReactNode;
  /** At the right end: imports, clinic, account. */
  readonly children: ReactNode;
}

/** The header of every page behind sign-in. */
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
      <div>{search}</div>
      <div className={classes.end}>{children}</div>
    </header>
  );
};
