import { useActorRef } from '@xstate/react';
import { useEffect } from 'react';
import { useLocation } from 'wouter';
import { useAppContext } from '../app/app-context.tsx';
import type { Language } from '../language/languages.ts';
import { lazyAuthPage } from '../ui/lazy-auth-page.ts';
import { leaveFor } from './leave-for.ts';

const InteractionPage = lazyAuthPage(async () => (await import('./interaction-page.tsx')).InteractionPage);
const BankIdPage = lazyAuthPage(async () => (await import('./bank-id-page.tsx')).BankIdPage);
const PasskeyPage = lazyAuthPage(async () => (await import('./passkey-page.tsx')).PasskeyPage);
const SmsPage = lazyAuthPage(async () => (await import('./sms-page.tsx')).SmsPage);

interface InteractionPagesProps {
  readonly uid: string;
  /** Problem code returned by an external sign-in. */
  readonly problem: string | null;
  readonly onLanguage: (language: Language) => void;
}

/** The pages of one authorization request; they share its actor. */
export const InteractionPages = ({ uid, problem, onLanguage }: InteractionPagesProps) => {
  const { interaction, inspect } = useAppContext();
  const actor = useActorRef(interaction, { input: { uid }, inspect });
  const [path, navigate] = useLocation();
  useEffect(() => {
    const subscriptions = [
      actor.on('navigation.requested', (event) => navigate(event.path)),
      actor.on('redirect.requested', (event) => leaveFor(event.address)),
    ];
    return () => {
      for (const subscription of subscriptions) subscription.unsubscribe();
    };
  }, [actor, navigate]);
  useEffect(() => actor.send({ type: 'path.entered', path }), [actor, path]);
  if (path === '/authorization/bankid') return <BankIdPage uid={uid} actor={actor} onLanguage={onLanguage} />;
  if (path === '/authorization/passkey') return <PasskeyPage actor={actor} onLanguage={onLanguage} />;
  if (path === '/authorization/sms') return <SmsPage actor={actor} onLanguage={onLanguage} />;
  return <InteractionPage uid={uid} actor={actor} problem={problem} onLanguage={onLanguage} />;
};
