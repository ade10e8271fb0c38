import { useTranslation } from 'react-i18next';
import { problemCode } from '../../../contract/problem.ts';
import { useMissingText } from './claim-text.ts';

/** A failed call, as machines and queries tell of it. */
export interface ToldFailure {
  readonly kind: string;
  readonly code?: string | null;
  /** Of `no-right`: claims of which one would do. */
  readonly claims?: readonly string[];
}

/** What happened, in words. A refusal speaks by its code, and says which right is missing; the message of an error is never read. */
export const useFailureText = (): ((failure: ToldFailure) => string) => {
  const { t } = useTranslation('failure');
  const missingText = useMissingText();
  return (failure) => {
    if (failure.kind === 'refused') {
      const code = problemCode.safeParse(failure.code);
      const told = t(code.success ? code.data : 'unexpected');
      const missing = missingText(failure.claims ?? []);
      return missing === null ? told : `${told}. ${missing}`;
    }
    if (failure.kind === 'offline') return t('offline');
    return failure.kind === 'drift' ? t('drift') : t('unexpected');
  };
};

/** As `useFailureText`, of a call about patients, studies and images: a fault of the archive has words of its own there. */
export const useRecordFailureText = (): ((failure: ToldFailure) => string) => {
  const { t } = useTranslation('patient');
  const failureText = useFailureText();
  return (failure) =>
    failure.kind === 'refused' && failure.code === 'internal' ? t('loadFailed') : failureText(failure);
};
