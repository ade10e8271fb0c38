import { Skeleton } from '@mantine/core';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'wouter';
import type { Statistics } from '../../../contract/statistics.ts';
import { useCountText } from '../language/count-text.ts';
import classes from './statistics.module.css';

/** Links to the lists behind the numbers; null where the user has no access. */
export interface NumberLinks {
  readonly clinics: string | null;
  readonly users: string | null;
  readonly active: string | null;
  readonly inactive: string | null;
  /** Patients, studies and images. */
  readonly patients: string | (() => void) | null;
}

interface NumberLinkProps {
  readonly to: string | (() => void) | null;
  readonly label: string;
  readonly className: string | undefined;
  readonly children: ReactNode;
}

const NumberLink = ({ to, label, className, children }: NumberLinkProps) => {
  if (to === null) return <span className={className}>{children}</span>;
  if (typeof to === 'string')
    return (
      <Link href={to} className={className} aria-label={label}>
        {children}
      </Link>
    );
  return (
    <button type="button" className={className} aria-label={label} onClick={to}>
      {children}
    </button>
  );
};

interface StatisticsNumbersProps {
  /** Null while loading. */
  readonly statistics: Statistics | null;
  readonly ofAll: boolean;
  readonly links: NumberLinks;
}

/** Shows the numbers of clinics, users, patients, studies and images. */
export const StatisticsNumbers = ({ statistics, ofAll, links }: StatisticsNumbersProps) => {
  const { t } = useTranslation('statistics');
  const countText = useCountText();
  const users = statistics?.users ?? null;
  const week = statistics?.weekly.at(-1) ?? null;
  const thisWeek = (count: number) => count > 0 && <span className={classes.beneath}>{t('thisWeek', { count })}</span>;
  const number = (
    name: string,
    count: number | undefined,
    to: NumberLinkProps['to'],
    label: (count: number) => string,
    beneath: ReactNode,
  ) => (
    <div className={classes.number}>
      <dt>{name}</dt>
      <dd>
        {count === undefined ? (
          <Skeleton height={28} width={64} />
        ) : (
          <>
            <NumberLink to={to} label={label(count)} className={classes.count}>
              {countText.number(count)}
            </NumberLink>
            {beneath}
          </>
        )}
      </dd>
    </div>
  );
  return (
    <dl className={classes.numbers}>
      {ofAll && number(t('clinics'), statistics?.clinics, links.clinics, (count) => t('toClinics', { count }), null)}
      {number(
        t('users'),
        users?.total,
        links.users,
        (count) => t('toUsers', { count }),
        users && (
          <span className={classes.beneath}>
            <NumberLink to={links.active} label={t('toActive', { count: users.active })} className={classes.part}>
              {t('active', { count: users.active })}
            </NumberLink>
            {', '}
            <NumberLink to={links.inactive} label={t('toInactive', { count: users.inactive })} className={classes.part}>
              {t('inactive', { count: users.inactive })}
            </NumberLink>
          </span>
        ),
      )}
      {number(
        t('patients'),
        statistics?.patients,
        links.patients,
        (count) => t('toPatients', { count }),
        week && thisWeek(week.patients),
      )}
      {number(
        t('studies'),
        statistics?.studies,
        links.patients,
        (count) => t('toStudies', { count }),
        week && thisWeek(week.studies),
      )}
      {number(
        t('images'),
        statistics?.images,
        links.patients,
        (count) => t('toImages', { count }),
        week && thisWeek(week.images),
      )}
    </dl>
  );
};
