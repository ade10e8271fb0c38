import { Button, Drawer, SegmentedControl } from '@mantine/core';
import IconLock from '@tabler/icons-react/dist/esm/icons/IconLock.mjs';
import IconLogout from '@tabler/icons-react/dist/esm/icons/IconLogout.mjs';
import IconShieldCheck from '@tabler/icons-react/dist/esm/icons/IconShieldCheck.mjs';
import IconShieldOff from '@tabler/icons-react/dist/esm/icons/IconShieldOff.mjs';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { LanguageRow } from '../language/language-row.tsx';
import type { Language } from '../language/languages.ts';
import { useRoleName } from '../language/role-name.ts';
import { isThemeChoice, type ThemeChoice, themeChoices } from '../theme/theme.ts';
import { IconAlert } from '../ui/icon-alert.tsx';
import { initials } from '../ui/person-name.ts';
import classes from './account.module.css';
import { SignOutQuestion } from './sign-out-question.tsx';

interface TwoFactorState {
  /** Has an authenticator app or a passkey. */
  readonly isOn: boolean;
  readonly hasAuthenticator: boolean;
  readonly passkeys: number;
  /** Number of unused recovery codes. */
  readonly codesLeft: number;
}

/** At or below this number of recovery codes the user is advised to create new ones. */
const fewCodes = 2;

interface TwoFactorSectionProps {
  readonly state: TwoFactorState;
  readonly onChange: (change: 'turn-on' | 'turn-off') => void;
  readonly onPasskeys: () => void;
}

/** Shows whether two-factor is on, by what, and how many recovery codes are left. */
export const TwoFactorSection = ({ state, onChange, onPasskeys }: TwoFactorSectionProps) => {
  const { isOn, hasAuthenticator, passkeys, codesLeft } = state;
  const { t } = useTranslation('account');
  const left = t('codesLeft', { count: codesLeft });
  return (
    <section className={classes.part}>
      <h3 className={classes.heading}>{t('twoFactor')}</h3>
      <div className={classes.factor}>
        <span className={classes.state} data-on={isOn || undefined}>
          {isOn ? <IconShieldCheck aria-hidden="true" /> : <IconShieldOff aria-hidden="true" />}
          {t(isOn ? 'twoFactorOn' : 'twoFactorOff')}
        </span>
      </div>
      {!isOn && <p className={classes.dimmed}>{t('twoFactorHelp')}</p>}
      <div className={classes.factor}>
        <span>{t('authenticator')}</span>
        <Button variant="default" onClick={() => onChange(hasAuthenticator ? 'turn-off' : 'turn-on')}>
          {t(hasAuthenticator ? 'turnOff' : 'setUp')}
        </Button>
      </div>
      <div className={classes.factor}>
        <span>{passkeys === 0 ? t('passkeys') : t('passkeyCount', { count: passkeys })}</span>
        <Button variant="default" onClick={onPasskeys}>
          {t('managePasskeys')}
        </Button>
      </div>
      {isOn && codesLeft > fewCodes && <p className={classes.dimmed}>{left}</p>}
      {isOn && codesLeft <= fewCodes && (
        <IconAlert tone="caution">
          {left}. {t('fewCodes')}
        </IconAlert>
      )}
    </section>
  );
};

interface User {
  readonly name: string;
  readonly email: string;
  readonly roles: readonly string[];
  readonly clinic: string | null;
}

interface AccountPanelProps {
  readonly user: User;
  readonly twoFactor: TwoFactorState;
  readonly hasPin: boolean;
  readonly opened: boolean;
  /** A dialog is open above the panel, which takes Escape. */
  readonly isCovered: boolean;
  readonly themeChoice: ThemeChoice;
  readonly onClose: () => void;
  readonly onLanguage: (language: Language) => void;
  readonly onTheme: (choice: ThemeChoice) => void;
  readonly onSignOut: () => void;
  readonly onTwoFactor: (change: 'turn-on' | 'turn-off') => void;
  readonly onPasskeys: () => void;
  readonly onPassword: () => void;
  readonly onPin: () => void;
  readonly onSessions: () => void;
  readonly onLock: () => void;
}

/** Shows the signed-in user, language, theme, password, two-factor state and the sign-out button. */
export const AccountPanel = (props: AccountPanelProps) => {
  const { user, twoFactor, hasPin, opened, isCovered, themeChoice, onClose, onLanguage, onTheme } = props;
  const { onSignOut, onTwoFactor, onPasskeys, onPassword, onPin, onSessions, onLock } = props;
  const { t } = useTranslation('account');
  const roleName = useRoleName();
  const [signOutAsked, setSignOutAsked] = useState(false);
  return (
    <>
      <Drawer
        opened={opened}
        onClose={onClose}
        position="right"
        size={400}
        closeOnEscape={!isCovered}
        title={t('title')}
        closeButtonProps={{ 'aria-label': t('close') }}
      >
        <div className={classes.panel}>
          <div className={classes.user}>
            <span className={classes.initials} aria-hidden="true">
              {initials(user.name)}
            </span>
            <div className={classes.who}>
              <p className={classes.name}>{user.name}</p>
              <p className={classes.dimmed}>{user.email}</p>
            </div>
          </div>
          <dl className={classes.facts}>
            <div>
              <dt>{t('role')}</dt>
              <dd>{user.roles.map(roleName).join(', ')}</dd>
            </div>
            {user.clinic && (
              <div>
                <dt>{t('clinic')}</dt>
                <dd>{user.clinic}</dd>
              </div>
            )}
          </dl>
          <div className={classes.factor}>
            <Button variant="default" leftSection={<IconLock aria-hidden="true" />} onClick={onLock}>
              {t('lock')}
            </Button>
            <Button
              variant="default"
              leftSection={<IconLogout aria-hidden="true" />}
              onClick={() => setSignOutAsked(true)}
            >
              {t('signOut')}
            </Button>
          </div>
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
            <p className={classes.dimmed}>{t('mixedHelp')}</p>
          </section>
          <section className={classes.part}>
            <h3 className={classes.heading}>{t('password')}</h3>
            <Button variant="default" className={classes.alone} onClick={onPassword}>
              {t('changePassword')}
            </Button>
          </section>
          <section className={classes.part}>
            <h3 className={classes.heading}>{t('pinTitle')}</h3>
            {!hasPin && <p className={classes.dimmed}>{t('pinHelp')}</p>}
            <Button variant="default" className={classes.alone} onClick={onPin}>
              {t(hasPin ? 'changePin' : 'setPin')}
            </Button>
          </section>
          <TwoFactorSection state={twoFactor} onChange={onTwoFactor} onPasskeys={onPasskeys} />
          <section className={classes.part}>
            <h3 className={classes.heading}>{t('sessions')}</h3>
            <Button variant="default" className={classes.alone} onClick={onSessions}>
              {t('showSessions')}
            </Button>
          </section>
        </div>
      </Drawer>
      <SignOutQuestion opened={signOutAsked} onNo={() => setSignOutAsked(false)} onYes={onSignOut} />
    </>
  );
};
