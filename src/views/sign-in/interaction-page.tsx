import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useLocation } from 'wouter';
import { upstreamPath } from '../../../contract/interactions.ts';
import { type SignInMethod, upstreamMethods } from '../../../contract/sign-in.ts';
import { useAppContext } from '../app/app-context.tsx';
import { useAppQueries } from '../app/queries-context.tsx';
import type { Language } from '../language/languages.ts';
import { InteractionFrame } from './interaction-frame.tsx';
import { leaveFor } from './leave-for.ts';
import { MethodRows, RowsToCome } from './method-rows.tsx';
import { PasswordForm } from './password-form.tsx';
import { SignInNotice } from './sign-in-notice.tsx';
import { useInteraction } from './use-interaction.ts';

interface InteractionPageProps {
  readonly uid: string;
  readonly problem: string | null;
  readonly onLanguage: (language: Language) => void;
}

const emptyCredentials = { email: '', password: '' };

/** Sign-in methods for an OpenID Connect client. */
export const InteractionPage = ({ uid, problem, onLanguage }: InteractionPageProps) => {
  const { t } = useTranslation(['interaction', 'sign-in']);
  const { signIn } = useAppContext();
  const [, navigate] = useLocation();
  const welcome = useQuery(useAppQueries().welcome());
  const interaction = useInteraction(uid);
  const [passwordOpen, setPasswordOpen] = useState(false);
  const [leavingTo, setLeavingTo] = useState<SignInMethod | null>(null);
  const methods = welcome.data?.methods;
  const only = methods?.length === 1 ? methods[0]?.method : undefined;
  const choose = (method: SignInMethod) => {
    const upstream = upstreamMethods.find((one) => one === method);
    if (method === 'password') setPasswordOpen(!passwordOpen);
    else if (upstream) {
      setLeavingTo(method);
      leaveFor(upstreamPath(uid, upstream));
    } else navigate(`/authorization/${method}?interaction=${uid}`);
  };
  const passwordForm = (
    <PasswordForm
      filled={emptyCredentials}
      busy={interaction.busy}
      failure={interaction.failure}
      forgot={null}
      onSubmit={({ email, password }) => interaction.attempt(() => signIn.password(uid, email, password))}
    />
  );
  return (
    <InteractionFrame
      interaction={interaction}
      title={interaction.clientName ? t('toClient', { client: interaction.clientName }) : t('sign-in:title')}
      step="list"
      onLanguage={onLanguage}
    >
      <SignInNotice problem={problem} ended={null} failure={null} />
      {!methods && <RowsToCome text={t('sign-in:waiting')} />}
      {only === 'password' && passwordForm}
      {methods && only !== 'password' && (
        <MethodRows
          methods={methods}
          passwordOpen={passwordOpen}
          leavingTo={leavingTo}
          onChoose={choose}
          passwordForm={passwordForm}
        />
      )}
    </InteractionFrame>
  );
};
