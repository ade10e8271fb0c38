import { Loader, NativeSelect } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'wouter';
import { dateOnly, uuid } from '../../../../contract/bounds.ts';
import {
  dayOrdersAtMost,
  isOpenOrder,
  type Order,
  type OrderPatient,
  type OrderStation,
} from '../../../../contract/orders.ts';
import { useRecords } from '../../app/loaded-services.ts';
import { optional, useUrlState } from '../../app/url-state.ts';
import { QueryFailed } from '../../forms/query-failed.tsx';
import { DateInput } from '../../language/date-input.tsx';
import { useModalityName } from '../../language/modality-name.tsx';
import { ProtectedMark } from '../../language/protected-mark.tsx';
import { today } from '../../ui/dates.ts';
import { IconAlert } from '../../ui/icon-alert.tsx';
import { PageHeading } from '../../ui/page-heading.tsx';
import { OrderActions, type OrderCalls } from './order-actions.tsx';
import { OrderFacts } from './order-facts.tsx';
import classes from './orders-page.module.css';
import { useOrderCalls } from './use-order-calls.ts';

const schema = { day: optional(dateOnly), station: optional(uuid) };

interface DayOrderRowProps {
  readonly order: Order;
  readonly patient: OrderPatient;
  readonly stations: readonly OrderStation[];
  readonly calls: OrderCalls;
}

const DayOrderRow = ({ order, patient, stations, calls }: DayOrderRowProps) => {
  const { t } = useTranslation('orders');
  const modalityName = useModalityName();
  const { time, status, procedure, modality, station } = order;
  return (
    <li className={classes.order} data-open={isOpenOrder(status) || undefined}>
      <p className={classes.time}>{time}</p>
      <div className={classes.what}>
        <h2 className={classes.patient}>
          <Link href={`/patient/${patient.id}`}>{`${patient.firstName} ${patient.lastName}`}</Link>
          <ProtectedMark of={patient} /> <span className={classes.number}>{patient.personalNumber}</span>
        </h2>
        <p className={classes.procedure}>{procedure}</p>
        <p>{t('onStation', { modality: modalityName(modality), station: station?.name ?? t('anyStation') })}</p>
        <OrderFacts order={order} />
        <OrderActions order={order} stations={stations} calls={calls} />
      </div>
      <p className={classes.status} data-status={status}>
        {t(`status-${status}`)}
      </p>
    </li>
  );
};

/** The orders of images of a clinic for a day: for all devices, or those that one device sees. */
export const OrdersPage = ({ clinicId }: { readonly clinicId: string }) => {
  const { t } = useTranslation(['orders', 'header']);
  const [filter, change] = useUrlState(schema);
  const day = filter.day ?? today();
  const { data, error, refetch } = useQuery(useRecords().ordersOfDay(clinicId, day));
  const [result, setResult] = useState('');
  const calls = useOrderCalls(setResult);
  const isShown = ({ station }: Order) => !filter.station || !station || station.id === filter.station;
  const orders = data?.orders.filter(isShown) ?? [];
  return (
    <div className={classes.page}>
      <PageHeading>{t('header:orders')}</PageHeading>
      <p className={classes.lead}>{t('dayLead')}</p>
      <search className={classes.filters} aria-label={t('filters')}>
        <DateInput label={t('day')} value={day} onChange={(value) => change({ day: value || null })} />
        <NativeSelect
          label={t('station')}
          value={filter.station ?? ''}
          data={[
            { value: '', label: t('allStations') },
            ...(data?.stations ?? []).map(({ id, name, aeTitle }) => ({
              value: id,
              label: t('stationName', { name, aeTitle }),
            })),
          ]}
          onChange={({ currentTarget }) => change({ station: currentTarget.value || null })}
        />
      </search>
      <p role="status">{result}</p>
      {error && <QueryFailed error={error} onRetry={() => void refetch()} />}
      {!data && !error && <Loader size="sm" />}
      {data && orders.length === 0 && <p className={classes.dimmed}>{t('noneOnDay')}</p>}
      {data?.orders.length === dayOrdersAtMost && (
        <IconAlert tone="caution">{t('moreOnDay', { count: dayOrdersAtMost })}</IconAlert>
      )}
      {data && orders.length > 0 && (
        <ul className={classes.list} aria-label={t('list')}>
          {orders.map((order) => {
            const patient = data.patients.find(({ id }) => id === order.patientId);
            return (
              patient && (
                <DayOrderRow key={order.id} order={order} patient={patient} stations={data.stations} calls={calls} />
              )
            );
          })}
        </ul>
      )}
    </div>
  );
};
