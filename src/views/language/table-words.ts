import { useTranslation } from 'react-i18next';
import type { TableWords } from '../parts/record-table/record-table.tsx';

/** What a table of records says by itself. */
export const useTableWords = (): TableWords => {
  const { t } = useTranslation('lists');
  return {
    tick: (name) => t('tick', { name }),
    tickAll: t('tickAll'),
    actions: t('actions'),
  };
};
