import { Notifications } from '@mantine/notifications';
import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, it } from 'vitest';
import type { LogReview } from '../../contract/log-reviews.ts';
import { type AppContext, AppContextProvider } from '../../src/views/app/app-context.tsx';
import type { LogReviews } from '../../src/views/app/log-reviews.ts';
import { reviewedLogPath } from '../../src/views/app/paths.ts';
import { readUrl } from '../../src/views/app/url-state.ts';
import { languages } from '../../src/views/language/languages.ts';
import { logSchema } from '../../src/views/log/log-filter.ts';
import { ReviewsPage } from '../../src/views/reviews/reviews-page.tsx';
import { idOf } from './records.ts';
import { show } from './render.tsx';

const own = { id: idOf(80), name: 'Maja Lindqvist' };
const other = { id: idOf(81), name: 'Ingrid Norrsken' };
const göran = { id: idOf(82), name: 'Göran Åkerblom' };
const clinicId = idOf(2);

const review = (number: number, more: Partial<LogReview> = {}): LogReview => ({
  id: idOf(number),
  customerId: clinicId,
  account: göran,
  from: '2026-10-01',
  to: '2026-10-31',
  reason: 'sample',
  reviewer: own,
  createdBy: other,
  createdAt: '2026-11-02T08:00:00.000Z',
  closed: null,
  ...more,
});
const closed = { by: other, at: '2026-11-03T08:00:00.000Z', outcome: 'follow-up', comment: 'Talk to Göran' } as const;
const counts = {
  patients: 12,
  images: 34,
  patterns: { 'own-name': 1, 'same-surname': 2, staff: 3, 'many-patients': 0 },
};

const open = async (reviews: readonly LogReview[], more: Partial<LogReviews> = {}) => {
  const calls: unknown[][] = [];
  const note =
    <Reply,>(name: string, reply: Reply) =>
    async (...given: unknown[]) => {
      calls.push([name, ...given.filter((one) => !(one instanceof AbortSignal))]);
      return reply;
    };
  const fake = {
    list: note('list', { data: reviews, totalCount: reviews.length }),
    get: note('get', { ...review(1), counts }),
    reviewers: note('reviewers', [own, other]),
    create: note('create', { ids: [idOf(9), idOf(10)] }),
    takeOver: note('takeOver', undefined),
    close: note('close', undefined),
    ...more,
  } as LogReviews;
  const log = {
    users: async () => [
      { ...göran, email: '' },
      { ...own, email: '' },
    ],
    reviews: fake,
  };
  const appContext = { accessLog: async () => log } as unknown as AppContext;
  await show(
    <AppContextProvider value={appContext}>
      <Notifications />
      <ReviewsPage clinicId={clinicId} accountId={own.id} />
    </AppContextProvider>,
  );
  return (name: string) => calls.filter(([one]) => one === name).map(([, ...given]) => given);
};

const list = () => screen.getByRole('region', { name: 'Reviews' });
const plan = () => screen.getByRole('region', { name: 'Plan reviews' });
const failing = () => Promise.reject(Object.assign(new Error(), { failure: { kind: 'refused', code: 'conflict' } }));

beforeEach(() => {
  HTMLElement.prototype.scrollIntoView ??= () => {};
  window.history.replaceState(null, '', `/${clinicId}/log-reviews`);
});

it('opens an own review with counts that link to the log, and closes it with a comment', async () => {
  const called = await open([review(1)]);
  expect(await within(list()).findByText('Open, yours')).toBeTruthy();
  const button = screen.getByRole('button', {
    name: 'Show details: Review of Göran Åkerblom, 2026-10-01 to 2026-10-31',
  });
  await userEvent.click(button);
  expect(button.getAttribute('aria-expanded')).toBe('true');
  const link = await screen.findByRole('link', { name: 'Entries about patients with the user’s own name' });
  expect(link.parentElement?.textContent).toContain('1');
  const { search } = new URL(link.getAttribute('href') ?? '', window.location.origin);
  expect(readUrl(logSchema, new URLSearchParams(search))).toEqual({
    from: '2026-10-01',
    to: '2026-10-31',
    person: göran.id,
    clinic: clinicId,
    pattern: 'own-name',
    patient: null,
    action: null,
  });
  const close = screen.getByRole('button', { name: 'Close the review' });
  await userEvent.click(close);
  expect(await screen.findByText('Choose the outcome')).toBeTruthy();
  await userEvent.click(screen.getByRole('radio', { name: 'To be followed up' }));
  await userEvent.click(close);
  expect(await screen.findByText('Write what is to be followed up')).toBeTruthy();
  expect(called('close')).toEqual([]);
  await userEvent.type(screen.getByRole('textbox', { name: /^Comment/ }), 'Talk to Göran');
  await userEvent.click(close);
  await waitFor(() => expect(called('close')).toEqual([[idOf(1), { outcome: 'follow-up', comment: 'Talk to Göran' }]]));
  expect(await screen.findByText('The review is closed')).toBeTruthy();
  expect(called('list').length).toBeGreaterThan(1);
});

