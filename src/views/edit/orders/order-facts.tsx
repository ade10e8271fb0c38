import { useTranslation } from 'react-i18next';
import type { Order } from '../../../../contract/orders.ts';
import { IconAlert } from '../../ui/icon-alert.tsx';
import classes from './orders.module.css';

/** The comment and the number of an order, and a report of a device that contradicts its status. */
export const OrderFacts = ({ order: { comment, accessionNumber, status, isReported } }: { readonly order: Order }) => {
  const { t } = useTranslation('orders');
  return (
    <>
      {comment && <p>{comment}</p>}
      <p className={classes.dimmed}>{t('accession', { number: accessionNumber })}</p>
      {status === 'cancelled' && isReported && <IconAlert tone="caution">{t('reportedCancelled')}</IconAlert>}
    </>
  );
};
