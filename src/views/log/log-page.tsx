import { Button } from '@mantine/core';
import { PageTitle } from '../parts/page-title.tsx';
// Only this page has lists to choose from; the sign-in page does not wait for their looks.
import '@mantine/core/styles/ScrollArea.css';
import '@mantine/core/styles/Combobox.css';
import IconListSearch from '@tabler/icons-react/dist/esm/icons/IconListSearch.mjs';
import IconRefresh from '@tabler/icons-react/dist/esm/icons/IconRefresh.mjs';
import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useSearchParams } from 'wouter';
import { useGround } from '../ground.tsx';
import { useFailureText } from '../language/failure-text.ts';
import { IconAlert } from '../parts/icon-alert.tsx';
import { Notice } from '../parts/notice.tsx';
import { ToolButton } from '../parts/tool-button.tsx';
import { failureOfQuery } from '../reading.tsx';
import type { Choice } from './asked-select.tsx';
import { ExtractButtons } from './extract-buttons.tsx';
import classes from './log.module.css';
import { LogFilters } from './log-filters.tsx';
import { askedOf, filterOf, isBackwards, type LogFilter, paramsOf } from './log-place.ts';
import { LogTable } from './log-table.tsx';
import { useScrolled } from './shown-rows.ts';

interface LogPageProps {
  /** Null: the person reads the log of every clinic, and chooses among them. */
  readonly ownClinicId: string | null;
}

/** So near to the end of what is loaded, in CSS pixels, older entries are fetched. */
const nearEnd = 1_500;

/** Who saw or changed what of whom: the access log for those who answer for the clinic. */
export const LogPage = ({ ownClinicId }: LogPageProps) => {
  const { t } = useTranslation(['log', 'shell']);
  const failureText = useFailureText();
  const { accessLog } = useGround();
  const client = useQueryClient();
  const [params, setParams] = useSearchParams();
  const [box, setBox] = useState<HTMLElement | null>(null);
  const [names, setNames] = useState<{ readonly patient?: Choice; readonly clinic?: Choice }>({});
  const scrolled = useScrolled(box);
  const filter = filterOf(params);
  const asked = askedOf(filter, ownClinicId === null);
  const queryKey = ['access-log', asked];
  const log = useInfiniteQuery({
    queryKey,
    queryFn: async ({ signal, pageParam }) => (await accessLog()).page(asked, pageParam, signal),
    initialPageParam: null as string | null,
    getNextPageParam: ({ data, hasMore }) => (hasMore ? (data.at(-1)?.id ?? null) : null),
    enabled: !isBackwards(filter),
    // Every look into the log stands in the log: nothing is asked again but on a person's wish.
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  });
  const entries = log.data?.pages.flatMap(({ data }) => data) ?? null;
  const isEmpty = entries?.length === 0 || isBackwards(filter);

  const wantsMore =
    log.hasNextPage && !log.isFetchingNextPage && !log.isFetchNextPageError && box !== null && scrolled.height > 0;
  const { fetchNextPage } = log;
  useEffect(() => {
    if (wantsMore && box.scrollHeight - scrolled.top - scrolled.height < nearEnd) void fetchNextPage();
  }, [wantsMore, box, scrolled, fetchNextPage]);

  const change = (narrower: Partial<LogFilter>, chosen: typeof names = {}) => {
    setNames({ ...names, ...chosen });
    setParams(paramsOf({ ...filter, ...narrower }));
    box?.scrollTo({ top: 0 });
  };

  const person = entries?.find(({ account }) => account?.id === filter.person)?.account ?? null;
  const patient = entries?.find((entry) => entry.patient?.id === filter.patient)?.patient ?? null;
  const clinic = entries?.find((entry) => entry.clinic?.id === filter.clinic)?.clinic ?? null;
  const chosenOf = (id: string | null, chosen: Choice | undefined, label: string | undefined): Choice | null => {
    if (id === null) return null;
    return chosen?.value === id ? chosen : { value: id, label: label ?? '' };
  };

  const body = () => {
    if (log.isError && entries === null) {
      const failure = failureOfQuery(log.error);
      const isUnknown = failure.code === 'not-found';
      return (
        <Notice
          urgent
          title={isUnknown ? t('notFound') : t('loadFailed')}
          text={isUnknown ? undefined : failureText(failure)}
          action={
            isUnknown ? (
              <Button onClick={() => setParams(new URLSearchParams())}>{t('clear')}</Button>
            ) : (
              <Button onClick={() => void log.refetch()}>{t('shell:retry')}</Button>
            )
          }
        />
      );
    }
    if (isEmpty)
      return (
        <Notice
          title={isBackwards(filter) ? t('daysWrong') : t('emptyTitle')}
          text={isBackwards(filter) ? undefined : t('emptyText')}
          icon={<IconListSearch />}
          action={
            params.size > 0 && (
              <Button variant="default" onClick={() => setParams(new URLSearchParams())}>
                {t('clear')}
              </Button>
            )
          }
        />
      );
    return <LogTable entries={entries} scrolled={scrolled} onNarrow={change} />;
  };

  return (
    <div className={classes.page}>
      <div className={classes.bar}>
        <PageTitle>{t('title')}</PageTitle>
        <h1 className={classes.title}>{patient ? t('titleFor', { name: patient.name }) : t('title')}</h1>
        <ToolButton label={t('refresh')} onClick={() => void client.resetQueries({ queryKey })}>
          <IconRefresh />
        </ToolButton>
        {filter.patient !== null && !isBackwards(filter) && (
          <ExtractButtons key={filter.patient} patientId={filter.patient} from={filter.from} to={filter.to} />
        )}
      </div>
      <LogFilters
        filter={filter}
        ownClinicId={ownClinicId}
        person={chosenOf(filter.person, undefined, person?.name)}
        patient={chosenOf(
          filter.patient,
          names.patient,
          patient ? `${patient.name}, ${patient.personalNumber}` : undefined,
        )}
        clinic={chosenOf(filter.clinic, names.clinic, clinic?.name)}
        onChange={change}
        onClear={() => setParams(new URLSearchParams())}
      />
      <section ref={setBox} className={classes.scroll} aria-label={t('title')} tabIndex={-1}>
        {body()}
      </section>
      <div className={classes.foot} role="status">
        {log.isFetchingNextPage && t('loadingMore')}
        {entries !== null && !isEmpty && !log.hasNextPage && t('end')}
        {log.isFetchNextPageError && (
          <>
            <IconAlert>{t('moreFailed')}</IconAlert>
            <Button variant="default" onClick={() => void log.fetchNextPage()}>
              {t('shell:retry')}
            </Button>
          </>
        )}
      </div>
    </div>
  );
};
