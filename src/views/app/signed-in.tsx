import { useQuery } from '@tanstack/react-query';
import { useSelector } from '@xstate/react';
import { Suspense, useDeferredValue, useEffect, useEffectEvent, useLayoutEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useLocation } from 'wouter';
import { navigate as leaveFor } from 'wouter/use-browser-location';
import {
  selectConnection,
  selectImportsTray,
  selectPatientSearch,
  selectViewer,
  selectViewsetActor,
} from '../../machines/app/app.machine.ts';
import { selectIsLive } from '../../machines/connection/connection.machine.ts';
import {
  type SessionActor,
  selectClinic,
  selectIsSignedIn,
  selectMay,
  selectUser,
} from '../../machines/session/session.machine.ts';
import { DraftOffers, UnsavedChanges } from '../drafts/draft-offers.tsx';
import { fetchesState, useFetches } from '../fetching/use-fetches.ts';
import { DropAnywhere } from '../import/file-drop.tsx';
import { ImportIndicator } from '../import/import-indicator.tsx';
import type { Language } from '../language/languages.ts';
import { SearchBox } from '../search-box/search-box.tsx';
import { type SendingsState, sendingsState, useSendings } from '../sending/use-sendings.ts';
import type { ThemeChoice } from '../theme/theme.ts';
import { lazyComponent } from '../ui/lazy-component.ts';
import { toast } from '../ui/toast.ts';
import { secondWindow } from '../workspace/second-window/second-window.ts';
import { AccountOverlays, TwoFactorFirst } from './account-overlays.tsx';
import { useAppContext } from './app-context.tsx';
import { MoveStudy } from './move-study.tsx';
import { useAppQueries } from './queries-context.tsx';
import { Routes } from './routes.tsx';
import { takeEarlyDrop } from './shell/browser-defaults.ts';
import { ErrorBoundary, Isolated } from './shell/error-boundary.tsx';
import { focusContentAfterRemoval, returnFocusOnClose } from './shell/focus-return.ts';
import { PageLoading } from './shell/page-loading.tsx';
import classes from './shell/shell.module.css';
import { TopBar } from './top-bar.tsx';
import { useImportTray } from './use-import-tray.ts';

const Fetches = lazyComponent(async () => (await import('../fetching/fetch-list.tsx')).Fetches);
const Sendings = lazyComponent(async () => (await import('../sending/sending-list.tsx')).Sendings);
const TrayPanel = lazyComponent(async () => (await import('../import/tray-panel.tsx')).TrayPanel);

/** The state of sendings and fetches together. */
const joined = (one: SendingsState | null, other: SendingsState | null): SendingsState | null => {
  if (!one || !other) return one ?? other;
  const running = one.running + other.running;
  return {
    running,
    needsAttention: one.needsAttention || other.needsAttention,
    percent: running === 0 ? 0 : Math.floor((one.percent * one.running + other.percent * other.running) / running),
  };
};

interface SignedInProps {
  readonly session: SessionActor;
  readonly themeChoice: ThemeChoice;
  readonly onTheme: (choice: ThemeChoice) => void;
  readonly onLanguage: (language: Language) => void;
}

