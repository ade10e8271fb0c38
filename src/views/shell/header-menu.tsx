import { ActionIcon, Menu } from '@mantine/core';
import IconMenu2 from '@tabler/icons-react/dist/esm/icons/IconMenu2.mjs';
import IconSettings from '@tabler/icons-react/dist/esm/icons/IconSettings.mjs';
import { Fragment, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'wouter';
import { type Language, languageNames, languageOf, languages } from '../language/languages.ts';
import { isThemeChoice, type ThemeChoice, themeChoices } from '../theme/appearance.ts';
import classes from './header-menu.module.css';

export interface MenuEntry {
  readonly name: string;
  readonly icon: ReactNode;
  /** An address, or what happens. */
  readonly to: string | (() => void);
}

interface HeaderMenuProps {
  /** Groups with a line between them; empty ones are left out. */
  readonly groups: readonly (readonly MenuEntry[])[];
  /** The menu stands for the whole header. */
  readonly narrow: boolean;
  readonly themeChoice: ThemeChoice;
  readonly onTheme: (choice: ThemeChoice) => void;
  readonly onLanguage: (language: Language) => void;
}

const Entry = ({ name, icon, to }: MenuEntry) =>
  typeof to === 'string' ? (
    <Menu.Item component={Link} href={to} leftSection={icon}>
      {name}
    </Menu.Item>
  ) : (
    <Menu.Item leftSection={icon} onClick={to}>
      {name}
    </Menu.Item>
  );

/** Settings at hand, language and light; where the screen is narrow, all that the header holds beside the search. */
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
