import { useMediaQuery } from '@mantine/hooks';
import IconBuilding from '@tabler/icons-react/dist/esm/icons/IconBuilding.mjs';
import IconCloudLock from '@tabler/icons-react/dist/esm/icons/IconCloudLock.mjs';
import IconCrown from '@tabler/icons-react/dist/esm/icons/IconCrown.mjs';
import IconFileImport from '@tabler/icons-react/dist/esm/icons/IconFileImport.mjs';
import IconHelp from '@tabler/icons-react/dist/esm/icons/IconHelp.mjs';
import IconInfoCircle from '@tabler/icons-react/dist/esm/icons/IconInfoCircle.mjs';
import IconListSearch from '@tabler/icons-react/dist/esm/icons/IconListSearch.mjs';
import IconLogout from '@tabler/icons-react/dist/esm/icons/IconLogout.mjs';
import IconPhoto from '@tabler/icons-react/dist/esm/icons/IconPhoto.mjs';
import IconUserCircle from '@tabler/icons-react/dist/esm/icons/IconUserCircle.mjs';
import IconUserShield from '@tabler/icons-react/dist/esm/icons/IconUserShield.mjs';
import IconUsers from '@tabler/icons-react/dist/esm/icons/IconUsers.mjs';
import { useSelector } from '@xstate/react';
import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link, useLocation } from 'wouter';
import {
  type SessionActor,
  selectCanCloseClinic,
  selectClinic,
  selectPermission,
  selectUser,
} from '../machines/session/session.machine.ts';
import { SignOutQuestion } from './account/sign-out-question.tsx';
import type { Language } from './language/languages.ts';
import { logPath } from './log/log-place.ts';
import { headerOffers } from './page-rights.ts';
import { lazily } from './parts/lazily.ts';
import { ToolButton } from './parts/tool-button.tsx';
import { galleryPath, peoplePath } from './places.ts';
import { Apart } from './shell/apart.tsx';
import { ClinicChip } from './shell/clinic-chip.tsx';
import { Header } from './shell/header.tsx';
import { HeaderMenu, type MenuEntry } from './shell/header-menu.tsx';
import classes from './shell/shell.module.css';
import type { ThemeChoice } from './theme/appearance.ts';

const AboutDialog = lazily(async () => (await import('./about/about-dialog.tsx')).AboutDialog);
const AzureSettings = lazily(async () => (await import('./azure/azure-settings.tsx')).AzureSettings);

interface TopBarProps {
  readonly session: SessionActor;
  /** The archive can tell how imports stand. */
  readonly live: boolean;
  readonly search: ReactNode;
  readonly imports: ReactNode;
  readonly themeChoice: ThemeChoice;
  readonly onTheme: (choice: ThemeChoice) => void;
  readonly onLanguage: (language: Language) => void;
  readonly onAccount: () => void;
}

