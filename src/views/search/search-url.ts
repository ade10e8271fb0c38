import { z } from 'zod';
import { dateOnly } from '../../../contract/bounds.ts';
import { type DayListKind, dayListKinds, waitingReasons } from '../../../contract/day-lists.ts';
import { type ListRequest, listSchema, toListRequest } from '../app/list-url-state.ts';
import { flag, oneOf, optional, positive, readUrl, searchText, type UrlValues, useUrlState } from '../app/url-state.ts';
import { today } from '../ui/dates.ts';

export const searchTabs = ['all', ...dayListKinds, 'bin'] as const;
/** `contents`, series, images and mounts, are listed in the recycle bin only. */
export const searchTypes = ['patients', 'studies', 'contents'] as const;

/** URL of the search page: filters, and what a list keeps beside them. */
const searchSchema = {
  tab: oneOf(searchTabs),
  type: oneOf(searchTypes),
  /** Dates `YYYY-MM-DD`, both inclusive. `to` null: today, whenever the URL is opened. */
  from: optional(dateOnly),
  to: optional(dateOnly),
  /** Only patients with an image that waits for this; in `waiting`. */
  reason: optional(z.enum(waitingReasons)),
  /** Also searches the recycle bin. */
  deleted: flag,
  q: searchText,
  page: positive(1),
  sort: optional(z.string()),
  order: optional(z.string()),
};
type SearchUrlState = Pick<UrlValues<typeof searchSchema>, 'tab' | 'type' | 'from' | 'to' | 'reason' | 'deleted'>;

/** Returns the list of the day's work that a tab shows; null for other tabs. */
export const dayListOf = (tab: SearchUrlState['tab']): DayListKind | null =>
  dayListKinds.find((kind) => kind === tab) ?? null;

/** Returns the period of a request. Without a chosen date there is none, so that patients without studies are found too. */
export const periodOf = ({ from, to }: Pick<SearchUrlState, 'from' | 'to'>, today: string) =>
  from === null && to === null ? {} : { ...(from !== null && { from }), to: to ?? today };

/** Builds the request of one page of results without deleted records. */
export const foundBy = (
  clinicId: string,
  period: Pick<SearchUrlState, 'from' | 'to'>,
  { q = '', page, ppage, after }: ListRequest<'found'>,
) => ({
  customerId: clinicId,
  q,
  page,
  ppage,
  ...(after !== undefined && { after }),
  ...periodOf(period, today()),
});

export const isBackwards = ({ from, to }: Pick<SearchUrlState, 'from' | 'to'>, today: string): boolean =>
  from !== null && (to ?? today) < from;

export interface SearchUrl extends SearchUrlState {
  readonly q: string;
  /** Changes filters: on the first page, and in the default order of another list. */
  readonly change: (change: Partial<SearchUrlState>) => void;
  /** Clears text, period and reason. */
  readonly clear: () => void;
}

/** Returns the filters of the search page with setters. */
export const useSearchUrl = (): SearchUrl => {
  const [url, change] = useUrlState(searchSchema);
  return {
    ...url,
    change: (next) =>
      change({ ...next, page: 1, ...(('tab' in next || 'type' in next) && { sort: null, order: null }) }),
    clear: () => change({ from: null, to: null, reason: null, q: '', page: 1 }),
  };
};

/** Page size of the search; fills a typical screen. */
export const rowsOfAPage = 25;

export const patientLists = { sorts: ['found'], perPage: rowsOfAPage } as const;

/** Returns the query of the initial patient list of a clinic; null when the URL shows something else. `state`: history state. */
export const firstPatients = (
  clinicId: string,
  { pathname, search }: { readonly pathname: string; readonly search: string },
  state: unknown,
) => {
  if (pathname !== '/' && pathname !== `/${clinicId}`) return null;
  const params = new URLSearchParams(search);
  const url = readUrl(searchSchema, params);
  if (url.tab !== 'all' || url.type !== 'patients') return null;
  return foundBy(clinicId, url, toListRequest(readUrl(listSchema(patientLists), params, state)));
};
