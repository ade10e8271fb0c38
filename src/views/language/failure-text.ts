import { useTranslation } from 'react-i18next';
import { problemCode } from '../../../contract/problem.ts';
import { useMissingText } from './claim-text.ts';

/** A failure as reported by machines and queries. */
export interface ReportedFailure {
  readonly kind: string;
  readonly code?: string | null;
  /** For `no-right`: claims of which any one suffices. */
  readonly claims?: readonly string[];
}

/** Formats a failure by its code, with the missing right; error messages are never shown. */
export const useFailureText = (): ((failure: ReportedFailure) => string) => {
  const { t } = useTranslation('failure');
  const missingText = useMissingText();
  return (failure) => {
    if (failure.kind === 'refused') {
      const code = problemCode.safeParse(failure.code);
      const reason = t(code.success ? code.data : 'unexpected');
      const missing = missingText(failure.claims ?? []);
      return missing === null ? reason : `${reason}. ${missing}`;
    }
    if (failure.kind === 'offline') return t('offline');
    return failure.kind === 'drift' ? t('drift') : t('unexpected');
  };
};

/** Like `useFailureText`, with a specific text for server errors on patients, studies and images. */
export const useRecordFailureText = (): ((failure: ReportedFailure) => string) => {
  const { t } = useTranslation('patient');
  const failureText = useFailureText();
  return (failure) =>
    failure.kind === 'refused' && failure.code === 'internal' ? t('loadFailed') : failureText(failure);
};
