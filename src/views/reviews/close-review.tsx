import { Button, Radio, Textarea } from '@mantine/core';
import '@mantine/core/styles/Radio.css';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { type LogReview, maxReviewComment, reviewOutcome } from '../../../contract/log-reviews.ts';
import { useAppContext } from '../app/app-context.tsx';
import { failureOfQuery } from '../app/queries-context.tsx';
import { useFailureText } from '../language/failure-text.ts';
import { IconAlert } from '../ui/icon-alert.tsx';
import { toast } from '../ui/toast.ts';
import classes from './reviews.module.css';

/** Form that closes a review for good, with its outcome. */
export const CloseReview = ({ review }: { readonly review: LogReview }) => {
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
