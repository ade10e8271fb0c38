import { Skeleton, Table } from '@mantine/core';
import '@mantine/core/styles/Table.css';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { type MonitorCheck, monitorQuestions } from '../../../contract/monitor-checks.ts';
import { useAppQueries } from '../app/queries-context.tsx';
import { OlderPages } from '../forms/older-pages.tsx';
import { QueryFailed } from '../forms/query-failed.tsx';
import classes from './monitor.module.css';

const rowsPerPage = 20;

const CheckRow = ({ check }: { readonly check: MonitorCheck }) => {
  const { t } = useTranslation('monitor');
  const notSeen = monitorQuestions
    .filter((question) => !check.answers[question])
    .map((question) => t(`part-${question}`));
  return (
    <Table.Tr>
      <Table.Td>{check.day}</Table.Td>
      <Table.Td>{check.workstation}</Table.Td>
      <Table.Td>{check.author.name}</Table.Td>
      <Table.Td>{notSeen.length === 0 ? t('allYes') : t('answeredNo', { parts: notSeen.join(', ') })}</Table.Td>
      <Table.Td className={classes.comment}>{check.comment}</Table.Td>
    </Table.Tr>
  );
};

/** The saved checks of the monitors of a clinic, newest first. */
export const CheckList = ({ clinicId }: { readonly clinicId: string }) => {
  const { t } = useTranslation('monitor');
  const [page, setPage] = useState(1);
  const { data, error, refetch } = useQuery({
    ...useAppQueries().monitorChecks(clinicId, { page, ppage: rowsPerPage }),
    placeholderData: keepPreviousData,
    // Colleagues check their monitors meanwhile.
    refetchOnMount: 'always',
  });
  const rows = () => {
    if (error)
      return (
        <div>
          <QueryFailed error={error} onRetry={() => void refetch()} />
        </div>
      );
    if (!data) return <Skeleton height={120} />;
    if (data.totalCount === 0) return <p className={classes.dimmed}>{t('none')}</p>;
    return (
      <>
        <Table.ScrollContainer minWidth={640} type="native" tabIndex={0} role="region" aria-label={t('latest')}>
          <Table aria-label={t('latest')}>
            <Table.Thead>
              <Table.Tr>
                <Table.Th>{t('day')}</Table.Th>
                <Table.Th>{t('workstation')}</Table.Th>
                <Table.Th>{t('user')}</Table.Th>
                <Table.Th>{t('answers')}</Table.Th>
                <Table.Th>{t('comment')}</Table.Th>
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {data.data.map((check) => (
                <CheckRow key={check.id} check={check} />
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
    <section className={classes.part} aria-label={t('latest')} aria-busy={!data && !error}>
      <h2 className={classes.heading}>{t('latest')}</h2>
      {rows()}
    </section>
  );
};
