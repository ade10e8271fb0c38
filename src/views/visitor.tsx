import { useQuery } from '@tanstack/react-query';
import { Redirect, useLocation } from 'wouter';
import type { SessionActor } from '../machines/session/session.machine.ts';
import type { Language } from './language/languages.ts';
import { lazily } from './parts/lazily.ts';
import { isEntry } from './places.ts';
import { useReading } from './reading.tsx';
import { SignInPage } from './sign-in/sign-in-page.tsx';

const SetupPage = lazily(async () => (await import('./setup/setup-page.tsx')).SetupPage);

/** The pages of nobody in particular: sign-in, and the first visit to an empty archive. */
export const Visitor = ({ actor, onLanguage }: { actor: SessionActor; onLanguage: (language: Language) => void }) => {
  const [path] = useLocation();
  const welcome = useQuery(useReading().welcome());
  if (!isEntry(path)) return <Redirect to="/authorization" replace />;
  // The key stands behind the #, which browsers do not send.
  if (path === '/setup' || welcome.data?.awaitsFirstAdministrator)
    return <SetupPage actor={actor} oneTimeKey={window.location.hash.slice(1)} onLanguage={onLanguage} />;
  return <SignInPage actor={actor} onLanguage={onLanguage} />;
};
