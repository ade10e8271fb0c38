import { useSearchParams } from 'wouter';
import { navigate, useHistoryState } from 'wouter/use-browser-location';
import { dateOnly } from '../../../contract/bounds.ts';
import type { ListAsked } from '../list-place.ts';
import { today } from '../parts/age.ts';

export const searchTabs = ['all', 'bin'] as const;
export type SearchTab = (typeof searchTabs)[number];
export const searchTypes = ['patients', 'studies'] as const;
export type SearchType = (typeof searchTypes)[number];

/** What the search page shows, as its address says it. The text, the page and the order are the list's own (`useListPlace`). */
export interface SearchPlace {
  readonly tab: SearchTab;
  readonly type: SearchType;
  /** Days `YYYY-MM-DD`, both included. */
  readonly from: string | null;
  /** Null: today, whichever day that is when the address is opened. */
  readonly to: string | null;
  /** With what is in the recycle bin. */
  readonly deletedToo: boolean;
}

const dayOf = (text: string | null) => dateOnly.safeParse(text).data ?? null;

/** An address as a place; what makes no sense in it is left out. */
export const searchPlaceOf = (params: URLSearchParams): SearchPlace => ({
  tab: params.get('tab') === 'bin' ? 'bin' : 'all',
  type: params.get('type') === 'studies' ? 'studies' : 'patients',
  from: dayOf(params.get('from')),
  to: dayOf(params.get('to')),
  deletedToo: params.get('deleted') === '1',
});

/** The address of another place: of the first page of it, and of another list in the order that this begins with. */
export const withPlace = (params: URLSearchParams, change: Partial<SearchPlace>): URLSearchParams => {
  const place = { ...searchPlaceOf(params), ...change };
  const wanted = new URLSearchParams(params);
  const put = (name: string, value: string | null) => {
    if (value === null) wanted.delete(name);
    else wanted.set(name, value);
  };
  put('tab', place.tab === 'bin' ? 'bin' : null);
  put('type', place.type === 'studies' ? 'studies' : null);
  put('from', place.from);
  put('to', place.to);
  put('deleted', place.deletedToo ? '1' : null);
  wanted.delete('page');
  if ('tab' in change || 'type' in change) for (const name of ['sort', 'order']) wanted.delete(name);
  return wanted;
};

/** The days that are asked for. Nobody narrows a search by the day who has chosen none: who has no study yet is found then, too. */
export const periodOf = ({ from, to }: Pick<SearchPlace, 'from' | 'to'>, today: string) =>
  from === null && to === null ? {} : { ...(from !== null && { from }), to: to ?? today };

/** A page of what a search finds among what is not deleted; the archive orders it. */
export const foundBy = (
  clinicId: string,
  place: Pick<SearchPlace, 'from' | 'to'>,
  { q = '', page, ppage, after }: ListAsked<'found'>,
) => ({
  ...{ customerId: clinicId, q, page, ppage, ...(after !== undefined && { after }) },
  ...periodOf(place, today()),
});

export const isBackwards = ({ from, to }: Pick<SearchPlace, 'from' | 'to'>, today: string): boolean =>
  from !== null && (to ?? today) < from;

export interface ShownPlace extends SearchPlace {
  readonly change: (change: Partial<SearchPlace>) => void;
  /** All of the clinic: no text, no days. */
  readonly clear: () => void;
}

/** Where one is on the search page. A text that travels beside the address goes on doing so. */
export const useSearchPlace = (): ShownPlace => {
  const [params] = useSearchParams();
  const state: unknown = useHistoryState();
  const go = (wanted: URLSearchParams, beside: unknown) => {
    const search = wanted.toString();
    navigate(search === '' ? window.location.pathname : `${window.location.pathname}?${search}`, {
      ...(beside !== null && { state: beside }),
    });
  };
  return {
    ...searchPlaceOf(params),
    change: (change) => go(withPlace(params, change), state),
    clear: () => {
      const wanted = withPlace(params, { from: null, to: null });
      wanted.delete('q');
      go(wanted, null);
    },
  };
};
