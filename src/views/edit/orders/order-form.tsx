import { Button, NativeSelect, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import {
  maxOrderComment,
  maxProcedure,
  type Order,
  type OrderStation,
  orderCreate,
  orderModalities,
} from '../../../../contract/orders.ts';
import type { BodyOf } from '../../../../contract/route.ts';
import { failureOfQuery } from '../../app/queries-context.tsx';
import { DateInput, useDateProblem } from '../../language/date-input.tsx';
import { useFailureText } from '../../language/failure-text.ts';
import { useModalityName } from '../../language/modality-name.tsx';
import { timeOfDay, today } from '../../ui/dates.ts';
import { IconAlert } from '../../ui/icon-alert.tsx';
import classes from './orders.module.css';

type NewOrder = Omit<BodyOf<typeof orderCreate>, 'patientId'>;
type Modality = NewOrder['modality'];

const { procedure, time, comment } = orderCreate.body?.shape ?? {};

interface OrderFormProps {
  /** The order that is changed; null: a new one. */
  readonly order: Order | null;
  readonly stations: readonly OrderStation[];
  /** Rejects with the server's error. */
  readonly onOrder: (order: NewOrder) => Promise<unknown>;
  /** Leaves the order as it is. */
  readonly onClose?: () => void;
}

const valuesOf = (order: Order | null, stations: readonly OrderStation[]) => ({
  procedure: order?.procedure ?? '',
  modality: (order?.modality ?? orderModalities[0]) as Modality,
  // A device that may no longer ask for the worklist cannot be kept.
  station: stations.find(({ id }) => id === order?.station?.id)?.id ?? '',
  day: order?.day ?? today(),
  time: order?.time ?? timeOfDay(),
  comment: order?.comment ?? '',
});

/** Orders images of a patient, or changes an order: what, on which device and when. */
export const OrderForm = ({ order, stations, onOrder, onClose }: OrderFormProps) => {
  const { t } = useTranslation(['orders', 'new-patient']);
  const failureText = useFailureText();
  const modalityName = useModalityName();
  const dateProblem = useDateProblem();
  const [busy, setBusy] = useState(false);
  const [failure, setFailure] = useState<string | null>(null);
  const form = useForm({
    initialValues: valuesOf(order, stations),
    validate: {
      procedure: (text) => (procedure?.safeParse(text).success ? null : t('procedureInvalid', { max: maxProcedure })),
      day: (text) => (text === '' ? t('new-patient:required') : dateProblem(text)),
      time: (text) => (time?.safeParse(text).success ? null : t('timeInvalid')),
      comment: (text) => (comment?.safeParse(text).success ? null : t('commentInvalid', { max: maxOrderComment })),
    },
  });
  const save = async ({ station, ...values }: typeof form.values) => {
    setBusy(true);
    setFailure(null);
    try {
      await onOrder({ ...values, stationId: station === '' ? null : station });
      if (order === null) form.setValues({ procedure: '', comment: '' });
    } catch (error) {
      setFailure(failureText(failureOfQuery(error)));
    }
    setBusy(false);
  };
  return (
    <form className={classes.form} noValidate onSubmit={form.onSubmit((values) => void save(values))}>
      {order === null && <h3 className={classes.heading}>{t('new')}</h3>}
      <TextInput
        label={t('procedure')}
        required
        autoFocus
        maxLength={maxProcedure}
        autoComplete="off"
        {...form.getInputProps('procedure')}
      />
      <div className={classes.fields}>
        <NativeSelect
          label={t('modality')}
          data={orderModalities.map((value) => ({ value, label: modalityName(value) }))}
          {...form.getInputProps('modality')}
        />
        <NativeSelect
          label={t('station')}
          data={[
            { value: '', label: t('anyStation') },
            ...stations.map(({ id, name, aeTitle }) => ({ value: id, label: t('stationName', { name, aeTitle }) })),
          ]}
          {...form.getInputProps('station')}
        />
        <DateInput inForm label={t('day')} {...form.getInputProps('day')} value={form.values.day} />
        <TextInput type="time" label={t('time')} required {...form.getInputProps('time')} />
      </div>
      <TextInput
        label={t('comment')}
        maxLength={maxOrderComment}
        autoComplete="off"
        {...form.getInputProps('comment')}
      />
      <div aria-live="assertive">{failure && <IconAlert>{failure}</IconAlert>}</div>
      <div className={classes.buttons}>
        {onClose && (
          <Button variant="default" disabled={busy} onClick={onClose}>
            {t('keepValues')}
          </Button>
        )}
        <Button type="submit" loading={busy}>
          {t(order === null ? 'order' : 'save')}
        </Button>
      </div>
    </form>
  );
};
