import { useQuery } from '@tanstack/react-query';
import { useSelector } from '@xstate/react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useLocation } from 'wouter';
import { upstreamPath } from '../../../contract/interactions.ts';
import { type SignInMethod, upstreamMethods } from '../../../contract/sign-in.ts';
import { type InteractionActor, selectClientName } from '../../machines/interaction/interaction.machine.ts';
import { useAppQueries } from '../app/queries-context.tsx';
import type { Language } from '../language/languages.ts';
import { InteractionFrame, useAttempt } from './interaction-frame.tsx';
import { leaveFor } from './leave-for.ts';
import { SignInMethods } from './method-rows.tsx';
import { emptyCredentials, PasswordForm } from './password-form.tsx';
import { SignInNotice } from './sign-in-notice.tsx';

interface InteractionPageProps {
  readonly uid: string;
  readonly actor: InteractionActor;
  readonly problem: string | null;
  readonly onLanguage: (language: Language) => void;
}

/** Sign-in methods for an OpenID Connect client. */
export const InteractionPage = ({ uid, actor, problem, onLanguage }: InteractionPageProps) => {
  const { t } = useTranslation(['interaction', 'sign-in']);
  const [, navigate] = useLocation();
  const welcome = useQuery(useAppQueries().welcome());
  const attempt = useAttempt(actor);
  const clientName = useSelector(actor, selectClientName);
  const [passwordOpen, setPasswordOpen] = useState(false);
  const [leavingTo, setLeavingTo] = useState<SignInMethod | null>(null);
  const choose = (method: SignInMethod) => {
    const upstream = upstreamMethods.find((one) => one === method);
    if (method === 'password') setPasswordOpen(!passwordOpen);
    else if (method === 'passkey')
      actor.send({ type: 'identification.requested', identification: { kind: 'passkey' } });
    else if (upstream) {
      setLeavingTo(method);
      leaveFor(upstreamPath(uid, upstream));
    } else navigate(`/authorization/${method}?interaction=${uid}`);
  };
  return (
    <InteractionFrame
      actor={actor}
      title={clientName ? t('toClient', { client: clientName }) : t('sign-in:title')}
      step="list"
      onLanguage={onLanguage}
    >
      <SignInNotice problem={problem} ended={null} failure={null} />
      <SignInMethods
        methods={welcome.data?.methods}
        passwordOpen={passwordOpen}
        leavingTo={leavingTo}
        onChoose={choose}
        passwordForm={
          <PasswordForm
            {...attempt}
            filled={emptyCredentials}
            forgot={null}
            onSubmit={(credentials) =>
              actor.send({ type: 'identification.requested', identification: { kind: 'password', ...credentials } })
            }
          />
        }
      />
    </InteractionFrame>
  );
};
