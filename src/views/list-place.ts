import { useState } from 'react';
import { useLocation, useSearchParams } from 'wouter';
import { navigate, useHistoryState } from 'wouter/use-browser-location';
import { bounds } from '../../contract/bounds.ts';
import type { ListOrder } from '../../contract/lists.ts';
import { besideAddress, cameBeside, mayBePersonal } from './places.ts';

/** What a page of a list is asked for; fits `listQuery` of the contract. */
export interface ListAsked<Sort extends string> {
  readonly q?: string;
  readonly sort: Sort;
  readonly order: ListOrder;
  readonly page: number;
  readonly ppage: number;
  readonly after?: string;
}

export interface ListPlace<Sort extends string> {
  readonly q: string;
  readonly sort: Sort;
  readonly order: ListOrder;
  readonly page: number;
  readonly ppage: number;
  readonly asked: ListAsked<Sort>;
  /** Another search, order or size of pages: begins at the first page. */
  readonly change: (change: Partial<Pick<ListPlace<Sort>, 'q' | 'sort' | 'order' | 'ppage'>>) => void;
  /** `after`: where that page begins, when it is the next one and the archive has said so. */
  readonly goTo: (page: number, after?: string | null) => void;
  /** Goes to a page in place of one that is not there: the way back does not lead to that again. */
  readonly correctTo: (page: number) => void;
}

interface ListPlaceOptions<Sort extends string> {
  /** The first is the one that a list begins with. */
  readonly sorts: readonly [Sort, ...Sort[]];
  readonly perPage?: number;
  /** The one that it begins with; rising when left out. */
  readonly order?: ListOrder;
  /** What else stands in the address without changing the list. */
  readonly aside?: readonly string[];
}

/** Sizes of a page that a person may choose. */
export const pageSizes = [7, 10, 12, 25, 50, 100, 500] as const;

const positive = (text: string | null, otherwise: number): number => {
  const number = Number(text);
  return Number.isSafeInteger(number) && number >= 1 && number <= 1_000_000 ? number : otherwise;
};

/** The list that an address means; `state`: what travels beside it. */
export const listIn = <Sort extends string>(
  params: URLSearchParams,
  state: unknown,
  { sorts, perPage = 10, order: usualOrder = 'asc' }: ListPlaceOptions<Sort>,
) => {
  const order = params.get('order');
  return {
    q: (cameBeside(state) || (params.get('q') ?? '')).trim().slice(0, bounds.query[1]),
    sort: sorts.find((one) => one === params.get('sort')) ?? sorts[0],
    order: order === 'desc' || order === 'asc' ? order : usualOrder,
    page: positive(params.get('page'), 1),
    ppage: Math.min(500, positive(params.get('ppage'), perPage)),
  };
};

/** What the archive is asked for that list. `after`: where the page begins, when that is known. */
export const askedFor = <Sort extends string>(
  { q, ...list }: ReturnType<typeof listIn<Sort>>,
  after?: string,
): ListAsked<Sort> => ({ ...list, ...(q !== '' && { q }), ...(after !== undefined && { after }) });

/**
 * Where one is in a long list: search, order and page stand in the address (`q`, `sort`, `order`, `page`, `ppage`), so that a reload, the way
 * back and a link lead to the same rows. Where pages begin is kept in memory alone: whoever steps forward gets the next page at once, however
 * deep it lies. What else stands in the address stays.
 */
export const useListPlace = <Sort extends string>(options: ListPlaceOptions<Sort>): ListPlace<Sort> => {
  const { sorts, perPage = 10, order: usualOrder = 'asc', aside = [] } = options;
  const [params] = useSearchParams();
  const [path] = useLocation();
  const state: unknown = useHistoryState();
  const [known, setKnown] = useState<{ readonly list: string; readonly begins: ReadonlyMap<number, string> }>({
    list: '',
    begins: new Map(),
  });

  const now = listIn(params, state, options);
  const { q, page } = now;

  // A place is good for the same list in the same order only; filters of the page that stand in the address are part of it.
  const others = [...params].filter(([name]) => name !== 'page' && !aside.includes(name)).map((pair) => pair.join('='));
  const list = JSON.stringify([path, q, ...others.sort()]);
  const after = known.list === list ? known.begins.get(page) : undefined;

  const go = (next: { q: string; sort: Sort; order: ListOrder; page: number; ppage: number }, replace: boolean) => {
    const wanted = new URLSearchParams(window.location.search);
    const put = (name: string, value: string, usual: string) => {
      if (value === usual) wanted.delete(name);
      else wanted.set(name, value);
    };
    const beside = mayBePersonal(next.q);
    put('q', beside ? '' : next.q, '');
    put('sort', next.sort, sorts[0]);
    put('order', next.order, usualOrder);
    put('page', String(next.page), '1');
    put('ppage', String(next.ppage), String(perPage));
    const search = wanted.toString();
    navigate(search === '' ? window.location.pathname : `${window.location.pathname}?${search}`, {
      replace,
      ...(beside && { state: besideAddress(next.q) }),
    });
  };
  return {
    ...now,
    asked: askedFor(now, after),
    // Letters typed into the search are one step of the way back, not many.
    change: (change) => go({ ...now, ...change, page: 1 }, change.q !== undefined && q !== ''),
    goTo: (to, begins = null) => {
      if (begins !== null && to === page + 1)
        setKnown({ list, begins: new Map(known.list === list ? known.begins : []).set(to, begins) });
      go({ ...now, page: Math.max(1, to) }, false);
    },
    correctTo: (to) => go({ ...now, page: Math.max(1, to) }, true),
  };
};