/** The header as this person gets it: each thing by the right that it needs, and all of it in one menu where the screen is narrow. */
export const TopBar = (props: TopBarProps) => {
  const { session, live, search, imports, themeChoice, onTheme, onLanguage, onAccount } = props;
  const { t } = useTranslation(['header', 'shell', 'log']);
  const [path] = useLocation();
  const narrow = useMediaQuery('(max-width: 860px)', false, { getInitialValueInEffect: false });
  const [open, setOpen] = useState<'about' | 'azure' | 'sign-out' | null>(null);
  const user = useSelector(session, selectUser);
  const permission = useSelector(session, selectPermission);
  const clinic = useSelector(session, selectClinic);
  const mayLeaveClinic = useSelector(session, selectCanCloseClinic);
  const offers = headerOffers(permission, clinic?.id ?? null, user?.customerId ?? null);
  const leaveClinic = mayLeaveClinic ? () => session.send({ type: 'clinic.closed' }) : null;
  const importLabel = live ? t('shell:import') : t('shell:importDown');
  const importWords = (
    <>
      <IconFileImport />
      <span>{t('shell:import')}</span>
    </>
  );
  const tabs = [
    ...(clinic && offers.clinicTab
      ? [
          {
            name: t('clinic'),
            href: peoplePath(clinic.id),
            active: path === peoplePath(clinic.id),
            icon: <IconUsers />,
          },
        ]
      : []),
    ...(offers.patientTab
      ? [
          {
            name: t('patient'),
            href: '/',
            active: path === '/' || path.startsWith('/patient'),
            icon: <IconUserCircle />,
          },
        ]
      : []),
    ...(clinic && offers.galleryTab
      ? [
          {
            name: t('gallery'),
            href: galleryPath(clinic.id),
            active: path === galleryPath(clinic.id),
            icon: <IconPhoto />,
          },
        ]
      : []),
  ];
  const entry = (shown: boolean, name: string, icon: ReactNode, to: MenuEntry['to']): readonly MenuEntry[] =>
    shown ? [{ name, icon, to }] : [];
  const logHref = offers.superAdministrators && clinic ? logPath({ clinic: clinic.id }) : logPath();
  const groups = [
    narrow ? tabs.map(({ name, href, icon }) => ({ name, icon, to: href })) : [],
    [
      ...entry(narrow && offers.clinicsList, t('clinics'), <IconBuilding />, '/customers'),
      ...(clinic && leaveClinic && narrow
        ? entry(true, t('shell:leaveClinic', { name: clinic.name }), <IconBuilding />, leaveClinic)
        : []),
      ...entry(narrow && offers.roles, t('roles'), <IconUserShield />, '/roles'),
      ...entry(offers.superAdministrators, t('superAdministrators'), <IconCrown />, '/sa'),
      ...entry(offers.log, t('log:title'), <IconListSearch />, logHref),
      ...entry(offers.azure, t('azure'), <IconCloudLock />, () => setOpen('azure')),
    ],
    [
      ...entry(narrow, t('account'), <IconUserCircle />, onAccount),
      ...entry(narrow, t('help'), <IconHelp />, '/help'),
      ...entry(true, t('about'), <IconInfoCircle />, () => setOpen('about')),
      ...entry(narrow, t('signOut'), <IconLogout />, () => setOpen('sign-out')),
    ],
  ];
  const close = () => setOpen(null);
  return (
    <>
      <Header tabs={tabs} search={search}>
        {imports}
        {offers.imports && live && (
          <Link href="/import" className={classes.action} aria-label={importLabel} title={importLabel}>
            {importWords}
          </Link>
        )}
        {offers.imports && !live && (
          <button type="button" disabled className={classes.action} aria-label={importLabel} title={importLabel}>
            {importWords}
          </button>
        )}
        {!narrow && offers.clinicsList && (
          <Link href="/customers" className={classes.action}>
            <IconBuilding />
            <span>{t('clinics')}</span>
          </Link>
        )}
        {clinic && offers.clinicChip && <ClinicChip name={clinic.name} onLeave={leaveClinic} />}
        {!narrow && offers.roles && (
          <Link href="/roles" className={classes.action} aria-label={t('roles')} title={t('roles')}>
            <IconUserShield />
          </Link>
        )}
        {!narrow && (
          <Link href="/help" className={classes.action} aria-label={t('help')} title={t('help')}>
            <IconHelp />
          </Link>
        )}
        <HeaderMenu
          groups={groups}
          narrow={narrow}
          themeChoice={themeChoice}
          onTheme={onTheme}
          onLanguage={onLanguage}
        />
        {!narrow && (
          <>
            <ToolButton label={t('shell:account')} onClick={onAccount}>
              <IconUserCircle />
            </ToolButton>
            <ToolButton label={t('signOut')} onClick={() => setOpen('sign-out')}>
              <IconLogout />
            </ToolButton>
          </>
        )}
      </Header>
      <SignOutQuestion
        opened={open === 'sign-out'}
        onNo={close}
        onYes={() => session.send({ type: 'sign-out.wanted' })}
      />
      <Apart place={path}>
        {open === 'azure' && <AzureSettings onClose={close} />}
        {open === 'about' && <AboutDialog onClose={close} />}
      </Apart>
    </>
  );
};
