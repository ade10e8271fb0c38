import { Button } from '@mantine/core';
import { PageHeading } from '../ui/page-heading.tsx';
// Select styles are imported here because only this page needs them; the sign-in page should not load them.
import '@mantine/core/styles/ScrollArea.css';
import '@mantine/core/styles/Combobox.css';
import IconListSearch from '@tabler/icons-react/dist/esm/icons/IconListSearch.mjs';
import IconRefresh from '@tabler/icons-react/dist/esm/icons/IconRefresh.mjs';
import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'wouter';
import { maxPatternDays } from '../../../contract/access-log.ts';
import { useAppContext } from '../app/app-context.tsx';
import { reviewsPath } from '../app/paths.ts';
import { failureOfQuery } from '../app/queries-context.tsx';
import { useUrlState } from '../app/url-state.ts';
import { useFailureText } from '../language/failure-text.ts';
import { today } from '../ui/dates.ts';
import { IconAlert } from '../ui/icon-alert.tsx';
import { Notice } from '../ui/notice.tsx';
import { ToolButton } from '../ui/tool-button.tsx';
import { ExtractButtons } from './extract-buttons.tsx';
import classes from './log.module.css';
import { isBackwards, type LogFilter, logSchema, needsPeriod, patternPeriod, queryOf } from './log-filter.ts';
import { type Choice, LogFilters } from './log-filters.tsx';
import { LogTable, useLogPatientName, useScrolled } from './log-table.tsx';

interface LogPageProps {
  /** Null: the user can read the logs of all clinics and choose one. */
  readonly ownClinicId: string | null;
  /** The clinic whose reviews are offered. */
  readonly openClinicId: string | null;
}

/** Distance to the end of the loaded rows, in CSS pixels, at which older entries are fetched. */
const nearEnd = 1_500;

/** Access log of the clinic: who viewed or changed which record. */
export const LogPage = ({ ownClinicId, openClinicId }: LogPageProps) => {
  const { t } = useTranslation(['log', 'header', 'shell']);
  const failureText = useFailureText();
  const { accessLog } = useAppContext();
  const nameOf = useLogPatientName();
  const client = useQueryClient();
  const [filter, changeFilter, clear] = useUrlState(logSchema);
  const [box, setBox] = useState<HTMLElement | null>(null);
  const [names, setNames] = useState<{ readonly patient?: Choice; readonly clinic?: Choice }>({});
  const scrolled = useScrolled(box);
  const query = queryOf(filter, ownClinicId === null);
  const queryKey = ['access-log', query];
  const log = useInfiniteQuery({
    queryKey,
    queryFn: async ({ signal, pageParam }) => (await accessLog()).page(query, pageParam, signal),
    initialPageParam: null as string | null,
    getNextPageParam: ({ data, hasMore }) => (hasMore ? (data.at(-1)?.id ?? null) : null),
    enabled: !isBackwards(filter) && !needsPeriod(filter),
    // Each read of the log is itself logged, so nothing is refetched automatically.
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  });
  const entries = log.data?.pages.flatMap(({ data }) => data) ?? null;
  const isEmpty = entries?.length === 0 || isBackwards(filter);

  const needsMore =
    log.hasNextPage && !log.isFetchingNextPage && !log.isFetchNextPageError && box !== null && scrolled.height > 0;
  const { fetchNextPage } = log;
  useEffect(() => {
    if (needsMore && box.scrollHeight - scrolled.top - scrolled.height < nearEnd) void fetchNextPage();
  }, [needsMore, box, scrolled, fetchNextPage]);

  const change = (narrower: Partial<LogFilter>, chosen: typeof names = {}) => {
    setNames({ ...names, ...chosen });
    const changed = { ...filter, ...narrower };
    const isNewPattern = narrower.pattern !== undefined && needsPeriod(changed);
    changeFilter(isNewPattern ? { ...narrower, ...patternPeriod(changed, today()) } : narrower);
    box?.scrollTo({ top: 0 });
  };

  const user = entries?.find(({ account }) => account?.id === filter.person)?.account ?? null;
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
              <Button onClick={clear}>{t('clear')}</Button>
            ) : (
              <Button onClick={() => void log.refetch()}>{t('shell:retry')}</Button>
            )
          }
        />
      );
    }
    if (needsPeriod(filter))
      return (
        <Notice
          title={t('patternPeriod', { days: maxPatternDays })}
          icon={<IconListSearch />}
          action={
            <Button onClick={() => change(patternPeriod({ from: null, to: null }, today()))}>{t('last30Days')}</Button>
          }
        />
      );
    if (isEmpty)
      return (
        <Notice
          title={isBackwards(filter) ? t('invalidPeriod') : t('emptyTitle')}
          text={isBackwards(filter) ? undefined : t('emptyText')}
          icon={<IconListSearch />}
          action={
            Object.values(filter).some((value) => value !== null) && (
              <Button variant="default" onClick={clear}>
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
        <PageHeading title={t('header:log')}>
          {patient ? t('titleFor', { name: nameOf(patient) }) : t('header:log')}
        </PageHeading>
        <ToolButton label={t('refresh')} onClick={() => void client.resetQueries({ queryKey })}>
          <IconRefresh />
        </ToolButton>
        {openClinicId !== null && (
          <Button component={Link} href={reviewsPath(openClinicId)} variant="default">
            {t('reviews')}
          </Button>
        )}
        {filter.patient !== null && !isBackwards(filter) && (
          <ExtractButtons key={filter.patient} patientId={filter.patient} from={filter.from} to={filter.to} />
        )}
      </div>
      <LogFilters
        filter={filter}
        ownClinicId={ownClinicId}
        user={chosenOf(filter.person, undefined, user?.name)}
        patient={chosenOf(
          filter.patient,
          names.patient,
          patient ? [nameOf(patient), patient.personalNumber].filter(Boolean).join(', ') : undefined,
        )}
        clinic={chosenOf(filter.clinic, names.clinic, clinic?.name)}
        onChange={change}
        onClear={clear}
      />
      <section ref={setBox} className={classes.scroll} aria-label={t('header:log')} tabIndex={-1}>
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
