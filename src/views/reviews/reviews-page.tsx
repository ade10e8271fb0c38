import { Button, SegmentedControl, Skeleton } from '@mantine/core';
import '@mantine/core/styles/SegmentedControl.css';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'wouter';
import { reviewStates } from '../../../contract/log-reviews.ts';
import { useAppContext } from '../app/app-context.tsx';
import { oneOf, positive, useUrlState } from '../app/url-state.ts';
import { OlderPages } from '../forms/older-pages.tsx';
import { QueryFailed } from '../forms/query-failed.tsx';
import { PageHeading } from '../ui/page-heading.tsx';
import { NewReviews } from './new-reviews.tsx';
import { Review } from './review.tsx';
import classes from './reviews.module.css';

interface ReviewsPageProps {
  readonly clinicId: string;
  /** The user's own account. */
  readonly accountId: string | null;
}

const rowsPerPage = 20;
const schema = { show: oneOf(reviewStates), page: positive(1) };

/** The reviews of a clinic's access log: the open ones first, and a form to plan more. */
export const ReviewsPage = ({ clinicId, accountId }: ReviewsPageProps) => {
  const { t } = useTranslation('reviews');
  const { accessLog } = useAppContext();
  const [{ show, page }, change] = useUrlState(schema);
  const [openId, setOpenId] = useState<string | null>(null);
  const { data, error, refetch } = useQuery({
    queryKey: ['log-reviews', clinicId, show, page],
    queryFn: async ({ signal }) =>
      (await accessLog()).reviews.list({ customerId: clinicId, state: show, page, ppage: rowsPerPage }, signal),
    placeholderData: keepPreviousData,
  });
  const rows = () => {
    if (error) return <QueryFailed error={error} onRetry={() => void refetch()} />;
    if (!data) return <Skeleton height={96} />;
    if (data.totalCount === 0) return <p className={classes.dimmed}>{t(`none-${show}`)}</p>;
    return (
      <>
        <ul className={classes.reviews}>
          {data.data.map((review) => (
            <Review
              key={review.id}
              review={review}
              accountId={accountId}
              isOpen={review.id === openId}
              onToggle={() => setOpenId(review.id === openId ? null : review.id)}
            />
          ))}
        </ul>
        {data.totalCount > rowsPerPage && (
          <OlderPages
            page={page}
            rowsPerPage={rowsPerPage}
            totalCount={data.totalCount}
            onPage={(next) => change({ page: next })}
          />
        )}
      </>
    );
  };
  return (
    <div className={classes.page}>
      <div className={classes.bar}>
        <PageHeading>{t('title')}</PageHeading>
        <Button component={Link} href="/log" variant="default">
          {t('toLog')}
        </Button>
      </div>
      <p className={classes.lead}>{t('lead')}</p>
      <section className={classes.part} aria-label={t('list')} aria-busy={!data && !error}>
        <h2 className={classes.heading}>{t('list')}</h2>
        <SegmentedControl
          className={classes.states}
          aria-label={t('show')}
          data={reviewStates.map((value) => ({ value, label: t(`show-${value}`) }))}
          value={show}
          onChange={(value) => change({ show: schema.show.parse(value), page: 1 })}
        />
        {rows()}
      </section>
      <NewReviews clinicId={clinicId} accountId={accountId} />
    </div>
  );
};
