import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { InteractionOutcome } from '../../../contract/interactions.ts';
import type { SignInMethod } from '../../../contract/sign-in.ts';
import { useAppContext } from '../app/app-context.tsx';
import { useAppQueries } from '../app/queries-context.tsx';
import type { Language } from '../language/languages.ts';
import { useRoleName } from '../language/role-name.ts';
import { AuthButton } from '../ui/auth-controls.tsx';
import { IconAlert } from '../ui/icon-alert.tsx';
import { CodeForm } from './code-form.tsx';
import { leaveFor } from './leave-for.ts';
import rows from './method-rows.module.css';
import { RowsToCome } from './method-rows.tsx';
import classes from './sign-in.module.css';
import { SignInFrame, type SignInFrameProps, SigningIn } from './sign-in-frame.tsx';
import { Unreachable } from './sign-in-notice.tsx';
import type { Interaction } from './use-interaction.ts';

type Accounts = Extract<InteractionOutcome, { outcome: 'choose-account' }>['accounts'];

interface AccountChoiceProps {
  readonly accounts: Accounts;
  readonly busy: boolean;
  readonly failure: string | null;
  readonly onChoose: (id: string) => void;
}

/** Chooses between several accounts of one user. */
const AccountChoice = ({ accounts, busy, failure, onChoose }: AccountChoiceProps) => {
  const { t } = useTranslation('interaction');
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
                onChoose(id);
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
  readonly interaction: Interaction;
}

/** Frame of an interaction page: its content until the user is identified, then the remaining steps. */
export const InteractionFrame = ({ interaction, children, ...frame }: InteractionFrameProps) => {
  const { t } = useTranslation(['interaction', 'sign-in']);
  const { onLanguage } = frame;
  if (interaction.expired)
    return (
      <SignInFrame title={t('expiredTitle')} lead={t('expiredLead')} step="expired" onLanguage={onLanguage}>
        <AuthButton onClick={() => leaveFor('/authorization')}>{t('startAgain')}</AuthButton>
      </SignInFrame>
    );
  if (interaction.away)
    return (
      <SignInFrame title={t('sign-in:title')} step="away" onLanguage={onLanguage}>
        <Unreachable onRetry={interaction.retry} onForget={null} />
      </SignInFrame>
    );
  if (interaction.outcome)
    return <AfterProof interaction={interaction} outcome={interaction.outcome} onLanguage={onLanguage} />;
  return (
    <SignInFrame {...frame}>{interaction.unknown ? <RowsToCome text={t('sign-in:waiting')} /> : children}</SignInFrame>
  );
};

interface AfterProofProps {
  readonly interaction: Interaction;
  readonly outcome: InteractionOutcome;
  readonly onLanguage: (language: Language) => void;
}

const AfterProof = ({ interaction, outcome, onLanguage }: AfterProofProps) => {
  const { t } = useTranslation(['interaction', 'sign-in']);
  const { signIn } = useAppContext();
  const { uid, busy, failure, attempt, chooseAnother } = interaction;
  if (outcome.outcome === 'finished') return <SigningIn onLanguage={onLanguage} />;
  if (outcome.outcome === 'code-needed')
    return (
      <SignInFrame title={t('sign-in:codeTitle')} step="code" onLanguage={onLanguage}>
        <CodeForm
          busy={busy}
          failure={failure}
          onSubmit={(code) => attempt(() => signIn.code(uid, code))}
          onBack={chooseAnother}
        />
      </SignInFrame>
    );
  return (
    <SignInFrame title={t('chooseTitle')} lead={t('chooseLead')} step="account" onLanguage={onLanguage}>
      <AccountChoice
        accounts={outcome.accounts}
        busy={busy}
        failure={failure}
        onChoose={(id) => attempt(() => signIn.account(uid, id))}
      />
      <button type="button" className={classes.quietLink} onClick={chooseAnother}>
        {t('otherWays')}
      </button>
    </SignInFrame>
  );
};
