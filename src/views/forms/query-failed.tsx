import { Button } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { failureOfQuery } from '../app/queries-context.tsx';
import { useFailureText } from '../language/failure-text.ts';
import { IconAlert } from '../ui/icon-alert.tsx';

/** Says why a query failed, and repeats it. */
export const QueryFailed = ({ error, onRetry }: { readonly error: unknown; readonly onRetry: () => void }) => {
  const { t } = useTranslation('shell');
  const failureText = useFailureText();
  return (
    <>
      <IconAlert>{failureText(failureOfQuery(error))}</IconAlert>
      <Button variant="default" onClick={onRetry}>
        {t('retry')}
      </Button>
    </>
  );
};
