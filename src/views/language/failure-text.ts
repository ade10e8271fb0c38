import { useTranslation } from 'react-i18next';
import { problemCode } from '../../../contract/problem.ts';
import { useMissingText } from './claim-text.ts';

/** A failure as reported by machines and queries. */
export interface ReportedFailure {
  readonly kind: string;
  readonly code?: string | null;
  /** For `no-right`: claims of which any one suffices. */
  readonly claims?: readonly string[];
  /** Names the request in the server's log. */
  readonly requestId?: string;
}

/** Adds the id of a request that failed unexpectedly, so that IT staff find it in the server's log. */
const useWithReference = (): ((text: string, failure: ReportedFailure) => string) => {
  const { t } = useTranslation('shell');
  return (text, { code, requestId }) => {
    const isUnexpected = code === 'internal' || !problemCode.safeParse(code).success;
    return isUnexpected && requestId ? `${text}. ${t('reference', { id: requestId })}` : text;
  };
};

/** Formats a failure by its code, with the missing right; error messages are never shown. */
export const useFailureText = (): ((failure: ReportedFailure) => string) => {
  const { t } = useTranslation('failure');
  const missingText = useMissingText();
  const withReference = useWithReference();
  return (failure) => {
    if (failure.kind === 'refused') {
      const code = problemCode.safeParse(failure.code);
      const reason = t(code.success ? code.data : 'unexpected');
      const missing = missingText(failure.claims ?? []);
      return missing === null ? withReference(reason, failure) : `${reason}. ${missing}`;
    }
    if (failure.kind === 'offline') return t('offline');
    return failure.kind === 'drift' ? t('drift') : t('unexpected');
  };
};

/** Like `useFailureText`, with a specific text for server errors on patients, studies and images. */
export const useRecordFailureText = (): ((failure: ReportedFailure) => string) => {
  const { t } = useTranslation('patient');
  const failureText = useFailureText();
  const withReference = useWithReference();
  return (failure) =>
    failure.kind === 'refused' && failure.code === 'internal'
      ? withReference(t('loadFailed'), failure)
      : failureText(failure);
};
