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
} from '../machines/app/app.machine.ts';
import { type SessionActor, selectIsSignedIn, selectSessionProblem } from '../machines/session/session.machine.ts';
import { useGround } from './ground.tsx';
import type { Language } from './language/languages.ts';
import { speak, speakInRooms } from './language/translation.ts';
import { InitOverlay } from './parts/init-overlay.tsx';
import { lazily, lazilyOrAtOnce, useIsLate } from './parts/lazily.ts';
import { Toasts } from './parts/toasts.tsx';
import { asksForSignIn, isEntry, showsImages, useWantedPlaces } from './places.ts';
import { withoutContextMenu } from './shell/context-menu.ts';
import { ErrorBoundary } from './shell/error-boundary.tsx';
import { useReloadWhenBack } from './shell/reload-when-back.ts';
import { withoutStrayDrops } from './shell/stray-drops.ts';
import { appearanceOf, type ThemeChoice } from './theme/appearance.ts';
import { styleNonce } from './theme/style-nonce.ts';
import { theme } from './theme/theme.ts';
import { Visitor } from './visitor.tsx';

/** The rooms; `fetch` brings them, with their words, for somebody who is expected. */
export const SignedIn = lazilyOrAtOnce(async () => {
  const [{ SignedIn }] = await Promise.all([import('./signed-in.tsx'), speakInRooms(getI18n())]);
  return SignedIn;
});

const SessionProblem = lazily(async () => (await import('./shell/session-problem.tsx')).SessionProblem);

/** Above everything while the product starts. The page is made ready behind it, so that it stands when this goes. */
const Start = () => {
  const { t } = useTranslation(['shell', 'sign-in']);
  const { app } = useGround();
  const [path] = useLocation();
  const starting = useSelector(app, selectIsStarting);
  const spins = useSelector(app, selectShowsSpinner);
  if (!starting) return null;
  return <InitOverlay text={path === '/auth/callback' ? t('sign-in:signingIn') : t('loading')} spins={spins} />;
};

/** In place of the rooms behind the sign-in, or of the pages of a way to it, that are being fetched. */
const RoomsToCome = () => {
  const { t } = useTranslation(['shell', 'failure']);
  const starting = useSelector(useGround().app, selectIsStarting);
  const isLate = useIsLate();
  useReloadWhenBack(isLate);
  if (starting) return null;
  return <InitOverlay text={isLate ? t('failure:offline') : t('loading')} spins />;
};

const Inside = ({ session, themeChoice, onTheme }: { session: SessionActor } & ThemeProps) => {
  const { i18n } = useTranslation();
  const { app, rememberLanguage } = useGround();
  const [path, navigate] = useLocation();
  // Another program's question who somebody is stands by itself, whoever is signed in here.
  const asked = asksForSignIn(path, useSearch());
  const known = useSelector(app, selectIsVisitorKnown);
  const signedIn = useSelector(session, selectIsSignedIn);
  const problem = useSelector(session, selectSessionProblem);
  const onLanguage = (language: Language) => {
    rememberLanguage(language);
    void speak(i18n, language);
  };
  if (!known) return null;
  return (
    <Suspense fallback={<RoomsToCome />}>
      {(!signedIn || asked) && <Visitor actor={session} onLanguage={onLanguage} />}
      {signedIn && isEntry(path) && !asked && <Redirect to="/" replace />}
      {signedIn && !isEntry(path) && (
        <SignedIn session={session} themeChoice={themeChoice} onTheme={onTheme} onLanguage={onLanguage} />
      )}
      {/* Who has simply been away for long has nothing to save. */}
      {problem && problem !== 'expired' && !signedIn && (
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

/** The whole product: its light, its languages, and who is at the screen. */
export const App = () => {
  const ground = useGround();
  const [path] = useLocation();
  const [themeChoice, setThemeChoice] = useState(ground.themeChoice);
  const session = useSelector(ground.app, selectSession);
  const signedIn = useSelector(session, (snapshot) => (snapshot ? selectIsSignedIn(snapshot) : false));
  const known = useSelector(ground.app, selectIsVisitorKnown);
  // The light of whoever is expected is there from the first: a page that is lit anew is styled anew.
  const appearance = appearanceOf(themeChoice, (known ? signedIn : ground.expectsSomebody) && showsImages(path));
  useWantedPlaces(ground.app);
  const search = useSearch();
  useEffect(() => {
    // An entry page is where one waits, not where one wanted to go.
    if (!isEntry(path)) ground.app.send({ type: 'place.entered', place: search ? `${path}?${search}` : path });
  }, [ground.app, path, search]);
  useEffect(() => withoutContextMenu(document), []);
  useEffect(() => withoutStrayDrops(window), []);
  const onTheme = (choice: ThemeChoice) => {
    setThemeChoice(choice);
    ground.rememberTheme(choice);
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
