import { Loader, Modal } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Patient } from '../../../../contract/patients.ts';
import { useRecords } from '../../app/loaded-services.ts';
import { QueryFailed } from '../../forms/query-failed.tsx';
import { Notice } from '../../ui/notice.tsx';
import { OrderForm } from './order-form.tsx';
import { OrderList } from './order-list.tsx';
import classes from './orders.module.css';
import { useOrderCalls } from './use-order-calls.ts';

interface OrderImagesProps {
  readonly patient: Patient;
  /** Why the user cannot order; null when they can. */
  readonly disabledReason: string | null;
  readonly onClose: () => void;
}

/** Orders images of a patient, and lists what was ordered. */
export const OrderImages = ({ patient, disabledReason, onClose }: OrderImagesProps) => {
  const { t } = useTranslation(['orders', 'shell']);
  const records = useRecords();
  const { data, error, refetch } = useQuery(records.orders(patient.id));
  const [result, setResult] = useState('');
  const calls = useOrderCalls(setResult);
  return (
    <Modal
      opened
      onClose={onClose}
      title={t('title')}
      size={640}
      closeOnClickOutside={false}
      closeButtonProps={{ 'aria-label': t('shell:close') }}
    >
      <div className={classes.body}>
        <p>{t('lead')}</p>
        {patient.mainInfo.protectedIdentity && <Notice title={t('protected')} text={t('protectedText')} />}
        {disabledReason && <Notice title={disabledReason} />}
        {error ? <QueryFailed error={error} onRetry={() => void refetch()} /> : null}
        {!data && !error && <Loader size="sm" />}
        {data && !disabledReason && (
          <OrderForm
            order={null}
            stations={data.stations}
            onOrder={async (order) => {
              const { accessionNumber } = await records.createOrder({ ...order, patientId: patient.id });
              setResult(t('ordered', { number: accessionNumber }));
            }}
          />
        )}
        <p role="status">{result}</p>
        {data && (
          <>
            <h3 className={classes.heading}>{t('list')}</h3>
            <OrderList orders={data.orders} stations={data.stations} calls={disabledReason ? null : calls} />
          </>
        )}
      </div>
    </Modal>
  );
};
