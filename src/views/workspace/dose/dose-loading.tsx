import { Loader } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { failureOfQuery } from '../../app/queries-context.tsx';
import { useRecordFailureText } from '../../language/failure-text.ts';
import { IconAlert } from '../../ui/icon-alert.tsx';

/** Shown while a dose is loaded, or says why it was not. */
export const DoseLoading = ({ error }: { readonly error: unknown }) => {
  const { t } = useTranslation('dose');
  const failureText = useRecordFailureText();
  if (!error) return <Loader size="xs" />;
  return <IconAlert>{t('failed', { reason: failureText(failureOfQuery(error)) })}</IconAlert>;
};
