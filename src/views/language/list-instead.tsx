import { Button } from '@mantine/core';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { ListPage } from '../list-page.ts';
import { Notice } from '../parts/notice.tsx';
import { failureOfQuery } from '../reading.tsx';
import { useFailureText } from './failure-text.ts';

/** What stands in place of a list that has no rows (`empty`) or cannot be had; null where there are rows, for `instead` of the table. */
export const useListInstead = () => {
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
