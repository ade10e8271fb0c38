import { useQuery } from '@tanstack/react-query';
import { useSelector } from '@xstate/react';
import { type ComponentType, Suspense } from 'react';
import { getI18n, useTranslation } from 'react-i18next';
import { Redirect, useLocation, useSearchParams } from 'wouter';
import { type SessionActor, selectIsSignedOut, selectIsSigningIn } from '../machines/session/session.machine.ts';
import type { Language } from './language/languages.ts';
import { speakAtDoors, speakInHelp } from './language/translation.ts';
import { lazily } from './parts/lazily.ts';
import { isEntry } from './places.ts';
import { useReading } from './reading.tsx';
import { AuthList } from './sign-in/auth-list.tsx';
import { RowsToCome } from './sign-in/method-rows.tsx';
import { keepResetLink } from './sign-in/reset-link.ts';
import { SignInFrame } from './sign-in/sign-in-frame.tsx';
import { SigningIn } from './sign-in/signing-in.tsx';

/** A page of one way to sign in, fetched with its words. */
// biome-ignore lint/suspicious/noExplicitAny: a component of any properties, as `lazily` takes it
const door = <Page extends ComponentType<any>>(load: () => Promise<Page>) =>
  lazily(async () => (await Promise.all([load(), speakAtDoors(getI18n())]))[0]);

const SetupPage = door(async () => (await import('./setup/setup-page.tsx')).SetupPage);
const ForgotPage = door(async () => (await import('./sign-in/forgot-page.tsx')).ForgotPage);
const ForgotSuccessPage = door(async () => (await import('./sign-in/forgot-success-page.tsx')).ForgotSuccessPage);
const NewPasswordPage = door(async () => {
  keepResetLink();
  return (await import('./sign-in/new-password-page.tsx')).NewPasswordPage;
});
const InteractionPage = door(async () => (await import('./sign-in/interaction-page.tsx')).InteractionPage);
const BankIdPage = door(async () => (await import('./sign-in/bank-id-page.tsx')).BankIdPage);
const SmsPage = door(async () => (await import('./sign-in/sms-page.tsx')).SmsPage);
const VisitorHelp = lazily(async () => {
  const [{ VisitorHelp }] = await Promise.all([import('./visitor-help.tsx'), speakInHelp(getI18n())]);
  return VisitorHelp;
});

/** The interaction that an address names; null when it names none that can be. */
const interactionOf = (search: URLSearchParams): string | null => {
  const uid = search.get('interaction');
  return uid && /^[\w-]{10,64}$/.test(uid) ? uid : null;
};

interface VisitorProps {
  readonly actor: SessionActor;
  readonly onLanguage: (language: Language) => void;
}

/** The pages of nobody in particular: the ways to sign in, the help with it, and the first visit to an empty archive. */
export const Visitor = (props: VisitorProps) => {
  const { t } = useTranslation('sign-in');
  const [path] = useLocation();
  if (path === '/help') return <VisitorHelp onLanguage={props.onLanguage} />;
  const toCome = (
    <SignInFrame title={t('title')} onLanguage={props.onLanguage}>
      <RowsToCome text={t('waiting')} />
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
  const welcome = useQuery(useReading().welcome());
  const signedOut = useSelector(actor, selectIsSignedOut);
  const signingIn = useSelector(actor, selectIsSigningIn);
  const uid = interactionOf(search);
  const problem = search.get('problem');
  if (!isEntry(path)) return <Redirect to="/authorization" replace />;
  // The key stands behind the #, which browsers do not send.
  if (path === '/setup' || welcome.data?.awaitsFirstAdministrator)
    return <SetupPage actor={actor} oneTimeKey={window.location.hash.slice(1)} onLanguage={onLanguage} />;
  if (path === '/authorization/password/forgot') return <ForgotPage onLanguage={onLanguage} />;
  if (path === '/authorization/password/forgot/success') return <ForgotSuccessPage onLanguage={onLanguage} />;
  if (path === '/authorization/newpassword') return <NewPasswordPage onLanguage={onLanguage} />;
  if (uid && path === '/authorization/bankid') return <BankIdPage key={uid} uid={uid} onLanguage={onLanguage} />;
  if (uid && path === '/authorization/sms') return <SmsPage key={uid} uid={uid} onLanguage={onLanguage} />;
  if (uid) return <InteractionPage key={uid} uid={uid} problem={problem} onLanguage={onLanguage} />;
  const isList = path === '/authorization' || path === '/authorization/password';
  // The way back of the code flow keeps its address for as long as the archive has not answered.
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
