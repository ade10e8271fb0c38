import { useState } from 'react';
import { useLocation, useSearchParams } from 'wouter';
import type { ListOrder } from '../../../contract/lists.ts';
import { oneOf, positive, searchText, type UrlValues, useUrlState } from './url-state.ts';

/** Query parameters of one list page; fits `listQuery` of the contract. */
export interface ListRequest<Sort extends string> {
  readonly q?: string;
  readonly sort: Sort;
  readonly order: ListOrder;
  readonly page: number;
  readonly ppage: number;
  readonly after?: string;
}

export interface ListUrlState<Sort extends string> {
  readonly q: string;
  readonly sort: Sort;
  readonly order: ListOrder;
  readonly page: number;
  readonly ppage: number;
  readonly request: ListRequest<Sort>;
  /** Applies another search, order or page size, and returns to the first page. */
  readonly change: (change: Partial<Pick<ListUrlState<Sort>, 'q' | 'sort' | 'order' | 'ppage'>>) => void;
  /** Goes to a page. `after`: cursor of that page, when it is the next one and the server returned it. */
  readonly goTo: (page: number, after?: string | null) => void;
  /** Replaces the current history entry when the requested page does not exist. */
  readonly correctTo: (page: number) => void;
}

interface ListUrlOptions<Sort extends string> {
  /** Sort columns; the first is the default. */
  readonly sorts: readonly [Sort, ...Sort[]];
  readonly perPage?: number;
  /** Default order; ascending when omitted. */
  readonly order?: ListOrder;
  /** URL parameters that do not affect the list. */
  readonly ignoredParams?: readonly string[];
}

/** Page sizes that the user can choose. */
export const pageSizes = [7, 10, 12, 25, 50, 100, 500] as const;

/** Returns the URL parameters of a list. */
export const listSchema = <Sort extends string>({ sorts, perPage = 10, order = 'asc' }: ListUrlOptions<Sort>) => ({
  q: searchText,
  sort: oneOf(sorts),
  order: oneOf<ListOrder>(['asc', 'desc'], order),
  page: positive(1),
  ppage: positive(perPage, pageSizes.at(-1)),
});

/** Builds the request for that list. `after`: cursor of the page, when known. */
export const toListRequest = <Sort extends string>(
  { q, ...list }: UrlValues<ReturnType<typeof listSchema<Sort>>>,
  after?: string,
): ListRequest<Sort> => ({ ...list, ...(q !== '' && { q }), ...(after !== undefined && { after }) });

/**
 * Keeps search, order and page of a list in the URL (`q`, `sort`, `order`, `page`, `ppage`); other parameters are left unchanged.
 * Page cursors are kept in memory only, so that stepping forward in a long list is fast.
 */
export const useListUrlState = <Sort extends string>(options: ListUrlOptions<Sort>): ListUrlState<Sort> => {
  const { ignoredParams = [] } = options;
  const [params] = useSearchParams();
  const [path] = useLocation();
  const [now, change] = useUrlState(listSchema(options));
  const [knownCursors, setKnownCursors] = useState<{
    readonly list: string;
    readonly cursors: ReadonlyMap<number, string>;
  }>({
    list: '',
    cursors: new Map(),
  });

  const { q, page } = now;

  // A cursor is valid only for the same list in the same order, including the page's filters.
  const others = [...params]
    .filter(([name]) => name !== 'page' && !ignoredParams.includes(name))
    .map((pair) => pair.join('='));
  const list = JSON.stringify([path, q, ...others.sort()]);
  const after = knownCursors.list === list ? knownCursors.cursors.get(page) : undefined;

  return {
    ...now,
    request: toListRequest(now, after),
    // Typing in the search field adds one history entry, not one per letter.
    change: (next) => change({ ...next, page: 1 }, { replace: next.q !== undefined && q !== '' }),
    goTo: (to, cursors = null) => {
      if (cursors !== null && to === page + 1)
        setKnownCursors({
          list,
          cursors: new Map(knownCursors.list === list ? knownCursors.cursors : []).set(to, cursors),
        });
      change({ page: Math.max(1, to) });
    },
    correctTo: (to) => change({ page: Math.max(1, to) }, { replace: true }),
  };
};
