import { useTranslation } from 'react-i18next';
import type { SessionEnd, SessionProblem } from '../../machines/session/session.machine.ts';
import { type ToldFailure, useFailureText } from '../language/failure-text.ts';
import { IconAlert } from '../parts/icon-alert.tsx';
import classes from './sign-in.module.css';

interface WhyHereProps {
  /** Problem code with which a way to sign in came back. */
  readonly problem: string | null;
  /** How the last session ended. */
  readonly ended: SessionEnd | SessionProblem | null;
  /** Why no sign-in came of the last attempt. */
  readonly failure: ToldFailure | null;
}

/** Who signed out on purpose needs no words about it. */
const ends = ['elsewhere', 'rights', 'expired', 'refused', 'inactive'] as const;

/** Why somebody stands before the door, where they may not know: said calmly, in words. Nothing when they came by themselves. */
export const WhyHere = ({ problem, ended, failure }: WhyHereProps) => {
  const { t } = useTranslation('sign-in');
  const failureText = useFailureText();
  const wrong = failure ?? (problem ? { kind: 'refused', code: problem } : null);
  const end = ends.find((one) => one === ended);
  if (wrong && wrong.code !== 'sign-in-cancelled')
    return (
      <div role="alert">
        <IconAlert>{wrong.kind === 'offline' ? t('loginServer') : failureText(wrong)}</IconAlert>
      </div>
    );
  // Giving up is nothing that went wrong.
  const told = wrong ? failureText(wrong) : end && t(`ended-${end}`);
  return told ? (
    <p role="status" className={classes.notice}>
      {told}
    </p>
  ) : null;
};
