import { useTranslation } from 'react-i18next';
import type { SessionEnd, SessionProblem } from '../../machines/session/session.machine.ts';
import { useFailureText } from '../language/failure-text.ts';
import { IconAlert } from '../parts/icon-alert.tsx';
import classes from './sign-in.module.css';

interface WhyHereProps {
  /** Problem code with which a way to sign in came back. */
  readonly problem: string | null;
  /** How the last session ended. */
  readonly ended: SessionEnd | SessionProblem | null;
  /** Why no sign-in came of the last attempt, in words. */
  readonly failure: string | null;
}

/** Who signed out on purpose needs no words about it. */
const ends = ['elsewhere', 'rights', 'expired', 'refused', 'inactive'] as const;

/** Why somebody stands before the door, where they may not know: said calmly, in words. Nothing when they came by themselves. */
export const WhyHere = ({ problem, ended, failure }: WhyHereProps) => {
  const { t } = useTranslation('sign-in');
  const failureText = useFailureText();
  const bad = failure ?? (problem && failureText({ kind: 'refused', code: problem }));
  if (bad)
    return (
      <div role="alert">
        <IconAlert>{bad}</IconAlert>
      </div>
    );
  const told = ends.find((one) => one === ended);
  if (!told) return null;
  return (
    <p role="status" className={classes.notice}>
      {t(`ended-${told}`)}
    </p>
  );
};
