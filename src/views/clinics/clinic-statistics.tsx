import { Button, SegmentedControl, Skeleton } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Suspense, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Statistics } from '../../../contract/statistics.ts';
import { useAdministration } from '../app/loaded-services.ts';
import { useCountText } from '../language/count-text.ts';
import { IconAlert } from '../ui/icon-alert.tsx';
import { lazyComponent } from '../ui/lazy-component.ts';
import classes from './statistics.module.css';
import { type NumberLinks, StatisticsNumbers } from './statistics-numbers.tsx';

const WeeklyChart = lazyComponent(async () => (await import('./weekly-chart.tsx')).WeeklyChart);

const measures = ['images', 'studies', 'patients'] as const;
type Measure = (typeof measures)[number];
const isMeasure = (text: string): text is Measure => measures.some((measure) => measure === text);

const chartHeight = 120;

/** Formats a Monday (`YYYY-MM-DD`) as day and month in the user's language. */
const dayText = (week: string, language: string) =>
  new Date(`${week}T00:00:00Z`).toLocaleDateString(language === 'no' ? 'nb' : language, {
    timeZone: 'UTC',
    day: 'numeric',
    month: 'short',
  });

const WeeklyImports = ({ weekly }: { readonly weekly: Statistics['weekly'] }) => {
  const { t, i18n } = useTranslation('statistics');
  const countText = useCountText();
  const [measure, setMeasure] = useState<Measure>('images');
  const weeks = weekly.map((one) => ({ label: dayText(one.week, i18n.language), count: one[measure] }));
  const name = t('chart', { what: t(measure) });
  return (
    <figure className={classes.weekly}>
      <figcaption className={classes.caption}>
        <span>{t('weekly')}</span>
        <SegmentedControl
          size="xs"
          aria-label={t('measure')}
          value={measure}
          onChange={(value) => {
            if (isMeasure(value)) setMeasure(value);
          }}
          data={measures.map((value) => ({ value, label: t(value) }))}
        />
      </figcaption>
      <Suspense fallback={<Skeleton height={chartHeight} />}>
        <WeeklyChart weeks={weeks} name={t(measure)} height={chartHeight} numberText={countText.number} />
      </Suspense>
      {/* A table cannot be smaller than its rows, so the box around it is visually hidden. */}
      <div className={classes.visuallyHidden}>
        <table>
          <caption>{name}</caption>
          <tbody>
            {weeks.map(({ label, count }) => (
              <tr key={label}>
                <th scope="row">{t('week', { date: label })}</th>
                <td>{countText.number(count)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </figure>
  );
};

interface ClinicStatisticsProps {
  /** Null: totals of all clinics. */
  readonly customerId: string | null;
  readonly links: NumberLinks;
  /** Whether imports by week are shown. */
  readonly showsWeeks: boolean;
}

/** Shows totals, each linked to its list, and imports by week. */
export const ClinicStatistics = ({ customerId, links, showsWeeks }: ClinicStatisticsProps) => {
  const { t } = useTranslation('statistics');
  const { data, error, refetch } = useQuery(useAdministration().statistics(customerId));
  if (error && !data)
    return (
      <div className={classes.failed}>
        <IconAlert>{t('failed')}</IconAlert>
        <Button variant="default" onClick={() => void refetch()}>
          {t('retry')}
        </Button>
      </div>
    );
  return (
    <section
      className={classes.statistics}
      aria-label={t('title')}
      aria-busy={!data}
      data-numbers-alone={!showsWeeks || undefined}
    >
      <StatisticsNumbers statistics={data ?? null} ofAll={customerId === null} links={links} />
      {showsWeeks &&
        (data ? (
          <WeeklyImports weekly={data.weekly} />
        ) : (
          <Skeleton className={classes.weekly} height={chartHeight + 44} />
        ))}
    </section>
  );
};
