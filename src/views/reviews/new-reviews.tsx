import { Button, NumberInput, Radio, Select } from '@mantine/core';
import '@mantine/core/styles/Combobox.css';
import '@mantine/core/styles/NumberInput.css';
import '@mantine/core/styles/Radio.css';
import '@mantine/core/styles/ScrollArea.css';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import dayjs from 'dayjs';
import { type FormEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { isPatternPeriod, maxPatternDays } from '../../../contract/access-log.ts';
import { maxSample } from '../../../contract/log-reviews.ts';
import { useAppContext } from '../app/app-context.tsx';
import { failureOfQuery } from '../app/queries-context.tsx';
import { QueryFailed } from '../forms/query-failed.tsx';
import { DateInput } from '../language/date-input.tsx';
import { useFailureText } from '../language/failure-text.ts';
import { today } from '../ui/dates.ts';
import { IconAlert } from '../ui/icon-alert.tsx';
import classes from './reviews.module.css';

interface NewReviewsProps {
  readonly clinicId: string;
  /** The user's own account: the reviewer, until another is chosen. */
  readonly accountId: string | null;
}

const choicesOf = (accounts: readonly { readonly id: string; readonly name: string }[] = []) =>
  accounts.map(({ id, name }) => ({ value: id, label: name }));

/** Form that draws a sample of users, or chooses one, for a reviewer to check. */
export const NewReviews = ({ clinicId, accountId }: NewReviewsProps) => {
  const { t } = useTranslation('reviews');
  const failureText = useFailureText();
  const { accessLog } = useAppContext();
  const client = useQueryClient();
  const [to, setTo] = useState(today());
  const [from, setFrom] = useState(dayjs(to).subtract(29, 'day').format('YYYY-MM-DD'));
  const [way, setWay] = useState('sample');
  const [count, setCount] = useState<number | string>(3);
  const [userId, setUserId] = useState<string | null>(null);
  const [reviewerId, setReviewerId] = useState(accountId);
  const users = useQuery({
    queryKey: ['log-review-users', clinicId],
    queryFn: async ({ signal }) => {
      const log = await accessLog();
      const [known, reviewers] = await Promise.all([
        log.users({ customerId: clinicId }, signal),
        log.reviews.reviewers(clinicId, signal),
      ]);
      return { known, reviewers };
    },
  });
  const isSample = way === 'sample';
  const isPeriod = from <= to && isPatternPeriod(from, to);
  const isSame = !isSample && userId !== null && userId === reviewerId;
  const isReady =
    isPeriod && reviewerId !== null && (isSample ? typeof count === 'number' : userId !== null && !isSame);
  const create = useMutation({
    mutationFn: async () =>
      (await accessLog()).reviews.create({
        customerId: clinicId,
        from,
        to,
        ...(reviewerId !== null && { reviewerId }),
        ...(isSample ? { count: Number(count) } : { accountId: userId ?? '' }),
      }),
    onSuccess: () => client.invalidateQueries({ queryKey: ['log-reviews'] }),
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (isReady) create.mutate();
  };
  const fields = () => {
    if (users.error) return <QueryFailed error={users.error} onRetry={() => void users.refetch()} />;
    return (
      <form className={classes.form} onSubmit={submit}>
        <div className={classes.days}>
          <DateInput label={t('from')} max={to} value={from} onChange={setFrom} />
          <DateInput
            label={t('to')}
            min={from}
            value={to}
            error={!isPeriod && t('invalidPeriod', { days: maxPatternDays })}
            onChange={setTo}
          />
        </div>
        <Radio.Group label={t('whom')} value={way} onChange={setWay}>
          <Radio className={classes.radio} value="sample" label={t('whom-sample')} />
          <Radio className={classes.radio} value="chosen" label={t('whom-chosen')} />
        </Radio.Group>
        {isSample ? (
          <NumberInput
            className={classes.field}
            label={t('count')}
            min={1}
            max={maxSample}
            clampBehavior="strict"
            allowDecimal={false}
            value={count}
            onChange={setCount}
          />
        ) : (
          <Select
            className={classes.field}
            label={t('user')}
            data={choicesOf(users.data?.known)}
            value={userId}
            searchable
            onChange={setUserId}
          />
        )}
        <Select
          className={classes.field}
          label={t('reviewerField')}
          data={choicesOf(users.data?.reviewers)}
          value={reviewerId}
          allowDeselect={false}
          error={isSame && t('sameUser')}
          onChange={setReviewerId}
        />
        {create.isError && <IconAlert>{failureText(failureOfQuery(create.error))}</IconAlert>}
        <p role="status">
          {create.isSuccess &&
            (create.data.ids.length === 0 ? t('noneDrawn') : t('planned', { count: create.data.ids.length }))}
        </p>
        <Button className={classes.submit} type="submit" disabled={!isReady} loading={create.isPending}>
          {t(isSample ? 'draw' : 'plan')}
        </Button>
      </form>
    );
  };
  return (
    <section className={classes.part} aria-label={t('new')}>
      <h2 className={classes.heading}>{t('new')}</h2>
      <p className={classes.lead}>{t('newLead')}</p>
      {fields()}
    </section>
  );
};
