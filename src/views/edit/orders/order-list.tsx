import { Button } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { isOpenOrder, type Order } from '../../../../contract/orders.ts';
import { failureOfQuery } from '../../app/queries-context.tsx';
import { useFailureText } from '../../language/failure-text.ts';
import { useModalityName } from '../../language/modality-name.tsx';
import { IconAlert } from '../../ui/icon-alert.tsx';
import classes from './orders.module.css';

interface CancelOrderProps {
  readonly order: Order;
  /** Rejects with the server's error. */
  readonly onCancel: (order: Order) => Promise<unknown>;
}

/** Cancels an order after a confirmation in place. */
const CancelOrder = ({ order, onCancel }: CancelOrderProps) => {
  const { t } = useTranslation('orders');
  const failureText = useFailureText();
  const [step, setStep] = useState<'idle' | 'asking' | 'cancelling'>('idle');
  const [problem, setProblem] = useState<string | null>(null);
  const { procedure } = order;
  const cancel = async () => {
    setStep('cancelling');
    try {
      await onCancel(order);
    } catch (error) {
      setProblem(failureText(failureOfQuery(error)));
      setStep('idle');
    }
  };
  if (step === 'idle')
    return (
      <div className={classes.actions}>
        {problem && <IconAlert>{problem}</IconAlert>}
        <Button
          size="xs"
          variant="default"
          aria-label={t('cancelOf', { procedure })}
          onClick={() => {
            setProblem(null);
            setStep('asking');
          }}
        >
          {t('cancel')}
        </Button>
      </div>
    );
  return (
    <div className={classes.actions} role="alert">
      <p className={classes.question}>{t('cancelQuestion', { procedure })}</p>
      <Button size="xs" color="red.9" autoFocus loading={step === 'cancelling'} onClick={() => void cancel()}>
        {t('cancelConfirm')}
      </Button>
      <Button size="xs" variant="default" disabled={step === 'cancelling'} onClick={() => setStep('idle')}>
        {t('keep')}
      </Button>
    </div>
  );
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
