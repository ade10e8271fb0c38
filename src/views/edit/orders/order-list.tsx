import { useTranslation } from 'react-i18next';
import { isOpenOrder, type Order, type OrderStation } from '../../../../contract/orders.ts';
import { useModalityName } from '../../language/modality-name.tsx';
import { OrderActions, type OrderCalls } from './order-actions.tsx';
import { OrderFacts } from './order-facts.tsx';
import classes from './orders.module.css';

interface OrderListProps {
  readonly orders: readonly Order[];
  readonly stations: readonly OrderStation[];
  /** Null where the user has no right to change orders. */
  readonly calls: OrderCalls | null;
}

/** The orders of a patient, newest first. */
export const OrderList = ({ orders, stations, calls }: OrderListProps) => {
  const { t } = useTranslation('orders');
  const modalityName = useModalityName();
  if (orders.length === 0) return <p className={classes.dimmed}>{t('none')}</p>;
  return (
    <ul className={classes.list}>
      {orders.map((order) => {
        const { id, procedure, modality, station, day, time, status } = order;
        return (
          <li key={id} className={classes.order} data-open={isOpenOrder(status) || undefined}>
            <h4 className={classes.name}>{procedure}</h4>
            <p className={classes.state}>{t(`status-${status}`)}</p>
            <p>
              {t('scheduled', {
                day,
                time,
                modality: modalityName(modality),
                station: station?.name ?? t('anyStation'),
              })}
            </p>
            <OrderFacts order={order} />
            {calls && <OrderActions order={order} stations={stations} calls={calls} />}
          </li>
        );
      })}
    </ul>
  );
};
