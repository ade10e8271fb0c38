import { useTranslation } from 'react-i18next';
import { failureOfQuery } from '../app/queries-context.tsx';
import { useFailureText } from '../language/failure-text.ts';

/** Returns the text of an error of a call about passkeys. */
export const usePasskeyFailureText = (): ((error: unknown) => string) => {
  const { t } = useTranslation('two-factor');
  const failureText = useFailureText();
  return (error) => {
    const failure = failureOfQuery(error);
    if (failure.code === 'sign-in-cancelled') return t('passkeyCancelled');
    return failure.code === 'conflict' ? t('passkeyKnown') : failureText(failure);
  };
};