/** The header, the page below it, and overlays. */
const Shell = ({ session, themeChoice, onTheme, onLanguage }: SignedInProps) => {
  const { t } = useTranslation('shell');
  const [path, navigate] = useLocation();
  const { app } = useAppContext();
  const user = useSelector(session, selectUser);
  const clinic = useSelector(session, selectClinic);
  const tray = useSelector(app, selectImportsTray);
  const patientSearch = useSelector(app, selectPatientSearch);
  const viewer = useSelector(app, selectViewer);
  const viewset = useSelector(app, selectViewsetActor);
  const connection = useSelector(app, selectConnection);
  const live = useSelector(connection, (snapshot) => (snapshot ? selectIsLive(snapshot) : false));
  const [accountOpen, setAccountOpen] = useState(false);
  const isLimited = useSelector(session, selectMay('disable.open'));
  const sendsFrom = isLimited ? null : (clinic?.id ?? null);
  const mayCreateStudies = !useSelector(session, selectMay('disable.new_study'));
  const fetchesTo = mayCreateStudies ? (clinic?.id ?? null) : null;
  const transfers = joined(sendingsState(useSendings(sendsFrom)), fetchesState(useFetches(fetchesTo)));
  const importTray = useImportTray(path);
  const shownTray = importTray.isOpen ? tray : undefined;
  // Hidden panels render after the page.
  const stands = useDeferredValue(true, false);
  const refuseEarlyDrop = useEffectEvent(() => {
    if (takeEarlyDrop(document)) toast({ tone: 'bad', text: t('dropTooEarly'), close: t('close') });
  });
  useEffect(() => refuseEarlyDrop(), []);
  useEffect(() => returnFocusOnClose(document), []);
  useEffect(() => focusContentAfterRemoval(document), []);
  useEffect(() => () => secondWindow.close(), []);
  // The help page is public, so signing out there would not lead to the sign-in page.
  useLayoutEffect(
    () => () => {
      if (!selectIsSignedIn(session.getSnapshot()) && window.location.pathname === '/help')
        leaveFor('/authorization', { replace: true });
    },
    [session],
  );
  return (
    <div className={classes.shell} data-import-tray={shownTray ? 'open' : undefined}>
      <a href="#content" className={classes.skip}>
        {t('skip')}
      </a>
      <Isolated place={path}>
        <TopBar
          session={session}
          live={live}
          search={clinic && patientSearch && <SearchBox actor={patientSearch} />}
          imports={
            tray && (
              <ImportIndicator
                actor={tray}
                sendings={transfers}
                opened={importTray.isOpen}
                onToggle={importTray.toggle}
              />
            )
          }
          themeChoice={themeChoice}
          onTheme={onTheme}
          onLanguage={onLanguage}
          onAccount={() => setAccountOpen(true)}
        />
      </Isolated>
      <Isolated place={path}>
        <DraftOffers onGo={(place) => place !== window.location.pathname + window.location.search && navigate(place)} />
      </Isolated>
      <main id="content" className={classes.content} tabIndex={-1}>
        <ErrorBoundary place={path}>
          <Suspense fallback={<PageLoading />}>
            <MoveStudy session={session}>
              <Routes session={session} live={live} onImportStarted={importTray.onImportStarted} />
            </MoveStudy>
          </Suspense>
        </ErrorBoundary>
      </main>
      {stands && viewer && viewset && (
        <Isolated place={path}>
          <UnsavedChanges viewer={viewer} viewset={viewset} />
        </Isolated>
      )}
      {shownTray && (
        <Isolated place={path}>
          <MoveStudy session={session}>
            <TrayPanel
              actor={shownTray}
              isConnectionLost={!live}
              sendings={
                transfers && (
                  <>
                    <Sendings customerId={sendsFrom} />
                    <Fetches customerId={fetchesTo} />
                  </>
                )
              }
              onClose={importTray.close}
            />
          </MoveStudy>
        </Isolated>
      )}
      {stands && tray && clinic && (
        <Isolated place={path}>
          <DropAnywhere
            key={clinic.id}
            actor={tray}
            clinic={clinic}
            disabled={path === '/import' || path.startsWith('/patient/')}
            onStarted={() => navigate('/import')}
          />
        </Isolated>
      )}
      {stands && user && (
        <Isolated place={path}>
          <AccountOverlays
            session={session}
            user={user}
            opened={accountOpen}
            onClose={() => setAccountOpen(false)}
            place={path}
            themeChoice={themeChoice}
            onTheme={onTheme}
            onLanguage={onLanguage}
          />
        </Isolated>
      )}
    </div>
  );
};

/** Everything behind the sign-in. */
export const SignedIn = (props: SignedInProps) => {
  const signedIn = useSelector(props.session, selectUser);
  // Also when the rule begins while the user works.
  const user = useQuery({ ...useAppQueries().account(), enabled: false }).data ?? signedIn;
  return user?.restriction === 'two-factor-needed' ? (
    <TwoFactorFirst session={props.session} user={user} />
  ) : (
    <Shell {...props} />
  );
};
