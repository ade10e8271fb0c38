import { useQuery } from '@tanstack/react-query';
import { useSelector } from '@xstate/react';
import { Suspense } from 'react';
import { getI18n, useTranslation } from 'react-i18next';
import { Redirect, useLocation, useSearchParams } from 'wouter';
import { type SessionActor, selectIsSignedOut, selectIsSigningIn } from '../../machines/session/session.machine.ts';
import type { Language } from '../language/languages.ts';
import { loadHelpTexts } from '../language/translation.ts';
import { AuthList } from '../sign-in/auth-list.tsx';
import { InteractionPages } from '../sign-in/interaction-pages.tsx';
import { MethodRowsSkeleton } from '../sign-in/method-rows.tsx';
import { storeResetLink } from '../sign-in/reset-link.ts';
import { SignInFrame, SigningIn } from '../sign-in/sign-in-frame.tsx';
import { lazyAuthPage } from '../ui/lazy-auth-page.ts';
import { lazyComponent } from '../ui/lazy-component.ts';
import { isSignInPath } from './paths.ts';
import { useAppQueries } from './queries-context.tsx';

const SetupPage = lazyAuthPage(async () => (await import('../setup/setup-page.tsx')).SetupPage);
const ForgotPage = lazyAuthPage(async () => (await import('../sign-in/forgot-page.tsx')).ForgotPage);
const ForgotSuccessPage = lazyAuthPage(
  async () => (await import('../sign-in/forgot-success-page.tsx')).ForgotSuccessPage,
);
const NewPasswordPage = lazyAuthPage(async () => {
  storeResetLink();
  return (await import('../sign-in/new-password-page.tsx')).NewPasswordPage;
});
const VisitorHelp = lazyComponent(async () => {
  const [{ VisitorHelp }] = await Promise.all([import('./visitor-help.tsx'), loadHelpTexts(getI18n())]);
  return VisitorHelp;
});

/** Returns the interaction id of the URL; null when missing or malformed. */
const interactionOf = (search: URLSearchParams): string | null => {
  const uid = search.get('interaction');
  return uid && /^[\w-]{10,64}$/.test(uid) ? uid : null;
};

interface VisitorProps {
  readonly actor: SessionActor;
  readonly onLanguage: (language: Language) => void;
}

/** Pages before sign-in: sign-in methods, help, and setup of an empty archive. */
export const Visitor = (props: VisitorProps) => {
  const { t } = useTranslation('sign-in');
  const [path] = useLocation();
  if (path === '/help') return <VisitorHelp onLanguage={props.onLanguage} />;
  const toCome = (
    <SignInFrame title={t('title')} onLanguage={props.onLanguage}>
      <MethodRowsSkeleton text={t('waiting')} />
    </SignInFrame>
  );
  return (
    <Suspense fallback={toCome}>
      <Page {...props} />
    </Suspense>
  );
};

const Page = ({ actor, onLanguage }: VisitorProps) => {
  const [path] = useLocation();
  const [search] = useSearchParams();
  const welcome = useQuery(useAppQueries().welcome());
  const signedOut = useSelector(actor, selectIsSignedOut);
  const signingIn = useSelector(actor, selectIsSigningIn);
  const uid = interactionOf(search);
  const problem = search.get('problem');
  if (!isSignInPath(path)) return <Redirect to="/authorization" replace />;
  // The key is in the fragment, which browsers do not send to the server.
  if (path === '/setup' || welcome.data?.awaitsFirstAdministrator)
    return <SetupPage actor={actor} oneTimeKey={window.location.hash.slice(1)} onLanguage={onLanguage} />;
  if (path === '/authorization/password/forgot') return <ForgotPage onLanguage={onLanguage} />;
  if (path === '/authorization/password/forgot/success') return <ForgotSuccessPage onLanguage={onLanguage} />;
  if (path === '/authorization/newpassword') return <NewPasswordPage onLanguage={onLanguage} />;
  if (uid) return <InteractionPages key={uid} uid={uid} problem={problem} onLanguage={onLanguage} />;
  const isList = path === '/authorization' || path === '/authorization/password';
  // The code flow keeps its callback URL until the server has answered.
  const isOnItsWay = path === '/auth/callback' && !signedOut;
  if (isOnItsWay && signingIn) return <SigningIn onLanguage={onLanguage} />;
  if (!isList && !isOnItsWay) return <Redirect to="/authorization" replace />;
  return (
    <AuthList
      actor={actor}
      passwordOpen={path === '/authorization/password'}
      problem={problem}
      onLanguage={onLanguage}
    />
  );
};
