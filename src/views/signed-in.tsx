import { useQuery } from '@tanstack/react-query';
import { useSelector } from '@xstate/react';
import { type ComponentProps, Suspense, useDeferredValue, useEffect, useLayoutEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useLocation } from 'wouter';
import { navigate as leaveFor } from 'wouter/use-browser-location';
import {
  selectConnection,
  selectImportsTray,
  selectPatientSearch,
  selectViewer,
  selectViewsetActor,
} from '../machines/app/app.machine.ts';
import { selectIsLive } from '../machines/connection/connection.machine.ts';
import { type SessionActor, selectClinic, selectIsSignedIn, selectUser } from '../machines/session/session.machine.ts';
import { AccountPanel } from './account/account-panel.tsx';
import { DraftOffers } from './drafts/draft-offers.tsx';
import { WaitingChanges } from './drafts/waiting-changes.tsx';
import { useGround } from './ground.tsx';
import { DropAnywhere } from './import/drop-anywhere.tsx';
import { ImportIndicator } from './import/import-indicator.tsx';
import type { Language } from './language/languages.ts';
import { lazily, patiently } from './parts/lazily.ts';
import { useReading } from './reading.tsx';
import { Routes } from './routes.tsx';
import { SearchBox } from './search-box/search-box.tsx';
import { Apart } from './shell/apart.tsx';
import { ErrorBoundary } from './shell/error-boundary.tsx';
import { withFocusKept } from './shell/focus-kept.ts';
import { withFocusReturned } from './shell/focus-return.ts';
import { PageToCome } from './shell/page-to-come.tsx';
import classes from './shell/shell.module.css';
import type { ThemeChoice } from './theme/appearance.ts';
import { TopBar } from './top-bar.tsx';

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
  const { t } = useTranslation('shell');
  const [path, navigate] = useLocation();
  const { app, twoFactor } = useGround();
  const user = useSelector(session, selectUser);
  const clinic = useSelector(session, selectClinic);
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
  // What nobody sees yet is drawn once the page stands.
  const stands = useDeferredValue(true, false);
  useEffect(() => withFocusReturned(document), []);
  useEffect(() => withFocusKept(document), []);
  // Everybody may read the help; whoever signs out there comes to the sign-in page all the same.
  useLayoutEffect(
    () => () => {
      if (!selectIsSignedIn(session.getSnapshot()) && window.location.pathname === '/help')
        leaveFor('/authorization', { replace: true });
    },
    [session],
  );
  return (
    <div className={classes.shell}>
      <a href="#content" className={classes.skip}>
        {t('skip')}
      </a>
      <Apart place={path}>
        <TopBar
          session={session}
          live={live}
          search={clinic && patientSearch && <SearchBox actor={patientSearch} />}
          imports={tray && <ImportIndicator actor={tray} opened={trayOpen} onToggle={() => setTrayOpen(!trayOpen)} />}
          themeChoice={themeChoice}
          onTheme={onTheme}
          onLanguage={onLanguage}
          onAccount={() => setAccountOpen(true)}
        />
      </Apart>
      <Apart place={path}>
        <DraftOffers onGo={(place) => place !== window.location.pathname + window.location.search && navigate(place)} />
      </Apart>
      <main id="content" className={classes.content} tabIndex={-1}>
        <ErrorBoundary place={path}>
          <Suspense fallback={<PageToCome />}>
            <Routes session={session} live={live} onImportStarted={() => setTrayOpen(true)} />
          </Suspense>
        </ErrorBoundary>
      </main>
      {stands && viewer && viewset && (
        <Apart place={path}>
          <WaitingChanges viewer={viewer} viewset={viewset} />
        </Apart>
      )}
      {trayOpen && tray && path !== '/import' && (
        <Apart place={path}>
          <TrayPanel actor={tray} down={!live} onClose={() => setTrayOpen(false)} />
        </Apart>
      )}
      {stands && tray && clinic && (
        <Apart place={path}>
          <DropAnywhere
            key={clinic.id}
            actor={tray}
            clinic={clinic}
            asleep={path === '/import' || path.startsWith('/patient/')}
            onStarted={() => navigate('/import')}
          />
        </Apart>
      )}
      {account && wizard && (
        <Apart place={path}>
          <TwoFactorDialog {...wizard} email={account.email} onClose={() => setWizard(null)} />
        </Apart>
      )}
      {stands && user && account && (
        <Apart place={path}>
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
            onTwoFactor={(wish) => setWizard({ wish, logic: patiently(twoFactor) })}
            onSignOut={() => session.send({ type: 'sign-out.wanted' })}
          />
        </Apart>
      )}
    </div>
  );
};
