import { useTranslation } from 'react-i18next';
import type { SessionEnd, SessionProblem } from '../../machines/session/session.machine.ts';
import type { ReportedFailure } from '../language/failure-text.ts';
import { AuthButton, authLinkClass } from '../ui/auth-controls.tsx';
import { IconAlert } from '../ui/icon-alert.tsx';
import classes from './sign-in.module.css';
import { useSignInFailureText } from './sign-in-failure-text.ts';

interface SignInNoticeProps {
  /** Problem code returned by an external sign-in. */
  readonly problem: string | null;
  /** How the last session ended. */
  readonly ended: SessionEnd | SessionProblem | null;
  /** Error of the last sign-in attempt. */
  readonly failure: ReportedFailure | null;
}

/** No message after a deliberate sign-out. */
const ends = [
  'elsewhere',
  'rights',
  'password',
  'two-factor',
  'expired',
  'refused',
  'inactive',
  'elsewhere-by-user',
  'by-administrator',
  'too-long',
] as const;

/** Explains why the user is on the sign-in page: an ended session or a failed attempt. */
export const SignInNotice = ({ problem, ended, failure }: SignInNoticeProps) => {
  const { t } = useTranslation('sign-in');
  const failureText = useSignInFailureText();
  const wrong = failure ?? (problem ? { kind: 'refused', code: problem } : null);
  const end = ends.find((one) => one === ended);
  if (wrong && wrong.code !== 'sign-in-cancelled')
    return (
      <div role="alert">
        <IconAlert>{failureText(wrong)}</IconAlert>
      </div>
    );
  // A cancelled sign-in is no error.
  const message = wrong ? failureText(wrong) : end && t(`ended-${end}`);
  return message ? (
    <p role="status" className={classes.notice}>
      {message}
    </p>
  ) : null;
};

/** Shown while the server is unreachable; the page retries. */
export const Unreachable = ({ onRetry, onForget }: { onRetry: () => void; onForget: (() => void) | null }) => {
  const { t } = useTranslation('sign-in');
  return (
    <div className={classes.stack}>
      <div role="status" className={classes.notice} data-tone="caution">
        <p>{t('loginServer')}</p>
        <p className={classes.dimmed}>{t('unreachableText')}</p>
      </div>
      <AuthButton secondary onClick={onRetry}>
        {t('retryNow')}
      </AuthButton>
      {onForget && (
        <button type="button" className={authLinkClass} onClick={onForget}>
          {t('otherUser')}
        </button>
      )}
    </div>
  );
};
