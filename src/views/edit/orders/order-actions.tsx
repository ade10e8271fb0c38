import { Button } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { isOpenOrder, type Order, type OrderStation, type orderUpdate } from '../../../../contract/orders.ts';
import type { BodyOf } from '../../../../contract/route.ts';
import { failureOfQuery } from '../../app/queries-context.tsx';
import { useFailureText } from '../../language/failure-text.ts';
import { ConfirmInPlace } from '../../ui/confirm-in-place.tsx';
import { IconAlert } from '../../ui/icon-alert.tsx';
import { OrderForm } from './order-form.tsx';
import classes from './orders.module.css';

/** Calls for orders; each rejects with the server's error. */
export interface OrderCalls {
  readonly change: (change: BodyOf<typeof orderUpdate>) => Promise<unknown>;
  readonly cancel: (order: Order) => Promise<unknown>;
}

interface OrderActionsProps {
  readonly order: Order;
  readonly stations: readonly OrderStation[];
  readonly calls: OrderCalls;
}

/** Changes an order that is scheduled, and cancels one that is open, in its place in a list. */
export const OrderActions = ({ order, stations, calls }: OrderActionsProps) => {
  const { t } = useTranslation('orders');
  const failureText = useFailureText();
  /** The order as it was when its form was opened. */
  const [basis, setBasis] = useState<Order | null>(null);
  const [wasClosed, setWasClosed] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);
  const { procedure, status } = order;
  const close = () => {
    setBasis(null);
    setWasClosed(true);
  };
  const change = async (values: Omit<BodyOf<typeof orderUpdate>, 'id' | 'version'>, { id, version }: Order) => {
    try {
      await calls.change({ ...values, id, version });
      close();
    } catch (error) {
      const failure = failureOfQuery(error);
      if (failure.code !== 'conflict' && failure.code !== 'order-not-scheduled') throw error;
      // The list shows the saved values by now.
      setProblem(failureText(failure));
      close();
    }
  };
  if (basis)
    return (
      <div className={classes.changing}>
        <OrderForm order={basis} stations={stations} onOrder={(values) => change(values, basis)} onClose={close} />
      </div>
    );
  const texts = {
    action: t('cancel'),
    actionOf: t('cancelOf', { procedure }),
    question: t('cancelQuestion', { procedure }),
    confirm: t('cancelConfirm'),
    keep: t('keep'),
  };
  return (
    <>
      <div aria-live="assertive">{problem && <IconAlert>{problem}</IconAlert>}</div>
      {isOpenOrder(status) && (
        <div className={classes.actions}>
          {status === 'scheduled' && (
            <Button
              size="xs"
              variant="default"
              autoFocus={wasClosed}
              aria-label={t('changeOf', { procedure })}
              onClick={() => {
                setProblem(null);
                setBasis(order);
              }}
            >
              {t('change')}
            </Button>
          )}
          <ConfirmInPlace
            texts={texts}
            onConfirm={() => calls.cancel(order)}
            problemOf={(error) => failureText(failureOfQuery(error))}
          />
        </div>
      )}
    </>
  );
};
