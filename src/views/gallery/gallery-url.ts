import { z } from 'zod';
import { dateOnly } from '../../../contract/bounds.ts';
import { type GallerySort, gallerySorts, imageSource } from '../../../contract/gallery.ts';
import { allTeeth } from '../../../contract/teeth.ts';
import type { GalleryAsked } from '../../services/queries.ts';
import { type ListUrlState, useListUrlState } from '../app/list-url-state.ts';
import { optional, readUrl, searchText, type UrlValues, useUrlState } from '../app/url-state.ts';

/** Page size of requests. */
export const rowsPerPage = 100;

const maxModalities = 50;

/** Comma-separated items of a URL parameter, without duplicates. */
const itemsOf = (text: string | null) => [...new Set((text ?? '').split(',').filter(Boolean))];

/** Filters of the gallery in addition to the search text. Dates are inclusive; null: unbounded. */
export const gallerySchema = {
  modality: {
    parse: (text: string | null): readonly string[] =>
      itemsOf(text)
        .filter((code) => code.length <= 16)
        .slice(0, maxModalities),
    format: (codes: readonly string[]) => codes.join(',') || null,
  },
  from: optional(dateOnly),
  to: optional(dateOnly),
  /** Tooth numbers (ISO 3950); matches images that show one of them. */
  teeth: {
    parse: (text: string | null): readonly number[] =>
      itemsOf(text)
        .map(Number)
        .filter((tooth) => allTeeth.includes(tooth)),
    format: (teeth: readonly number[]) => teeth.join(',') || null,
  },
  source: optional(imageSource),
  /** Whether images graded as not acceptable are listed too. */
  rejected: optional(z.literal('shown')),
};
export type GalleryFilter = UrlValues<typeof gallerySchema>;

export const isNarrowed = ({ modality, from, to, teeth, source }: GalleryFilter): boolean =>
  modality.length > 0 || teeth.length > 0 || [from, to, source].some((value) => value !== null);

/** Returns true when the period ends before it begins. */
export const isBackwards = ({ from, to }: Pick<GalleryFilter, 'from' | 'to'>): boolean =>
  from !== null && to !== null && to < from;

const none = readUrl(gallerySchema, new URLSearchParams());

export interface GalleryUrl {
  /** Sets search text and order. */
  readonly list: ListUrlState<GallerySort>;
  readonly filter: GalleryFilter;
  readonly isNarrowed: boolean;
  readonly query: GalleryAsked;
  readonly narrow: (change: Partial<GalleryFilter>) => void;
  /** Clears filters and search text. */
  readonly clear: () => void;
}

/** Returns the gallery's filters, search and order from the URL. Digits that may be a personal number stay out of it. */
export const useGalleryUrl = (customerId: string): GalleryUrl => {
  const list = useListUrlState<GallerySort>({ sorts: gallerySorts, perPage: rowsPerPage, order: 'desc' });
  const [filter, change] = useUrlState({ ...gallerySchema, q: searchText });
  const { modality, from, to, teeth, source, rejected } = filter;
  return {
    list,
    filter,
    isNarrowed: list.q !== '' || isNarrowed(filter),
    query: {
      customerId,
      ppage: rowsPerPage,
      sort: list.sort,
      order: list.order,
      ...(list.q !== '' && { q: list.q }),
      ...(modality.length > 0 && { modalities: [...modality] }),
      ...(from !== null && { from }),
      ...(to !== null && !isBackwards(filter) && { to }),
      ...(teeth.length > 0 && { teeth: [...teeth] }),
      ...(source !== null && { source }),
      notAcceptable: rejected === 'shown' ? 'included' : 'excluded',
    },
    narrow: change,
    clear: () => change({ ...none, q: '' }),
  };
};
