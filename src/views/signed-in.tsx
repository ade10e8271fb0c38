import { Button } from '@mantine/core';
import IconBuilding from '@tabler/icons-react/dist/esm/icons/IconBuilding.mjs';
import IconFileImport from '@tabler/icons-react/dist/esm/icons/IconFileImport.mjs';
import IconListSearch from '@tabler/icons-react/dist/esm/icons/IconListSearch.mjs';
import IconUserCircle from '@tabler/icons-react/dist/esm/icons/IconUserCircle.mjs';
import { useQuery } from '@tanstack/react-query';
import { useSelector } from '@xstate/react';
import { type ComponentProps, Suspense, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link, useLocation } from 'wouter';
import {
  selectConnection,
  selectImportsTray,
  selectPatientSearch,
  selectViewer,
  selectViewsetActor,
} from '../machines/app/app.machine.ts';
import { selectIsLive } from '../machines/connection/connection.machine.ts';
import {
  type SessionActor,
  selectCanCloseClinic,
  selectClinic,
  selectMay,
  selectUser,
} from '../machines/session/session.machine.ts';
import { AccountPanel } from './account/account-panel.tsx';
import { AzureSettingsButton } from './azure/azure-settings-button.tsx';
import { useGround } from './ground.tsx';
import { ImportIndicator } from './import/import-indicator.tsx';
import type { Language } from './language/languages.ts';
import { logPath } from './log/log-place.ts';
import { lazily } from './parts/lazily.ts';
import { ToolButton } from './parts/tool-button.tsx';
import { useReading } from './reading.tsx';
import { Routes } from './routes.tsx';
import { SearchBox } from './search-box/search-box.tsx';
import { ClinicChip } from './shell/clinic-chip.tsx';
import { ErrorBoundary } from './shell/error-boundary.tsx';
import { Header } from './shell/header.tsx';
import classes from './shell/shell.module.css';
import type { ThemeChoice } from './theme/appearance.ts';

const DropAnywhere = lazily(async () => (await import('./import/drop-anywhere.tsx')).DropAnywhere);
const DraftOffers = lazily(async () => (await import('./drafts/draft-offers.tsx')).DraftOffers);
const WaitingChanges = lazily(async () => (await import('./drafts/waiting-changes.tsx')).WaitingChanges);
const TwoFactorDialog = lazily(async () => (await import('./two-factor/two-factor-dialog.tsx')).TwoFactorDialog);
const TrayPanel = lazily(async () => (await import('./import/tray-panel.tsx')).TrayPanel);

interface SignedInProps {
  readonly session: SessionActor;
  readonly themeChoice: ThemeChoice;
  readonly onTheme: (choice: ThemeChoice) => void;
  readonly onLanguage: (language: Language) => void;
}

type Wizard = Pick<ComponentProps<typeof TwoFactorDialog>, 'wish' | 'logic'>;

