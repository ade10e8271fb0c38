import { Button, Skeleton } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { DestructionOrder } from '../../../contract/destruction.ts';
import { useRecords } from '../app/loaded-services.ts';
import { failureOfQuery } from '../app/queries-context.tsx';
import { useFailureText } from '../language/failure-text.ts';
import { ProtectedMark } from '../language/protected-mark.tsx';
import { minuteText, today } from '../ui/dates.ts';
import { toast } from '../ui/toast.ts';
import { ApproveDestruction } from './approve-destruction.tsx';
import classes from './destruction-orders.module.css';
import { OlderPages } from './older-pages.tsx';
import { QueryFailed } from './query-failed.tsx';

const rowsPerPage = 20;

/** Returns the name of what an order destroys; without a name when it is gone. */
const useSubjectName = () => {
  const { t } = useTranslation('destruction');
  return ({ kind, subject }: DestructionOrder): string => {
    if (!subject) return t(`kind-${kind}`);
    const { patientName, personalNumber, studyDate, studyDescription, imageNumber } = subject;
    const image = kind === 'image' && [t('kind-image'), imageNumber].filter((part) => part !== null).join(' ');
    const study = [studyDate, studyDescription].filter(Boolean).join(' ');
    return [image, study, `${patientName}, ${personalNumber}`].filter(Boolean).join(' · ');
  };
};

const dayMs = 86_400_000;

/** Returns what happened with an order, oldest first, and how long backups can have what was destroyed. */
const useHistory = (backupKeepDays: number | null) => {
  const { t } = useTranslation('destruction');
  const backupsText = (destroyedAt: string): string => {
    const at = minuteText(destroyedAt);
    if (backupKeepDays === null) return t('backups-unknown', { at });
    const until = new Date(Date.parse(destroyedAt) + backupKeepDays * dayMs);
    return t('backups-until', { at, day: today(until) });
  };
  return ({
    state,
    proposedBy,
    proposedAt,
    decidedBy,
    decidedAt,
    dueAt,
    endedBy,
    endedAt,
    counts,
  }: DestructionOrder) => {
    const lines = [t('at-proposed', { at: minuteText(proposedAt), name: proposedBy.name })];
    if (decidedBy && decidedAt)
      lines.push(
        t(state === 'refused' ? 'at-refused' : 'at-approved', { at: minuteText(decidedAt), name: decidedBy.name }),
      );
    if (state === 'approved' && dueAt) lines.push(t('at-due', { at: minuteText(dueAt) }));
    if (state === 'revoked' && endedBy && endedAt)
      lines.push(t('at-revoked', { at: minuteText(endedAt), name: endedBy.name }));
    if (state === 'lapsed' && endedAt) lines.push(t('at-lapsed', { at: minuteText(endedAt) }));
    if (state === 'destroyed' && endedAt) lines.push(t('at-destroyed', { at: minuteText(endedAt) }));
    if (state === 'destroyed' || state === 'destroying')
      lines.push(
        t('counts', { patients: counts.patients, studies: counts.studies, images: counts.images, files: counts.files }),
      );
    if (state === 'destroyed' && endedAt) lines.push(backupsText(endedAt));
    return lines;
  };
};

interface OrderProps {
  readonly order: DestructionOrder;
  readonly name: string;
  readonly backupKeepDays: number | null;
  /** The user's own account. */
  readonly accountId: string | null;
  readonly onApprove: () => void;
}

const Order = ({ order, name, backupKeepDays, accountId, onApprove }: OrderProps) => {
  const { t } = useTranslation(['destruction', 'shell']);
  const failureText = useFailureText();
  const { endDestruction } = useRecords();
  const [busy, setBusy] = useState<'refuse' | 'revoke' | null>(null);
  const history = useHistory(backupKeepDays);
  const isOwn = order.proposedBy.id === accountId;
  const isProposed = order.state === 'proposed';
  const end = async (action: 'refuse' | 'revoke') => {
    setBusy(action);
    try {
      await endDestruction(order.id, action);
      toast({ tone: 'good', text: t(action === 'refuse' ? 'refusedToast' : 'revokedToast'), close: t('shell:close') });
    } catch (error) {
      toast({ tone: 'bad', text: failureText(failureOfQuery(error)), close: t('shell:close') });
    }
    setBusy(null);
  };
  return (
    <li className={classes.order} data-state={order.state}>
      <div className={classes.what}>
        <p className={classes.name}>
          {order.kind === 'study' ? `${t('kind-study')} ${name}` : name}
          {order.subject && <ProtectedMark of={order.subject} />}
        </p>
        <p className={classes.state}>{t(`state-${order.state}`)}</p>
      </div>
      <p>{t(`reference-${order.basis}`, { reference: order.reference })}</p>
      <p className={classes.dimmed}>{order.reason}</p>
      {history(order).map((line) => (
        <p key={line} className={classes.dimmed}>
          {line}
        </p>
      ))}
      {(isProposed || order.state === 'approved') && (
        <div className={classes.buttons}>
          {isProposed && isOwn && <p className={classes.dimmed}>{t('waitsForAnother')}</p>}
          {isProposed && !isOwn && (
            <>
              <Button color="red.9" onClick={onApprove}>
                {t('approveOpen')}
              </Button>
              <Button variant="default" loading={busy === 'refuse'} onClick={() => void end('refuse')}>
                {t('refuse')}
              </Button>
            </>
          )}
          {(isOwn || !isProposed) && (
            <Button variant="default" loading={busy === 'revoke'} onClick={() => void end('revoke')}>
              {t('revoke')}
            </Button>
          )}
        </div>
      )}
    </li>
  );
};

interface DestructionOrdersProps {
  readonly clinicId: string;
  readonly accountId: string | null;
  /** Part of another list: shows nothing where there are no orders. */
  readonly isPart?: boolean;
}

/** The orders to destroy records of a clinic, the newest first, with what the user can decide. */
export const DestructionOrders = ({ clinicId, accountId, isPart = false }: DestructionOrdersProps) => {
  const { t } = useTranslation('destruction');
  const [page, setPage] = useState(1);
  const [toApprove, setToApprove] = useState<DestructionOrder | null>(null);
  const nameOf = useSubjectName();
  const { data, error, refetch } = useQuery({
    ...useRecords().destructionOrders({ customerId: clinicId, page, ppage: rowsPerPage }),
    placeholderData: keepPreviousData,
  });
  if (error) return <QueryFailed error={error} onRetry={() => void refetch()} />;
  if (!data) return isPart ? null : <Skeleton height={96} />;
  if (data.totalCount === 0) return isPart ? null : <p className={classes.dimmed}>{t('noOrders')}</p>;
  return (
    <>
      <ul className={classes.orders}>
        {data.data.map((order) => (
          <Order
            key={order.id}
            order={order}
            name={nameOf(order)}
            backupKeepDays={data.backupKeepDays}
            accountId={accountId}
            onApprove={() => setToApprove(order)}
          />
        ))}
      </ul>
      {data.totalCount > rowsPerPage && (
        <OlderPages page={page} rowsPerPage={rowsPerPage} totalCount={data.totalCount} onPage={setPage} />
      )}
      {toApprove && (
        <ApproveDestruction order={toApprove} name={nameOf(toApprove)} onClose={() => setToApprove(null)} />
      )}
    </>
  );
};
