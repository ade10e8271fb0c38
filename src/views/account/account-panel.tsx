import { Button, Drawer, SegmentedControl } from '@mantine/core';
import IconLogout from '@tabler/icons-react/dist/esm/icons/IconLogout.mjs';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { LanguageRow } from '../language/language-row.tsx';
import type { Language } from '../language/languages.ts';
import { useRoleName } from '../language/role-name.ts';
import { initials } from '../parts/initials.ts';
import { isThemeChoice, type ThemeChoice, themeChoices } from '../theme/appearance.ts';
import classes from './account.module.css';
import { SignOutQuestion } from './sign-out-question.tsx';
import { TwoFactorSection, type TwoFactorState } from './two-factor-section.tsx';

export interface Person {
  readonly name: string;
  readonly email: string;
  readonly roles: readonly string[];
  readonly clinic: string | null;
}

interface AccountPanelProps {
  readonly person: Person;
  readonly twoFactor: TwoFactorState;
  readonly opened: boolean;
  readonly themeChoice: ThemeChoice;
  readonly onClose: () => void;
  readonly onLanguage: (language: Language) => void;
  readonly onTheme: (choice: ThemeChoice) => void;
  readonly onSignOut: () => void;
  readonly onTwoFactor: (wish: 'turn-on' | 'turn-off') => void;
}

/** Who one is here, in which language and light, and the way out. */
export const AccountPanel = (props: AccountPanelProps) => {
  const { person, twoFactor, opened, themeChoice, onClose, onLanguage, onTheme, onSignOut, onTwoFactor } = props;
  const { t } = useTranslation('account');
  const roleName = useRoleName();
  const [leaving, setLeaving] = useState(false);
  return (
    <>
      <Drawer
        opened={opened}
        onClose={onClose}
        position="right"
        size={400}
        title={t('title')}
        closeButtonProps={{ 'aria-label': t('close') }}
      >
        <div className={classes.panel}>
          <div className={classes.person}>
            <span className={classes.initials} aria-hidden="true">
              {initials(person.name)}
            </span>
            <div className={classes.who}>
              <p className={classes.name}>{person.name}</p>
              <p className={classes.quiet}>{person.email}</p>
            </div>
          </div>
          <dl className={classes.facts}>
            <div>
              <dt>{t('role')}</dt>
              <dd>{person.roles.map(roleName).join(', ')}</dd>
            </div>
            {person.clinic && (
              <div>
                <dt>{t('clinic')}</dt>
                <dd>{person.clinic}</dd>
              </div>
            )}
          </dl>
          <section className={classes.part}>
            <h3 className={classes.heading}>{t('language')}</h3>
            <LanguageRow label={t('language')} onChoose={onLanguage} />
          </section>
          <section className={classes.part}>
            <h3 className={classes.heading}>{t('theme')}</h3>
            <SegmentedControl
              fullWidth
              aria-label={t('theme')}
              value={themeChoice}
              onChange={(value) => {
                if (isThemeChoice(value)) onTheme(value);
              }}
              data={themeChoices.map((value) => ({ value, label: t(value) }))}
            />
            <p className={classes.quiet}>{t('mixedHelp')}</p>
          </section>
          <TwoFactorSection state={twoFactor} onWish={onTwoFactor} />
          <Button
            variant="default"
            leftSection={<IconLogout aria-hidden="true" />}
            className={classes.signOut}
            onClick={() => setLeaving(true)}
          >
            {t('signOut')}
          </Button>
        </div>
      </Drawer>
      <SignOutQuestion opened={leaving} onNo={() => setLeaving(false)} onYes={onSignOut} />
    </>
  );
};
