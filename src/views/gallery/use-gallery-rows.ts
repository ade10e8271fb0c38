import { useQueries, useQuery } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import type { GalleryImage } from '../../../contract/gallery.ts';
import { countLimit } from '../../../contract/lists.ts';
import type { GalleryAsked } from '../../services/queries.ts';
import { useGallery } from '../app/loaded-services.ts';

export interface GalleryRows {
  /** Identifies the list; a new list starts at its first row. */
  readonly list: string;
  /** Null while the first page loads. */
  readonly count: number | null;
  /** Whether `count` is exact. */
  readonly isCountExact: boolean;
  /** Returns the image at an index; null while it is not loaded. */
  readonly rowAt: (index: number) => GalleryImage | null;
  /** Returns the images of an inclusive range, at most `most`, and fetches missing pages. Throws ServiceError. */
  readonly read: (from: number, to: number, limit: number) => Promise<readonly GalleryImage[]>;
  readonly modalities: readonly string[];
  /** How many images of the list are graded as not acceptable, shown or not. */
  readonly notAcceptableCount: number;
  /** The rows still belong to the previous search or order. */
  readonly isStale: boolean;
  /** Why there are no rows; null when there are rows or they are loading. */
  readonly error: unknown;
  /** Some visible rows failed to load. */
  readonly hasGaps: boolean;
  readonly retry: () => void;
}

/** Rows fetched beyond the visible range. */
const ahead = 40;
/** Debounce of page requests in milliseconds, so that fast scrolling skips pages. */
const pauseMs = 120;
/** Pages added at a time to a list of unknown length. */
const pagesOfGrowth = 5;
/** Image links stay valid for longer than this. */
const staleTime = 300_000;

/** Last known row, and whether more rows may follow. */
interface End {
  readonly list: string;
  readonly rows: number;
  readonly isLast: boolean;
}

const endSeen = (end: number | null, index: number, size: number): Omit<End, 'list'> =>
  end === null ? { rows: (index + 1 + pagesOfGrowth) * size, isLast: false } : { rows: end, isLast: true };

const samePages = (one: readonly number[], other: readonly number[]) =>
  one.length === other.length && one.every((page, at) => page === other[at]);

/**
 * Loads the visible rows of a list page by page, and cancels requests of pages that scrolled away.
 * `seen` holds the indexes of the first and last visible row.
 *
 * The server counts up to `countLimit`. A longer list first has that many rows and then grows
 * as the user scrolls, until its end is reached.
 */
export const useGalleryRows = (query: GalleryAsked, seen: readonly [number, number]): GalleryRows => {
  const gallery = useGallery();
  const size = query.ppage;
  const listKey = JSON.stringify(query);
  const [shown, setShown] = useState(query);
  const first = useQuery({ ...gallery.page(query, 0), staleTime });
  if (first.data !== undefined && JSON.stringify(shown) !== listKey) setShown(query);
  const list = JSON.stringify(shown);
  const isStale = list !== listKey;

  const inSight: number[] = [];
  const lastPage = Math.floor((seen[1] + ahead) / size);
  for (let page = Math.floor(Math.max(0, seen[0] - ahead) / size); page <= lastPage; page += 1) inSight.push(page);
  const [pages, setPages] = useState<readonly number[]>([0]);
  const changedAt = useRef(0);
  const pageKey = inSight.join(',');
  useEffect(() => {
    const next = pageKey.split(',').map(Number);
    const change = () => {
      changedAt.current = performance.now();
      setPages((before) => (samePages(before, next) ? before : next));
    };
    const waiting = setTimeout(change, Math.max(0, changedAt.current + pauseMs - performance.now()));
    return () => clearTimeout(waiting);
  }, [pageKey]);

  const top = (isStale ? gallery.knownPage(shown, 0) : first.data) ?? null;
  const [end, setEnd] = useState<End>({ list: '', rows: 0, isLast: false });
  const counted = top
    ? top.isTotalExact
      ? top.totalCount
      : Math.max(countLimit, end.list === list ? end.rows : 0)
    : 0;
  const isCountExact = top?.isTotalExact === true || (end.list === list && end.isLast);
  const count = isCountExact && top?.isTotalExact === false ? end.rows : counted;
  const reachable = pages.filter((page) => page === 0 || page * size < count);
  const replies = useQueries({
    queries: reachable.map((page) => ({ ...gallery.page(shown, page), staleTime })),
  });
  // A list of unknown length grows with the rows that were loaded.
  if (top?.isTotalExact === false && !(end.list === list && end.isLast)) {
    for (const [at, reply] of replies.entries()) {
      if (!reply.data) continue;
      const found = endSeen(reply.data.end, reachable[at] ?? 0, size);
      const isFurther = found.isLast
        ? found.rows >= countLimit
        : found.rows > Math.max(countLimit, end.list === list ? end.rows : 0);
      if (isFurther) setEnd({ list, ...found });
    }
  }

  const rowAt = (index: number): GalleryImage | null => {
    const page = Math.floor(index / size);
    const position = reachable.indexOf(page);
    const reply = (position < 0 ? undefined : replies[position]?.data) ?? gallery.knownPage(shown, page);
    return reply?.data[index % size] ?? null;
  };
  const read = async (from: number, to: number, limit: number): Promise<readonly GalleryImage[]> => {
    // Removes surplus pages at the far end.
    const [start, last] = to < from ? [Math.max(to, from - limit + 1), from] : [from, Math.min(to, from + limit - 1)];
    const found: GalleryImage[] = [];
    for (let page = Math.floor(start / size); page * size <= last; page += 1) {
      const { data } = await gallery.readPage(shown, page);
      found.push(...data.slice(Math.max(0, start - page * size), last + 1 - page * size));
    }
    return found;
  };
  const failed = replies.filter((reply) => reply.isError && !reply.data);
  const retry = () => {
    if (first.isError) void first.refetch();
    for (const reply of failed) void reply.refetch();
  };
  return {
    list,
    count: top ? count : null,
    isCountExact,
    rowAt,
    read,
    modalities: top?.facets.modalities ?? [],
    notAcceptableCount: top?.notAcceptableCount ?? 0,
    isStale,
    error: first.isError && (isStale || !top) ? first.error : null,
    hasGaps: top !== null && failed.length > 0,
    retry,
  };
};
