import { useTranslation } from 'react-i18next';
import { useRecords } from '../../app/loaded-services.ts';
import type { OrderCalls } from './order-actions.tsx';

/** Returns the calls that change orders; `onDone` gets the text of what was done. */
export const useOrderCalls = (onDone: (text: string) => void): OrderCalls => {
  const { t } = useTranslation('orders');
  const { updateOrder, cancelOrder } = useRecords();
  return {
    change: async (change) => {
      await updateOrder(change);
      onDone(t('changed', { procedure: change.procedure }));
    },
    cancel: async ({ id, procedure }) => {
      await cancelOrder(id);
      onDone(t('cancelled', { procedure }));
    },
  };
};
