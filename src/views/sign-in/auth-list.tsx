import { useQuery } from '@tanstack/react-query';
import { useSelector } from '@xstate/react';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Redirect, useLocation } from 'wouter';
import type { SignInMethod } from '../../../contract/sign-in.ts';
import {
  type SessionActor,
  type SessionEvent,
  selectIsLeaving,
  selectIsSigningIn,
  selectIsSigningOut,
  selectIsUnreachable,
  selectNeedsCode,
  selectSecondFactors,
  selectSessionEnd,
  selectSessionProblem,
  selectSignInFailure,
} from '../../machines/session/session.machine.ts';
import { useAppQueries } from '../app/queries-context.tsx';
import type { Language } from '../language/languages.ts';
import { CodeForm } from './code-form.tsx';
import { DemoAccounts } from './demo-accounts.tsx';
import { isPasswordOnly, SignInMethods } from './method-rows.tsx';
import { type Credentials, emptyCredentials, PasswordForm } from './password-form.tsx';
import { useSignInFailureText } from './sign-in-failure-text.ts';
import { SignInFrame } from './sign-in-frame.tsx';
import { SignInNotice, Unreachable } from './sign-in-notice.tsx';

type SignInRequest = Extract<SessionEvent, { readonly type: 'sign-in.submitted' | 'method.chosen' }>;

const retryMs = 5_000;

/** Restoring a stored session waits for the server. */
const selectAwaitsArchive = (snapshot: ReturnType<SessionActor['getSnapshot']>): boolean =>
  selectIsUnreachable(snapshot) || snapshot.matches('restoring');

/**
 * Returns a sign-in `send` that waits while the previous session is still signing out, so that the user need not retry,
 * and whether a request is waiting.
 */
const useDeferredSend = (actor: SessionActor): readonly [(request: SignInRequest) => void, boolean] => {
  const isTaken = useSelector(actor, selectIsSigningOut);
  const [waiting, setWaiting] = useState<SignInRequest | null>(null);
  useEffect(() => {
    if (isTaken || waiting === null) return;
    setWaiting(null);
    actor.send(waiting);
  }, [isTaken, waiting, actor]);
  return [isTaken ? setWaiting : actor.send, waiting !== null];
};

interface AuthListProps {
  readonly actor: SessionActor;
  /** True at /authorization/password. */
  readonly passwordOpen: boolean;
  /** Problem code returned by an external sign-in. */
  readonly problem: string | null;
  readonly onLanguage: (language: Language) => void;
}

/** Lists the sign-in methods, with the password form below its row and the second factor. */
export const AuthList = ({ actor, passwordOpen, problem, onLanguage }: AuthListProps) => {
  const { t } = useTranslation('sign-in');
  const failureText = useSignInFailureText();
  const [, navigate] = useLocation();
  const [send, waiting] = useDeferredSend(actor);
  const busy = useSelector(actor, selectIsSigningIn) || waiting;
  const failure = useSelector(actor, selectSignInFailure);
  const unreachable = useSelector(actor, selectAwaitsArchive);
  const needsCode = useSelector(actor, selectNeedsCode);
  const secondFactors = useSelector(actor, selectSecondFactors);
  const leaving = useSelector(actor, selectIsLeaving) || waiting;
  const end = useSelector(actor, selectSessionEnd);
  const sessionProblem = useSelector(actor, selectSessionProblem);
  const [filled, setFilled] = useState(emptyCredentials);
  const [sent, setSent] = useState<Credentials | null>(null);
  const [chosen, setChosen] = useState<SignInMethod | null>(null);
  const welcome = useQuery({
    ...useAppQueries().welcome(),
    refetchInterval: ({ state }) => (state.status === 'error' ? retryMs : false),
  });

  const submit = (credentials: Credentials, code: string | null) => {
    setSent(credentials);
    send({ type: 'sign-in.submitted', ...credentials, code });
  };
  const methods = welcome.data?.methods;
  const offersPassword = methods?.some(({ method }) => method === 'password') ?? false;

  if (sent && needsCode)
    return (
      <SignInFrame title={t('codeTitle')} step="code" withHelp onLanguage={onLanguage}>
        <CodeForm
          factors={secondFactors?.factors ?? ['authenticator']}
          busy={busy}
          failure={failure && failureText(failure)}
          onSubmit={(code) => submit(sent, code)}
          onPasskey={() => send({ type: 'sign-in.submitted', ...sent, code: null, byPasskey: true })}
          onBack={() => {
            actor.send({ type: 'code.dismissed' });
            setFilled({ ...sent, password: '' });
            setSent(null);
          }}
        />
      </SignInFrame>
    );

  const away = unreachable || (!welcome.data && welcome.failureCount > 0);
  if (away)
    return (
      <SignInFrame title={t('title')} step="away" withHelp onLanguage={onLanguage}>
        <Unreachable
          onRetry={() => {
            actor.send({ type: 'restore.retried' });
            void welcome.refetch();
          }}
          onForget={unreachable ? () => actor.send({ type: 'sign-out.requested' }) : null}
        />
      </SignInFrame>
    );

  if (methods && passwordOpen && !offersPassword) return <Redirect to="/authorization" replace />;

  const passwordForm = (
    <PasswordForm
      key={filled.email}
      filled={filled}
      busy={busy}
      failure={sent && failure && failureText(failure)}
      forgot="/authorization/password/forgot"
      onSubmit={(credentials) => submit(credentials, null)}
    />
  );
  return (
    <SignInFrame title={t('title')} step="list" withHelp onLanguage={onLanguage}>
      <SignInNotice
        problem={sent ? null : problem}
        ended={end === 'problem' ? sessionProblem : end}
        failure={sent ? null : failure}
      />
      <SignInMethods
        methods={methods}
        passwordOpen={passwordOpen}
        leavingTo={leaving ? chosen : null}
        passwordForm={passwordForm}
        onChoose={(method) => {
          if (method === 'password') navigate(passwordOpen ? '/authorization' : '/authorization/password');
          else {
            setChosen(method);
            send({ type: 'method.chosen', method });
          }
        }}
      />
      {methods && offersPassword && (
        <DemoAccounts
          accounts={welcome.data?.demoAccounts ?? []}
          onChoose={(account) => {
            setFilled(account);
            if (!isPasswordOnly(methods)) navigate('/authorization/password');
          }}
        />
      )}
    </SignInFrame>
  );
};
