import { useTranslation } from 'react-i18next';
import type { InteractionOutcome } from '../../../contract/interactions.ts';
import { useGround } from '../ground.tsx';
import type { Language } from '../language/languages.ts';
import { EntryButton } from '../parts/entry-button.tsx';
import { AccountChoice } from './account-choice.tsx';
import { CodeForm } from './code-form.tsx';
import { leaveFor } from './leave-for.ts';
import { RowsToCome } from './method-rows.tsx';
import classes from './sign-in.module.css';
import { SignInFrame, type SignInFrameProps } from './sign-in-frame.tsx';
import { SigningIn } from './signing-in.tsx';
import { Unreachable } from './unreachable.tsx';
import type { Interaction } from './use-interaction.ts';

interface InteractionFrameProps extends SignInFrameProps {
  readonly interaction: Interaction;
}

/** A page of an interaction: its own content until the person has proved who they are, then what is still asked of them. */
export const InteractionFrame = ({ interaction, children, ...frame }: InteractionFrameProps) => {
  const { t } = useTranslation(['interaction', 'sign-in']);
  const { onLanguage } = frame;
  if (interaction.expired)
    return (
      <SignInFrame title={t('expiredTitle')} lead={t('expiredLead')} step="expired" onLanguage={onLanguage}>
        <EntryButton onClick={() => leaveFor('/authorization')}>{t('startAgain')}</EntryButton>
      </SignInFrame>
    );
  if (interaction.away)
    return (
      <SignInFrame title={t('sign-in:title')} step="away" onLanguage={onLanguage}>
        <Unreachable onRetry={interaction.askAgain} onForget={null} />
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
  const { signIn } = useGround();
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
