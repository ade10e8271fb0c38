import { useTranslation } from 'react-i18next';
import { type ReportedFailure, useFailureText } from '../language/failure-text.ts';

/** Like `useFailureText`, with the text of a sign-in for an unreachable server. */
export const useSignInFailureText = (): ((failure: ReportedFailure) => string) => {
  const { t } = useTranslation('sign-in');
  const failureText = useFailureText();
  return (failure) => (failure.kind === 'offline' ? t('loginServer') : failureText(failure));
};
