import { Button } from '@mantine/core';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { ListPage } from '../app/list-page.ts';
import { failureOfQuery } from '../app/queries-context.tsx';
import { Notice } from '../ui/notice.tsx';
import { useFailureText } from './failure-text.ts';

/** Returns what replaces a list without rows (`empty`) or with an error; null when there are rows. For `instead` of the table. */
export const useListPlaceholder = () => {
  const { t } = useTranslation('lists');
  const failureText = useFailureText();
  return (found: ListPage<unknown>, empty: ReactNode): ReactNode => {
    if (found.error)
      return (
        <Notice
          urgent
          title={t('loadFailed')}
          text={failureText(failureOfQuery(found.error))}
          action={<Button onClick={found.retry}>{t('retry')}</Button>}
        />
      );
    return found.rows?.length === 0 ? empty : null;
  };
};