it('offers to take over the reviews of others, but not one about the user', async () => {
  const called = await open([review(1, { reviewer: other }), review(2, { account: own, reviewer: other })]);
  const buttons = await screen.findAllByRole('button', { name: /^Take over the review of/ });
  expect(buttons).toHaveLength(1);
  await userEvent.click(screen.getByRole('button', { name: /^Show details: Review of Göran/ }));
  expect(await screen.findByText('Patients opened')).toBeTruthy();
  expect(screen.queryByRole('button', { name: 'Close the review' })).toBeNull();
  await userEvent.click(buttons[0] as Element);
  await waitFor(() => expect(called('takeOver')).toEqual([[idOf(1)]]));
});

it('shows the outcome of closed reviews, which are filtered by the address', async () => {
  window.history.replaceState(null, '', `/${clinicId}/log-reviews?show=closed`);
  const called = await open([review(1, { closed, reviewer: other })]);
  expect(await screen.findByText('Talk to Göran')).toBeTruthy();
  expect(within(list()).getByText('To be followed up')).toBeTruthy();
  expect(screen.queryByRole('button', { name: /Take over/ })).toBeNull();
  expect(called('list')).toEqual([[{ customerId: clinicId, state: 'closed', page: 1, ppage: 20 }]]);
  await userEvent.click(screen.getByRole('radio', { name: 'Mine' }));
  await waitFor(() => expect(called('list').at(-1)).toMatchObject([{ state: 'own' }]));
  expect(window.location.search).toBe('?show=own');
});

it('draws a sample for a reviewer, or plans the review of one user', async () => {
  const called = await open([]);
  expect(await screen.findByText('No review is open.')).toBeTruthy();
  await waitFor(() => expect(called('reviewers')).toHaveLength(1));
  await userEvent.click(within(plan()).getByRole('button', { name: 'Draw the sample' }));
  await waitFor(() => expect(called('create')).toHaveLength(1));
  expect(called('create')[0]).toMatchObject([{ customerId: clinicId, count: 3, reviewerId: own.id }]);
  expect(await screen.findByText('2 reviews planned')).toBeTruthy();
  await userEvent.click(screen.getByRole('radio', { name: 'One user' }));
  const submit = screen.getByRole<HTMLButtonElement>('button', { name: 'Plan the review' });
  expect(submit.disabled).toBe(true);
  await userEvent.click(screen.getByRole('combobox', { name: 'User' }));
  await userEvent.click(await screen.findByRole('option', { name: 'Maja Lindqvist', selected: false, hidden: true }));
  expect(await screen.findByText('The reviewer cannot be the reviewed user')).toBeTruthy();
  expect(submit.disabled).toBe(true);
  await userEvent.click(screen.getByRole('combobox', { name: 'User' }));
  await userEvent.click(await screen.findByRole('option', { name: 'Göran Åkerblom', hidden: true }));
  await userEvent.click(submit);
  await waitFor(() => expect(called('create')).toHaveLength(2));
  expect(called('create')[1]).toMatchObject([{ accountId: göran.id, reviewerId: own.id }]);
});

it('says when the list, or closing a review, failed', async () => {
  let fails = true;
  const called = await open([], {
    list: async () => (fails ? failing() : { data: [review(1)], totalCount: 1 }),
    close: failing,
  });
  const again = await within(list()).findByRole('button', { name: 'Try again' });
  fails = false;
  await userEvent.click(again);
  await userEvent.click(await screen.findByRole('button', { name: /^Show details: Review of Göran/ }));
  await userEvent.click(await screen.findByRole('radio', { name: 'Nothing to remark' }));
  await userEvent.click(screen.getByRole('button', { name: 'Close the review' }));
  expect(await screen.findByText('Another user changed this at the same time')).toBeTruthy();
  expect(called('close')).toEqual([]);
});

it.each(languages)('names each count and outcome in %s', async (language) => {
  const texts: Record<string, string> = (await import(`../../locales/${language}/reviews.json`)).default;
  for (const key of ['patients', 'images', ...Object.keys(counts.patterns)]) expect(texts[`count-${key}`]).toBeTruthy();
  expect(reviewedLogPath(review(1), {})).not.toContain(göran.name);
});