/** The bar, the page below it, and what floats above both. */
export const SignedIn = ({ session, themeChoice, onTheme, onLanguage }: SignedInProps) => {
  const { t } = useTranslation(['shell', 'log']);
  const [path, navigate] = useLocation();
  const { app, twoFactor } = useGround();
  const user = useSelector(session, selectUser);
  const clinic = useSelector(session, selectClinic);
  const mayLeaveClinic = useSelector(session, selectCanCloseClinic);
  const mayListAdministrators = useSelector(session, selectMay('user.get_sa'));
  const maySeeUsers = useSelector(session, selectMay('user.get'));
  const hasTabs = useSelector(session, selectMay('user.get_any')) && clinic !== null;
  const tray = useSelector(app, selectImportsTray);
  const patientSearch = useSelector(app, selectPatientSearch);
  const viewer = useSelector(app, selectViewer);
  const viewset = useSelector(app, selectViewsetActor);
  const connection = useSelector(app, selectConnection);
  const live = useSelector(connection, (snapshot) => (snapshot ? selectIsLive(snapshot) : false));
  const [accountOpen, setAccountOpen] = useState(false);
  const account = useQuery({ ...useReading().account(), enabled: accountOpen, staleTime: 0 }).data ?? user;
  const [wizard, setWizard] = useState<Wizard | null>(null);
  const [trayOpen, setTrayOpen] = useState(false);
  const logHref = mayListAdministrators && clinic ? logPath({ clinic: clinic.id }) : logPath();
  const importLabel = live ? t('import') : t('importDown');
  return (
    <div className={classes.shell}>
      <a href="#content" className={classes.skip}>
        {t('skip')}
      </a>
      <Header
        tabs={[
          ...(hasTabs ? [{ name: t('patients'), href: '/', active: path === '/' || path.startsWith('/patient') }] : []),
          ...(maySeeUsers ? [{ name: t('log:title'), href: logHref, active: path === '/log' }] : []),
        ]}
        search={clinic && patientSearch && <SearchBox actor={patientSearch} />}
      >
        {tray && <ImportIndicator actor={tray} opened={trayOpen} onToggle={() => setTrayOpen(!trayOpen)} />}
        {clinic && (
          <Button
            renderRoot={(props) => (live ? <Link href="/import" {...props} /> : <button type="button" {...props} />)}
            disabled={!live}
            variant="subtle"
            color="gray"
            className={classes.action}
            aria-label={importLabel}
            title={importLabel}
          >
            <IconFileImport />
            <span>{t('import')}</span>
          </Button>
        )}
        {mayListAdministrators && !clinic && (
          <Button component={Link} href="/customers" variant="subtle" color="gray" className={classes.action}>
            <IconBuilding />
            <span>{t('clinics')}</span>
          </Button>
        )}
        {clinic && (mayListAdministrators || maySeeUsers) && (
          <ClinicChip
            name={clinic.name}
            onLeave={mayLeaveClinic ? () => session.send({ type: 'clinic.closed' }) : null}
          />
        )}
        <ToolButton label={t('account')} onClick={() => setAccountOpen(true)}>
          <IconUserCircle />
        </ToolButton>
      </Header>
      <Suspense fallback={null}>
        <DraftOffers onGo={(place) => place !== window.location.pathname + window.location.search && navigate(place)} />
      </Suspense>
      <main id="content" className={classes.content} tabIndex={-1}>
        <ErrorBoundary place={path}>
          <Suspense fallback={null}>
            <Routes session={session} live={live} onImportStarted={() => setTrayOpen(true)} />
          </Suspense>
        </ErrorBoundary>
      </main>
      {viewer && viewset && (
        <Suspense fallback={null}>
          <WaitingChanges viewer={viewer} viewset={viewset} />
        </Suspense>
      )}
      {trayOpen && tray && path !== '/import' && (
        <Suspense fallback={null}>
          <TrayPanel actor={tray} down={!live} onClose={() => setTrayOpen(false)} />
        </Suspense>
      )}
      {tray && clinic && (
        <Suspense fallback={null}>
          <DropAnywhere
            key={clinic.id}
            actor={tray}
            clinic={clinic}
            asleep={path === '/import' || path.startsWith('/patient/')}
            onStarted={() => navigate('/import')}
          />
        </Suspense>
      )}
      {account && wizard && (
        <Suspense fallback={null}>
          <TwoFactorDialog {...wizard} email={account.email} onClose={() => setWizard(null)} />
        </Suspense>
      )}
      {user && account && (
        <AccountPanel
          person={{
            name: `${user.firstName} ${user.lastName}`,
            email: user.email,
            roles: user.roles,
            clinic: clinic?.name ?? null,
          }}
          twoFactor={{ isOn: account.twoFactorEnabled, codesLeft: account.recoveryCodesLeft }}
          opened={accountOpen}
          themeChoice={themeChoice}
          onClose={() => setAccountOpen(false)}
          onLanguage={onLanguage}
          onTheme={onTheme}
          onTwoFactor={(wish) => setWizard({ wish, logic: twoFactor() })}
          onSignOut={() => session.send({ type: 'sign-out.wanted' })}
        >
          {mayListAdministrators && <AzureSettingsButton />}
          {maySeeUsers && (
            <Button
              component={Link}
              href={logHref}
              variant="default"
              style={{ justifySelf: 'start' }}
              leftSection={<IconListSearch aria-hidden="true" />}
              onClick={() => setAccountOpen(false)}
            >
              {t('log:title')}
            </Button>
          )}
        </AccountPanel>
      )}
    </div>
  );
};
