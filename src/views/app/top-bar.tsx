import { useMediaQuery } from '@mantine/hooks';
import IconBuilding from '@tabler/icons-react/dist/esm/icons/IconBuilding.mjs';
import IconCalendarOff from '@tabler/icons-react/dist/esm/icons/IconCalendarOff.mjs';
import IconOrders from '@tabler/icons-react/dist/esm/icons/IconClipboardList.mjs';
import IconCloudLock from '@tabler/icons-react/dist/esm/icons/IconCloudLock.mjs';
import IconCrown from '@tabler/icons-react/dist/esm/icons/IconCrown.mjs';
import IconMonitor from '@tabler/icons-react/dist/esm/icons/IconDeviceDesktopCheck.mjs';
import IconFileImport from '@tabler/icons-react/dist/esm/icons/IconFileImport.mjs';
import IconHelp from '@tabler/icons-react/dist/esm/icons/IconHelp.mjs';
import IconInfoCircle from '@tabler/icons-react/dist/esm/icons/IconInfoCircle.mjs';
import IconListSearch from '@tabler/icons-react/dist/esm/icons/IconListSearch.mjs';
import IconLogout from '@tabler/icons-react/dist/esm/icons/IconLogout.mjs';
import IconPhoto from '@tabler/icons-react/dist/esm/icons/IconPhoto.mjs';
import IconPhotoX from '@tabler/icons-react/dist/esm/icons/IconPhotoX.mjs';
import IconQuality from '@tabler/icons-react/dist/esm/icons/IconRosetteDiscountCheck.mjs';
import IconServer from '@tabler/icons-react/dist/esm/icons/IconServer.mjs';
import IconUserCircle from '@tabler/icons-react/dist/esm/icons/IconUserCircle.mjs';
import IconUserShield from '@tabler/icons-react/dist/esm/icons/IconUserShield.mjs';
import IconUsers from '@tabler/icons-react/dist/esm/icons/IconUsers.mjs';
import { useSelector } from '@xstate/react';
import { type ReactNode, Suspense, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link, useLocation } from 'wouter';
import {
  type SessionActor,
  selectCanCloseClinic,
  selectClinic,
  selectPermission,
  selectUser,
} from '../../machines/session/session.machine.ts';
import { SignOutQuestion } from '../account/sign-out-question.tsx';
import type { Language } from '../language/languages.ts';
import { logPath } from '../log/log-filter.ts';
import { useWorkstation } from '../monitor/workstation-name.ts';
import type { ThemeChoice } from '../theme/theme.ts';
import { lazyAdministration } from '../ui/lazy-administration.ts';
import { lazyComponent } from '../ui/lazy-component.ts';
import { ToolButton } from '../ui/tool-button.tsx';
import {
  clinicUsersPath,
  damagedPath,
  galleryPath,
  monitorPath,
  ordersPath,
  qualityPath,
  retentionPath,
  systemPath,
} from './paths.ts';
import { headerOffers } from './rights.ts';
import { Isolated } from './shell/error-boundary.tsx';
import { ClinicChip, Header, HeaderMenu, type HeaderMenuItem } from './shell/header.tsx';
import classes from './shell/shell.module.css';

const AboutDialog = lazyComponent(async () => (await import('../about/about-dialog.tsx')).AboutDialog);
const AzureSettings = lazyAdministration(async () => (await import('../azure/azure-settings.tsx')).AzureSettings);
const MonitorReminder = lazyComponent(async () => (await import('../monitor/monitor-reminder.tsx')).MonitorReminder);
const SystemWarningsLink = lazyAdministration(
  async () => (await import('../system/system-warnings-link.tsx')).SystemWarningsLink,
);

interface TopBarProps {
  readonly session: SessionActor;
  /** The hub is connected, so import progress is current. */
  readonly live: boolean;
  readonly search: ReactNode;
  readonly imports: ReactNode;
  readonly themeChoice: ThemeChoice;
  readonly onTheme: (choice: ThemeChoice) => void;
  readonly onLanguage: (language: Language) => void;
  readonly onAccount: () => void;
}

/** The header with the items that the user's claims allow; on narrow screens all of them in one menu. */
export const TopBar = (props: TopBarProps) => {
  const { session, live, search, imports, themeChoice, onTheme, onLanguage, onAccount } = props;
  const { t } = useTranslation(['header', 'shell', 'destruction']);
  const [path] = useLocation();
  const narrow = useMediaQuery('(max-width: 860px)', false, { getInitialValueInEffect: false });
  const [open, setOpen] = useState<'about' | 'azure' | 'sign-out' | null>(null);
  const user = useSelector(session, selectUser);
  const permission = useSelector(session, selectPermission);
  const clinic = useSelector(session, selectClinic);
  const mayLeaveClinic = useSelector(session, selectCanCloseClinic);
  const offers = headerOffers(permission, clinic?.id ?? null, user?.customerId ?? null);
  const workstation = useWorkstation();
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
            href: clinicUsersPath(clinic.id),
            active: path === clinicUsersPath(clinic.id),
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
  const entry = (shown: boolean, name: string, icon: ReactNode, to: HeaderMenuItem['to']): readonly HeaderMenuItem[] =>
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
      ...(clinic ? entry(offers.orders, t('orders'), <IconOrders />, ordersPath(clinic.id)) : []),
      ...(clinic ? entry(offers.galleryTab, t('quality'), <IconQuality />, qualityPath(clinic.id)) : []),
      ...(clinic ? entry(offers.monitorCheck, t('monitor'), <IconMonitor />, monitorPath(clinic.id)) : []),
      ...(clinic ? entry(offers.retention, t('destruction:title'), <IconCalendarOff />, retentionPath(clinic.id)) : []),
      ...entry(offers.superAdministrators, t('superAdministrators'), <IconCrown />, '/sa'),
      ...entry(offers.log, t('log'), <IconListSearch />, logHref),
      ...entry(offers.damaged, t('damaged'), <IconPhotoX />, damagedPath),
      ...entry(offers.systemStatus, t('system'), <IconServer />, systemPath),
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
        {clinic && offers.monitorCheck && workstation !== '' && (
          <Suspense fallback={null}>
            <MonitorReminder clinicId={clinic.id} workstation={workstation} />
          </Suspense>
        )}
        {offers.systemStatus && (
          <Suspense fallback={null}>
            <SystemWarningsLink />
          </Suspense>
        )}
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
        onYes={() => session.send({ type: 'sign-out.requested' })}
      />
      <Isolated place={path}>
        {open === 'azure' && <AzureSettings onClose={close} />}
        {open === 'about' && <AboutDialog onClose={close} />}
      </Isolated>
    </>
  );
};
