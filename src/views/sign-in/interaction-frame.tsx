import { useQuery } from '@tanstack/react-query';
import { useSelector } from '@xstate/react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { SignInMethod } from '../../../contract/sign-in.ts';
import {
  type InteractionActor,
  selectAccounts,
  selectFactors,
  selectInteractionFailure,
  selectInteractionStep,
  selectIsIdentifying,
} from '../../machines/interaction/interaction.machine.ts';
import { useAppQueries } from '../app/queries-context.tsx';
import { useRoleName } from '../language/role-name.ts';
import { AuthButton, authLinkClass } from '../ui/auth-controls.tsx';
import { IconAlert } from '../ui/icon-alert.tsx';
import { CodeForm } from './code-form.tsx';
import { leaveFor } from './leave-for.ts';
import rows from './method-rows.module.css';
import { MethodRowsSkeleton } from './method-rows.tsx';
import classes from './sign-in.module.css';
import { useSignInFailureText } from './sign-in-failure-text.ts';
import { SignInFrame, type SignInFrameProps, SigningIn } from './sign-in-frame.tsx';
import { Unreachable } from './sign-in-notice.tsx';

/** Returns whether an attempt to identify the user runs, and the text of its error. */
export const useAttempt = (actor: InteractionActor) => {
  const failureText = useSignInFailureText();
  const failure = useSelector(actor, selectInteractionFailure);
  return { busy: useSelector(actor, selectIsIdentifying), failure: failure && failureText(failure) };
};

/** Link to the choice of a method. */
export const OtherMethodsLink = ({ actor }: { actor: InteractionActor }) => {
  const { t } = useTranslation('interaction');
  return (
    <button type="button" className={authLinkClass} onClick={() => actor.send({ type: 'method.changed' })}>
      {t('otherWays')}
    </button>
  );
};

const SecondFactor = ({ actor }: { actor: InteractionActor }) => (
  <CodeForm
    {...useAttempt(actor)}
    factors={useSelector(actor, selectFactors)}
    onPasskey={() => actor.send({ type: 'identification.requested', identification: { kind: 'passkey' } })}
    onSubmit={(code) => actor.send({ type: 'identification.requested', identification: { kind: 'code', code } })}
    onBack={() => actor.send({ type: 'method.changed' })}
  />
);

/** Chooses between several accounts of one user. */
const AccountChoice = ({ actor }: { actor: InteractionActor }) => {
  const { t, i18n } = useTranslation('interaction');
  const { compare } = new Intl.Collator(i18n.language);
  // Those of no clinic come last.
  const accounts = useSelector(actor, selectAccounts).toSorted((one, other) =>
    one.clinic && other.clinic ? compare(one.clinic, other.clinic) : Number(!one.clinic) - Number(!other.clinic),
  );
  const { busy, failure } = useAttempt(actor);
  const roleName = useRoleName();
  const [chosen, setChosen] = useState<string | null>(null);
  return (
    <div className={classes.stack}>
      <ul className={rows.rows} aria-label={t('chooseTitle')}>
        {accounts.map(({ id, role, clinic }) => (
          <li key={id} className={rows.item}>
            <button
              type="button"
              className={rows.row}
              aria-busy={(busy && chosen === id) || undefined}
              aria-disabled={busy || undefined}
              onClick={() => {
                if (busy) return;
                setChosen(id);
                actor.send({ type: 'identification.requested', identification: { kind: 'account', id } });
              }}
            >
              <span className={rows.words}>
                <span className={rows.name}>{clinic ?? t('noClinic')}</span>
                <span className={rows.how}>{roleName(role)}</span>
              </span>
              <svg className={rows.chevron} viewBox="0 0 20 20" aria-hidden="true">
                <path d="m8 5 5 5-5 5" />
              </svg>
            </button>
          </li>
        ))}
      </ul>
      <div aria-live="assertive">{failure && <IconAlert>{failure}</IconAlert>}</div>
    </div>
  );
};

/** Badge for methods that use a test server. */
export const TestServer = ({ method }: { method: SignInMethod }) => {
  const { t } = useTranslation('sign-in');
  const methods = useQuery(useAppQueries().welcome()).data?.methods ?? [];
  if (!methods.some((one) => one.method === method && one.test)) return null;
  return <p className={rows.test}>{t('testServer')}</p>;
};

interface InteractionFrameProps extends SignInFrameProps {
  readonly actor: InteractionActor;
}

/** Frame of an interaction page: its content until the user is identified, then the remaining steps. */
export const InteractionFrame = ({ actor, children, ...frame }: InteractionFrameProps) => {
  const { t } = useTranslation(['interaction', 'sign-in']);
  const step = useSelector(actor, selectInteractionStep);
  const { onLanguage } = frame;
  switch (step) {
    case 'loading':
      return (
        <SignInFrame {...frame}>
          <MethodRowsSkeleton text={t('sign-in:waiting')} />
        </SignInFrame>
      );
    case 'unreachable':
      return (
        <SignInFrame title={t('sign-in:title')} step="away" onLanguage={onLanguage}>
          <Unreachable onRetry={() => actor.send({ type: 'details.retried' })} onForget={null} />
        </SignInFrame>
      );
    case 'expired':
      return (
        <SignInFrame title={t('expiredTitle')} introduction={t('expiredLead')} step="expired" onLanguage={onLanguage}>
          <AuthButton onClick={() => leaveFor('/authorization')}>{t('startAgain')}</AuthButton>
        </SignInFrame>
      );
    case 'method':
      return <SignInFrame {...frame}>{children}</SignInFrame>;
    case 'code-needed':
      return (
        <SignInFrame title={t('sign-in:codeTitle')} step="code" onLanguage={onLanguage}>
          <SecondFactor actor={actor} />
        </SignInFrame>
      );
    case 'choose-account':
      return (
        <SignInFrame title={t('chooseTitle')} introduction={t('chooseLead')} step="account" onLanguage={onLanguage}>
          <AccountChoice actor={actor} />
          <OtherMethodsLink actor={actor} />
        </SignInFrame>
      );
    case 'finished':
      return <SigningIn onLanguage={onLanguage} />;
  }
};
