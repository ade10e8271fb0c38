import { useTranslation } from 'react-i18next';
import { isOpenOrder, type Order } from '../../../../contract/orders.ts';
import { failureOfQuery } from '../../app/queries-context.tsx';
import { useFailureText } from '../../language/failure-text.ts';
import { useModalityName } from '../../language/modality-name.tsx';
import { ConfirmInPlace } from '../../ui/confirm-in-place.tsx';
import classes from './orders.module.css';

interface CancelOrderProps {
  readonly order: Order;
  /** Rejects with the server's error. */
  readonly onCancel: (order: Order) => Promise<unknown>;
}

const CancelOrder = ({ order, onCancel }: CancelOrderProps) => {
  const { t } = useTranslation('orders');
  const failureText = useFailureText();
  const { procedure } = order;
  const texts = {
    action: t('cancel'),
    actionOf: t('cancelOf', { procedure }),
    question: t('cancelQuestion', { procedure }),
    confirm: t('cancelConfirm'),
    keep: t('keep'),
  };
  const problemOf = (error: unknown) => failureText(failureOfQuery(error));
  return <ConfirmInPlace texts={texts} onConfirm={() => onCancel(order)} problemOf={problemOf} />;
};

interface OrderListProps {
  readonly orders: readonly Order[];
  /** Null where the user has no right to cancel. */
  readonly onCancel: CancelOrderProps['onCancel'] | null;
}

/** The orders of a patient, newest first. */
export const OrderList = ({ orders, onCancel }: OrderListProps) => {
  const { t } = useTranslation('orders');
  const modalityName = useModalityName();
  if (orders.length === 0) return <p className={classes.dimmed}>{t('none')}</p>;
  return (
    <ul className={classes.list}>
      {orders.map((order) => {
        const { id, procedure, modality, station, day, time, comment, status, accessionNumber } = order;
        const isOpen = isOpenOrder(status);
        return (
          <li key={id} className={classes.order} data-open={isOpen || undefined}>
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
            {comment && <p>{comment}</p>}
            <p className={classes.dimmed}>{t('accession', { number: accessionNumber })}</p>
            {isOpen && onCancel && <CancelOrder order={order} onCancel={onCancel} />}
          </li>
        );
      })}
    </ul>
  );
};
