import { Skeleton } from '@mantine/core';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'wouter';
import type { Statistics } from '../../../contract/statistics.ts';
import { useCountText } from '../language/count-text.ts';
import classes from './statistics.module.css';

/** Where the lists behind the numbers are; null where this person has none. */
export interface NumberPlaces {
  readonly clinics: string | null;
  readonly users: string | null;
  readonly active: string | null;
  readonly inactive: string | null;
  /** Patients, with their studies and images. */
  readonly patients: string | (() => void) | null;
}

interface PlaceProps {
  readonly to: string | (() => void) | null;
  readonly label: string;
  readonly className: string | undefined;
  readonly children: ReactNode;
}

const Place = ({ to, label, className, children }: PlaceProps) => {
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
  /** Null while they load. */
  readonly statistics: Statistics | null;
  readonly ofAll: boolean;
  readonly places: NumberPlaces;
}

/** How many clinics, users, patients, studies and images there are. */
export const StatisticsNumbers = ({ statistics, ofAll, places }: StatisticsNumbersProps) => {
  const { t } = useTranslation('statistics');
  const countText = useCountText();
  const users = statistics?.users ?? null;
  const week = statistics?.weekly.at(-1) ?? null;
  const thisWeek = (count: number) => count > 0 && <span className={classes.beneath}>{t('thisWeek', { count })}</span>;
  const number = (
    name: string,
    count: number | undefined,
    to: PlaceProps['to'],
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
            <Place to={to} label={label(count)} className={classes.count}>
              {countText.number(count)}
            </Place>
            {beneath}
          </>
        )}
      </dd>
    </div>
  );
  return (
    <dl className={classes.numbers}>
      {ofAll && number(t('clinics'), statistics?.clinics, places.clinics, (count) => t('toClinics', { count }), null)}
      {number(
        t('users'),
        users?.total,
        places.users,
        (count) => t('toUsers', { count }),
        users && (
          <span className={classes.beneath}>
            <Place to={places.active} label={t('toActive', { count: users.active })} className={classes.part}>
              {t('active', { count: users.active })}
            </Place>
            {', '}
            <Place to={places.inactive} label={t('toInactive', { count: users.inactive })} className={classes.part}>
              {t('inactive', { count: users.inactive })}
            </Place>
          </span>
        ),
      )}
      {number(
        t('patients'),
        statistics?.patients,
        places.patients,
        (count) => t('toPatients', { count }),
        week && thisWeek(week.patients),
      )}
      {number(
        t('studies'),
        statistics?.studies,
        places.patients,
        (count) => t('toStudies', { count }),
        week && thisWeek(week.studies),
      )}
      {number(
        t('images'),
        statistics?.images,
        places.patients,
        (count) => t('toImages', { count }),
        week && thisWeek(week.images),
      )}
    </dl>
  );
};
