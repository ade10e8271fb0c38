import { useTranslation } from 'react-i18next';
import { problemCode } from '../../../contract/problem.ts';

/** A failed call, as machines and queries tell of it. */
export interface ToldFailure {
  readonly kind: string;
  readonly code?: string | null;
}

/** What happened, in words. A refusal speaks by its code; the message of an error is never read. */
export const useFailureText = (): ((failure: ToldFailure) => string) => {
  const { t } = useTranslation('failure');
  return (failure) => {
    if (failure.kind === 'refused') {
      const code = problemCode.safeParse(failure.code);
      return t(code.success ? code.data : 'internal');
    }
    if (failure.kind === 'offline') return t('offline');
    return failure.kind === 'drift' ? t('drift') : t('unexpected');
  };
};
