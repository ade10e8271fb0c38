import '@mantine/core/styles/Radio.css';
import { Button, Radio, Skeleton, Textarea } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'wouter';
import { accessPatterns } from '../../../contract/access-log.ts';
import { type LogReview, maxReviewComment, reviewOutcome } from '../../../contract/log-reviews.ts';
import { useAppContext } from '../app/app-context.tsx';
import { reviewedLogPath } from '../app/paths.ts';
import { failureOfQuery } from '../app/queries-context.tsx';
import { QueryFailed } from '../forms/query-failed.tsx';
import { useFailureText } from '../language/failure-text.ts';
import { minuteText } from '../ui/dates.ts';
import { IconAlert } from '../ui/icon-alert.tsx';
import { toast } from '../ui/toast.ts';
import classes from './reviews.module.css';

/** Form that closes a review for good, with its outcome. */
const CloseReview = ({ review }: { readonly review: LogReview }) => {
  const { t } = useTranslation(['reviews', 'shell']);
  const failureText = useFailureText();
  const { accessLog } = useAppContext();
  const client = useQueryClient();
  const [outcome, setOutcome] = useState<string | null>(null);
  const [comment, setComment] = useState('');
  const [isChecked, setIsChecked] = useState(false);
  const chosen = reviewOutcome.safeParse(outcome).data;
  const lacksComment = chosen === 'follow-up' && comment.trim() === '';
  const close = useMutation({
    mutationFn: async (body: { outcome: 'nothing' | 'follow-up'; comment: string }) =>
      (await accessLog()).reviews.close(review.id, body),
    onSuccess: () => toast({ tone: 'good', text: t('closedToast'), close: t('shell:close') }),
    onSettled: () => client.invalidateQueries({ queryKey: ['log-reviews'] }),
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setIsChecked(true);
    if (chosen && !lacksComment) close.mutate({ outcome: chosen, comment });
  };
  return (
    <form className={classes.form} onSubmit={submit} noValidate>
      <Radio.Group
        label={t('outcome')}
        value={outcome}
        onChange={setOutcome}
        error={isChecked && !chosen && t('outcomeNeeded')}
        required
      >
        {reviewOutcome.options.map((value) => (
          <Radio key={value} className={classes.radio} value={value} label={t(`outcome-${value}`)} />
        ))}
      </Radio.Group>
      <Textarea
        label={t('comment')}
        description={t('commentHelp')}
        value={comment}
        maxLength={maxReviewComment}
        rows={3}
        required={chosen === 'follow-up'}
        error={isChecked && lacksComment && t('commentNeeded')}
        onChange={(event) => setComment(event.currentTarget.value)}
      />
      {close.isError && <IconAlert>{failureText(failureOfQuery(close.error))}</IconAlert>}
      <Button className={classes.submit} type="submit" loading={close.isPending}>
        {t('close')}
      </Button>
    </form>
  );
};

/** Counts of what the user opened, each with a link to the entries. */
const Counts = ({ review }: { readonly review: LogReview }) => {
  const { t } = useTranslation('reviews');
  const { accessLog } = useAppContext();
  const { data, error, refetch } = useQuery({
    queryKey: ['log-review', review.id],
    queryFn: async ({ signal }) => (await accessLog()).reviews.get(review.id, signal),
    // Each read is logged, so nothing is refetched automatically.
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  });
  if (error) return <QueryFailed error={error} onRetry={() => void refetch()} />;
  if (!data) return <Skeleton height={96} />;
  const rows = [
    { key: 'patients', count: data.counts.patients, query: { action: 'patient.opened' } },
    { key: 'images', count: data.counts.images, query: { action: 'image.opened' } },
    ...accessPatterns.map((pattern) => ({ key: pattern, count: data.counts.patterns[pattern], query: { pattern } })),
  ] as const;
  return (
    <ul className={classes.counts}>
      {rows.map(({ key, count, query }) => (
        <li key={key}>
          <Link href={reviewedLogPath(review, query)}>{t(`count-${key}`)}</Link>
          <span className={classes.count}>{count}</span>
        </li>
      ))}
    </ul>
  );
};

interface ReviewProps {
  readonly review: LogReview;
  /** The user's own account. */
  readonly accountId: string | null;
  readonly isOpen: boolean;
  readonly onToggle: () => void;
}

/** One review in the list, which opens below its row. */
export const Review = ({ review, accountId, isOpen, onToggle }: ReviewProps) => {
  const { t } = useTranslation(['reviews', 'shell']);
  const failureText = useFailureText();
  const { accessLog } = useAppContext();
  const client = useQueryClient();
  const detailsId = useId();
  const { account, reviewer, closed, from, to } = review;
  const isOwn = reviewer.id === accountId;
  const takeOver = useMutation({
    mutationFn: async () => (await accessLog()).reviews.takeOver(review.id),
    onError: (error) => toast({ tone: 'bad', text: failureText(failureOfQuery(error)), close: t('shell:close') }),
    onSettled: () => client.invalidateQueries({ queryKey: ['log-reviews'] }),
  });
  return (
    <li className={classes.review}>
      <div className={classes.what}>
        <h3 className={classes.name}>{t('reviewOf', { name: account.name })}</h3>
        <p className={classes.name}>{t(closed ? `outcome-${closed.outcome}` : isOwn ? 'stateOwn' : 'stateOpen')}</p>
      </div>
      <p>{t('period', { from, to })}</p>
      <p className={classes.dimmed}>
        {t(`reason-${review.reason}`, { name: review.createdBy.name, at: minuteText(review.createdAt) })}
      </p>
      <p className={classes.dimmed}>
        {closed
          ? t('closedBy', { name: closed.by.name, at: minuteText(closed.at) })
          : t('reviewer', { name: reviewer.name })}
      </p>
      {closed?.comment && <p className={classes.comment}>{closed.comment}</p>}
      <div className={classes.buttons}>
        <Button
          variant="default"
          size="xs"
          aria-expanded={isOpen}
          aria-controls={detailsId}
          aria-label={`${t(isOpen ? 'hide' : 'open')}: ${t('openFor', { name: account.name, from, to })}`}
          onClick={onToggle}
        >
          {t(isOpen ? 'hide' : 'open')}
        </Button>
        {!closed && !isOwn && account.id !== accountId && (
          <Button
            variant="default"
            size="xs"
            aria-label={t('takeOverFor', { name: account.name, from, to })}
            loading={takeOver.isPending}
            onClick={() => takeOver.mutate()}
          >
            {t('takeOver')}
          </Button>
        )}
      </div>
      <div id={detailsId} className={classes.details} hidden={!isOpen}>
        {isOpen && <Counts review={review} />}
        {isOpen && !closed && isOwn && <CloseReview review={review} />}
      </div>
    </li>
  );
};
