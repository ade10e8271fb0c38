import { useSearchParams } from 'wouter';
import { navigate, useHistoryState } from 'wouter/use-browser-location';
import { dateOnly } from '../../../contract/bounds.ts';
import { type GallerySort, gallerySorts, imageSource } from '../../../contract/gallery.ts';
import { allTeeth } from '../../../contract/teeth.ts';
import type { GalleryAsked } from '../../services/queries.ts';
import { type ListPlace, useListPlace } from '../list-place.ts';

/** What narrows the gallery beside the search text. */
export interface GalleryFilter {
  readonly modalities: readonly string[];
  /** Days, both included; null: no bound. */
  readonly from: string | null;
  readonly to: string | null;
  /** ISO 3950; images that show one of them. */
  readonly teeth: readonly number[];
  readonly source: 'dicom' | 'picture' | null;
}

/** Rows that are fetched at once. */
export const rowsPerPage = 100;

const mostModalities = 50;
const listIn = (text: string | null) => [...new Set((text ?? '').split(',').filter(Boolean))];
const dayIn = (text: string | null) => dateOnly.safeParse(text).data ?? null;

/** An address as a filter; what makes no sense in it narrows nothing. */
export const filterOf = (params: URLSearchParams): GalleryFilter => ({
  modalities: listIn(params.get('modality'))
    .filter((code) => code.length <= 16)
    .slice(0, mostModalities),
  from: dayIn(params.get('from')),
  to: dayIn(params.get('to')),
  teeth: listIn(params.get('teeth'))
    .map(Number)
    .filter((tooth) => allTeeth.includes(tooth)),
  source: imageSource.safeParse(params.get('source')).data ?? null,
});

export const isNarrowed = ({ modalities, from, to, teeth, source }: GalleryFilter): boolean =>
  modalities.length > 0 || teeth.length > 0 || [from, to, source].some((value) => value !== null);

/** A period that ends before it begins is a slip of the hand. */
export const isBackwards = ({ from, to }: Pick<GalleryFilter, 'from' | 'to'>): boolean =>
  from !== null && to !== null && to < from;

/** `params` with another filter; all else in it stays. */
export const withFilter = (params: URLSearchParams, filter: GalleryFilter): URLSearchParams => {
  const wanted = new URLSearchParams(params);
  const put = (name: string, value: string) => {
    if (value === '') wanted.delete(name);
    else wanted.set(name, value);
  };
  put('modality', filter.modalities.join(','));
  put('from', filter.from ?? '');
  put('to', filter.to ?? '');
  put('teeth', filter.teeth.join(','));
  put('source', filter.source ?? '');
  return wanted;
};

const none: GalleryFilter = { modalities: [], from: null, to: null, teeth: [], source: null };

export interface GalleryPlace {
  /** Search text and order. */
  readonly list: ListPlace<GallerySort>;
  readonly filter: GalleryFilter;
  readonly isNarrowed: boolean;
  readonly asked: GalleryAsked;
  readonly narrow: (change: Partial<GalleryFilter>) => void;
  /** Takes filters and search away. */
  readonly clear: () => void;
}

/** Which images one looks at, and in which order: all of it in the address, but for digits that may be a personal number. */
export const useGalleryPlace = (customerId: string): GalleryPlace => {
  const [params] = useSearchParams();
  const state: unknown = useHistoryState();
  const list = useListPlace<GallerySort>({ sorts: gallerySorts, perPage: rowsPerPage, order: 'desc' });
  const filter = filterOf(params);
  const go = (wanted: URLSearchParams, beside: unknown) => {
    const search = wanted.toString();
    navigate(search === '' ? window.location.pathname : `${window.location.pathname}?${search}`, { state: beside });
  };
  const { modalities, from, to, teeth, source } = filter;
  return {
    list,
    filter,
    isNarrowed: list.q !== '' || isNarrowed(filter),
    asked: {
      ...{ customerId, ppage: rowsPerPage, sort: list.sort, order: list.order },
      ...(list.q !== '' && { q: list.q }),
      ...(modalities.length > 0 && { modalities: [...modalities] }),
      ...(from !== null && { from }),
      ...(to !== null && !isBackwards(filter) && { to }),
      ...(teeth.length > 0 && { teeth: [...teeth] }),
      ...(source !== null && { source }),
    },
    narrow: (change) => go(withFilter(params, { ...filter, ...change }), state),
    clear: () => {
      const wanted = withFilter(params, none);
      wanted.delete('q');
      go(wanted, null);
    },
  };
};
