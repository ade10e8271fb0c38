import { useTranslation } from 'react-i18next';
import type { TableLabels } from '../ui/record-table/record-table.tsx';

/** Returns the labels of a record table. */
export const useTableLabels = (): TableLabels => {
  const { t } = useTranslation('lists');
  return {
    tick: (name) => t('tick', { name }),
    tickAll: t('tickAll'),
    actions: t('actions'),
  };
};
