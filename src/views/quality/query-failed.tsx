import { Button } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { failureOfQuery } from '../app/queries-context.tsx';
import { useFailureText } from '../language/failure-text.ts';
import { IconAlert } from '../ui/icon-alert.tsx';

/** Says why a part of the page could not be loaded, and loads it again. */
export const QueryFailed = ({ error, onRetry }: { readonly error: unknown; readonly onRetry: () => void }) => {
  const { t } = useTranslation('shell');
  const failureText = useFailureText();
  return (
    <div>
      <IconAlert>{failureText(failureOfQuery(error))}</IconAlert>
      <Button variant="default" onClick={onRetry}>
        {t('retry')}
      </Button>
    </div>
  );
};
