import { MantineProvider } from '@mantine/core';
import { useSelector } from '@xstate/react';
import { Suspense, useEffect, useState } from 'react';
import { getI18n, useTranslation } from 'react-i18next';
import { Redirect, useLocation, useSearch } from 'wouter';
import {
  selectIsStarting,
  selectIsVisitorKnown,
  selectSession,
  selectShowsSpinner,
} from '../../machines/app/app.machine.ts';
import { type SessionActor, selectIsSignedIn, selectSessionProblem } from '../../machines/session/session.machine.ts';
import type { Language } from '../language/languages.ts';
import { loadAppTexts, setLanguage } from '../language/translation.ts';
import { appearanceOf, styleNonce, type ThemeChoice, theme } from '../theme/theme.ts';
import { lazyComponent, preloadableComponent, useIsLoadDelayed } from '../ui/lazy-component.ts';
import { ProductMark } from '../ui/product-mark.tsx';
import { Toasts } from '../ui/toasts.tsx';
import { useAppContext } from './app-context.tsx';
import classes from './init-overlay.module.css';
import { hasSignInRequest, isSignInPath, showsImages, useRequestedNavigation } from './paths.ts';
import { preventStrayDrops, suppressContextMenu } from './shell/browser-defaults.ts';
import { ErrorBoundary } from './shell/error-boundary.tsx';
import { useReloadOnReconnect } from './shell/reload-on-reconnect.ts';
import { Visitor } from './visitor.tsx';

/** Covers the page while the app starts. The logo is still until `spins`. */
const InitOverlay = ({ text, spins }: { text: string; spins: boolean }) => (
  <div className={classes.overlay} role="status">
    <div className={classes.mark} data-spins={spins || undefined}>
      <ProductMark size={56} />
    </div>
    <p>{text}</p>
  </div>
);

/** The pages behind sign-in; `fetch` preloads them and their texts when a session is expected. */
export const SignedIn = preloadableComponent(async () => {
  const [{ SignedIn }] = await Promise.all([import('./signed-in.tsx'), loadAppTexts(getI18n())]);
  return SignedIn;
});

const SessionProblem = lazyComponent(async () => (await import('./shell/session-problem.tsx')).SessionProblem);

/** Overlay while the app starts. The page renders behind it. */
const Start = () => {
  const { t } = useTranslation(['shell', 'sign-in']);
  const { app } = useAppContext();
  const [path] = useLocation();
  const starting = useSelector(app, selectIsStarting);
  const spins = useSelector(app, selectShowsSpinner);
  if (!starting) return null;
  return <InitOverlay text={path === '/auth/callback' ? t('sign-in:signingIn') : t('loading')} spins={spins} />;
};

/** Fallback while the pages behind sign-in, or of one sign-in method, are loaded. */
const AppLoading = () => {
  const { t } = useTranslation(['shell', 'failure']);
  const starting = useSelector(useAppContext().app, selectIsStarting);
  const isLate = useIsLoadDelayed();
  useReloadOnReconnect(isLate);
  if (starting) return null;
  return <InitOverlay text={isLate ? t('failure:offline') : t('loading')} spins />;
};

const Inside = ({ session, themeChoice, onTheme }: { session: SessionActor } & ThemeProps) => {
  const { i18n } = useTranslation();
  const { app, rememberLanguage } = useAppContext();
  const [path, navigate] = useLocation();
  // An authorization request is shown even when a user is signed in.
  const hasRequest = hasSignInRequest(path, useSearch());
  const isVisitorKnown = useSelector(app, selectIsVisitorKnown);
  const signedIn = useSelector(session, selectIsSignedIn);
  const problem = useSelector(session, selectSessionProblem);
  const onLanguage = (language: Language) => {
    rememberLanguage(language);
    void setLanguage(i18n, language);
  };
  if (!isVisitorKnown) return null;
  return (
    <Suspense fallback={<AppLoading />}>
      {(!signedIn || hasRequest) && <Visitor actor={session} onLanguage={onLanguage} />}
      {signedIn && isSignInPath(path) && !hasRequest && <Redirect to="/" replace />}
      {signedIn && !isSignInPath(path) && (
        <SignedIn session={session} themeChoice={themeChoice} onTheme={onTheme} onLanguage={onLanguage} />
      )}
      {/* The sign-in page says every reason that is known. */}
      {problem === 'refused' && !signedIn && (
        <SessionProblem
          onRestart={() => {
            navigate('/authorization');
            window.location.reload();
          }}
        />
      )}
    </Suspense>
  );
};

interface ThemeProps {
  readonly themeChoice: ThemeChoice;
  readonly onTheme: (choice: ThemeChoice) => void;
}

/** The app: theme, language and session. */
export const App = () => {
  const appContext = useAppContext();
  const [path] = useLocation();
  const [themeChoice, setThemeChoice] = useState(appContext.themeChoice);
  const session = useSelector(appContext.app, selectSession);
  const signedIn = useSelector(session, (snapshot) => (snapshot ? selectIsSignedIn(snapshot) : false));
  const isVisitorKnown = useSelector(appContext.app, selectIsVisitorKnown);
  // The theme of the expected user is applied from the start, to avoid a second styling.
  const appearance = appearanceOf(
    themeChoice,
    (isVisitorKnown ? signedIn : appContext.expectsSignIn) && showsImages(path),
  );
  useRequestedNavigation(appContext.app);
  const search = useSearch();
  useEffect(() => {
    // Sign-in pages are not a destination to return to.
    if (!isSignInPath(path)) appContext.app.send({ type: 'path.entered', path: search ? `${path}?${search}` : path });
  }, [appContext.app, path, search]);
  useEffect(() => suppressContextMenu(document), []);
  useEffect(() => preventStrayDrops(window), []);
  const onTheme = (choice: ThemeChoice) => {
    setThemeChoice(choice);
    appContext.rememberTheme(choice);
  };
  return (
    <MantineProvider theme={theme} forceColorScheme={appearance} getStyleNonce={styleNonce}>
      <Toasts ready={signedIn} />
      <ErrorBoundary place={path} frame={(crash) => <main>{crash}</main>}>
        <Start />
        {session && <Inside session={session} themeChoice={themeChoice} onTheme={onTheme} />}
      </ErrorBoundary>
    </MantineProvider>
  );
};
