import { Button, Modal, Skeleton } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import dayjs from 'dayjs';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { DeletedClinic } from '../../../contract/deleted-clinics.ts';
import { useAdministration } from '../app/loaded-services.ts';
import { failureOfQuery } from '../app/queries-context.tsx';
import { DestructionOrders } from '../forms/destruction-orders.tsx';
import formClasses from '../forms/form.module.css';
import { ProposeDestruction } from '../forms/propose-destruction.tsx';
import { QueryFailed } from '../forms/query-failed.tsx';
import { useFailureText } from '../language/failure-text.ts';
import { minuteText } from '../ui/dates.ts';
import { IconAlert } from '../ui/icon-alert.tsx';
import { toast } from '../ui/toast.ts';
import classes from './clinics.module.css';

interface RowProps {
  readonly clinic: DeletedClinic;
  readonly busy: boolean;
  /** The user's own account. */
  readonly accountId: string | null;
  readonly onRestore: () => void;
  readonly onDestroy: () => void;
}

const DeletedRow = ({ clinic, busy, accountId, onRestore, onDestroy }: RowProps) => {
  const { t } = useTranslation(['clinics', 'destruction']);
  const { id, name, city, deletedAt, deletedBy, restorableUntil, destruction } = clinic;
  const isRestorable = destruction !== 'begun' && dayjs().isBefore(restorableUntil);
  const [at, until] = [minuteText(deletedAt), minuteText(restorableUntil)];
  return (
    <li className={classes.deletedClinic}>
      <div>
        <p className={classes.deletedName}>{city ? `${name}, ${city}` : name}</p>
        <p className={formClasses.dimmed}>
          {deletedBy ? t('deletedOnBy', { at, name: deletedBy.name }) : t('deletedOn', { at })}
        </p>
        <p className={formClasses.dimmed}>{t(isRestorable ? 'restorableUntil' : 'notRestorable', { at: until })}</p>
      </div>
      <div className={classes.actions}>
        {isRestorable && (
          <Button variant="default" aria-label={t('restoreNamed', { name })} loading={busy} onClick={onRestore}>
            {t('restore')}
          </Button>
        )}
        {destruction === 'none' && (
          <Button variant="default" aria-label={t('destruction:proposeFor', { name })} onClick={onDestroy}>
            {t('destruction:proposeOpen')}
          </Button>
        )}
      </div>
      <div className={classes.deletedOrders}>
        <DestructionOrders clinicId={id} accountId={accountId} isPart />
      </div>
    </li>
  );
};

interface DeletedClinicsProps {
  readonly accountId: string | null;
  readonly onClose: () => void;
}

/** Lists deleted clinics with until when each can be restored, and the orders to destroy them. */
export const DeletedClinics = ({ accountId, onClose }: DeletedClinicsProps) => {
  const { t } = useTranslation(['clinics', 'shell']);
  const failureText = useFailureText();
  const administration = useAdministration();
  const [busyId, setBusyId] = useState<string | null>(null);
  const [failure, setFailure] = useState<string | null>(null);
  const [toDestroy, setToDestroy] = useState<DeletedClinic | null>(null);
  const { data, error, refetch } = useQuery({ ...administration.deletedClinics(), refetchOnMount: 'always' });
  const restore = async ({ id, name }: DeletedClinic) => {
    setBusyId(id);
    setFailure(null);
    try {
      await administration.restoreClinic(id);
      toast({ tone: 'good', text: t('restored', { name }), close: t('shell:close') });
    } catch (cause) {
      setFailure(failureText(failureOfQuery(cause)));
    }
    setBusyId(null);
  };
  return (
    <Modal
      opened
      onClose={onClose}
      title={t('deletedClinics')}
      size={560}
      closeButtonProps={{ 'aria-label': t('shell:close') }}
    >
      <div aria-live="assertive">{failure && <IconAlert>{failure}</IconAlert>}</div>
      {error && <QueryFailed error={error} onRetry={() => void refetch()} />}
      {!data && !error && <Skeleton height={72} />}
      {data?.data.length === 0 && <p className={formClasses.dimmed}>{t('noDeletedClinics')}</p>}
      {data && data.data.length > 0 && (
        <>
          <p className={formClasses.dimmed}>{t('deletedClinicsText')}</p>
          <ul className={classes.deletedClinics}>
            {data.data.map((clinic) => (
              <DeletedRow
                key={clinic.id}
                clinic={clinic}
                busy={busyId === clinic.id}
                accountId={accountId}
                onRestore={() => void restore(clinic)}
                onDestroy={() => setToDestroy(clinic)}
              />
            ))}
          </ul>
        </>
      )}
      {toDestroy && (
        <ProposeDestruction
          clinicId={toDestroy.id}
          subject={{ kind: 'clinic', id: toDestroy.id, name: toDestroy.name, isDue: null }}
          onClose={() => setToDestroy(null)}
        />
      )}
    </Modal>
  );
};
