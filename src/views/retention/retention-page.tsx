import '@mantine/core/styles/Table.css';
import { Button, Skeleton, Table } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import dayjs from 'dayjs';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { DuePatient } from '../../../contract/retention.ts';
import { useRecords } from '../app/loaded-services.ts';
import { DestructionOrders } from '../forms/destruction-orders.tsx';
import { OlderPages } from '../forms/older-pages.tsx';
import { ProposeDestruction } from '../forms/propose-destruction.tsx';
import { QueryFailed } from '../forms/query-failed.tsx';
import { ProtectedMark } from '../language/protected-mark.tsx';
import { PageHeading } from '../ui/page-heading.tsx';
import classes from './retention.module.css';

const rowsPerPage = 20;

const dayOf = (moment: string): string => dayjs(moment).format('YYYY-MM-DD');
const nameOf = ({ mainInfo }: DuePatient): string => `${mainInfo.firstName} ${mainInfo.lastName}`;

const DueRow = ({ patient, onPropose }: { readonly patient: DuePatient; readonly onPropose: () => void }) => {
  const { t } = useTranslation('destruction');
  const name = nameOf(patient);
  return (
    <Table.Tr>
      <Table.Th scope="row">
        {name}
        <ProtectedMark of={patient.mainInfo} />
      </Table.Th>
      <Table.Td className={classes.days}>{patient.mainInfo.personalNumber}</Table.Td>
      <Table.Td className={classes.days}>{dayOf(patient.lastEntryAt)}</Table.Td>
      <Table.Td className={classes.days}>{dayOf(patient.dueSince)}</Table.Td>
      <Table.Td className={classes.days}>{patient.deletedAt && dayOf(patient.deletedAt)}</Table.Td>
      <Table.Td>
        {patient.isProposed ? (
          <span className={classes.dimmed}>{t('isProposed')}</span>
        ) : (
          <Button variant="default" size="xs" aria-label={t('proposeFor', { name })} onClick={onPropose}>
            {t('proposeOpen')}
          </Button>
        )}
      </Table.Td>
    </Table.Tr>
  );
};

/** The patients of a clinic whose retention has ended, the longest due first. */
const DueList = ({ clinicId }: { readonly clinicId: string }) => {
  const { t } = useTranslation('destruction');
  const [page, setPage] = useState(1);
  const [proposed, setProposed] = useState<DuePatient | null>(null);
  const { data, error, refetch } = useQuery({
    ...useRecords().retentionDue({ customerId: clinicId, page, ppage: rowsPerPage }),
    placeholderData: keepPreviousData,
  });
  const rows = () => {
    if (error) return <QueryFailed error={error} onRetry={() => void refetch()} />;
    if (!data) return <Skeleton height={96} />;
    if (data.retentionYears === null) return <p>{t('never')}</p>;
    const term = <p>{t('term', { count: data.retentionYears })}</p>;
    if (data.totalCount === 0)
      return (
        <>
          {term}
          <p className={classes.dimmed}>{t('noneDue')}</p>
        </>
      );
    return (
      <>
        {term}
        <Table.ScrollContainer minWidth={760} type="native" tabIndex={0} role="region" aria-label={t('due')}>
          <Table aria-label={t('due')}>
            <Table.Thead>
              <Table.Tr>
                <Table.Th>{t('patient')}</Table.Th>
                <Table.Th>{t('personalNumber')}</Table.Th>
                <Table.Th>{t('lastEntry')}</Table.Th>
                <Table.Th>{t('dueSince')}</Table.Th>
                <Table.Th>{t('deletedAt')}</Table.Th>
                <Table.Th>{t('action')}</Table.Th>
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {data.data.map((patient) => (
                <DueRow key={patient.id} patient={patient} onPropose={() => setProposed(patient)} />
              ))}
            </Table.Tbody>
          </Table>
        </Table.ScrollContainer>
        {data.totalCount > rowsPerPage && (
          <OlderPages page={page} rowsPerPage={rowsPerPage} totalCount={data.totalCount} onPage={setPage} />
        )}
      </>
    );
  };
  return (
    <section className={classes.part} aria-label={t('due')} aria-busy={!data && !error}>
      <h2 className={classes.heading}>{t('due')}</h2>
      {rows()}
      {proposed && (
        <ProposeDestruction
          clinicId={clinicId}
          subject={{ kind: 'patient', id: proposed.id, name: nameOf(proposed), isDue: true }}
          onClose={() => setProposed(null)}
        />
      )}
    </section>
  );
};

interface RetentionPageProps {
  readonly clinicId: string;
  /** The user's own account. */
  readonly accountId: string | null;
}

/** Patients whose retention has ended, and the orders to destroy records. */
export const RetentionPage = ({ clinicId, accountId }: RetentionPageProps) => {
  const { t } = useTranslation('destruction');
  return (
    <div className={classes.page}>
      <PageHeading>{t('title')}</PageHeading>
      <p className={classes.lead}>{t('lead')}</p>
      <DueList clinicId={clinicId} />
      <section className={classes.part} aria-label={t('orders')}>
        <h2 className={classes.heading}>{t('orders')}</h2>
        <p className={classes.lead}>{t('ordersLead')}</p>
        <DestructionOrders clinicId={clinicId} accountId={accountId} />
      </section>
    </div>
  );
};
