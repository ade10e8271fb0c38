import { useQueries, useQuery } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import type { GalleryImage } from '../../../contract/gallery.ts';
import { mostCounted } from '../../../contract/lists.ts';
import type { GalleryAsked } from '../../services/queries.ts';
import { useGallery } from '../gallery.ts';

export interface GalleryRows {
  /** Which list the rows are of; another begins at its first row. */
  readonly list: string;
  /** Null while the first come. */
  readonly count: number | null;
  /** Whether there are no more than `count`. */
  readonly isCountExact: boolean;
  /** The image at a place of the list; null while it is not known. */
  readonly rowAt: (index: number) => GalleryImage | null;
  /** Images from one place to another, both included, fetched where they are not known; the first `most` of them. Throws ServiceError. */
  readonly read: (from: number, to: number, most: number) => Promise<readonly GalleryImage[]>;
  readonly modalities: readonly string[];
  /** The rows are still those of another search or order. */
  readonly isStale: boolean;
  /** Why there are no rows; null when there are, or may yet be. */
  readonly error: unknown;
  /** Some rows in sight could not be had. */
  readonly hasGaps: boolean;
  readonly retry: () => void;
}

/** Rows beyond what is in sight that are fetched too. */
const ahead = 40;
/** Whoever flies past pages does not fetch them: at most so often others are asked for, in milliseconds. */
const pauseMs = 120;
/** Pages by which a list grows whose end nobody has counted. */
const pagesOfGrowth = 5;
/** Pictures are linked for longer than this. */
const staleTime = 300_000;

/** What was seen of the end of a list: a row beyond which there may be more, or is none. */
interface End {
  readonly list: string;
  readonly rows: number;
  readonly isLast: boolean;
}

const endSeen = (end: number | null, index: number, size: number): Omit<End, 'list'> =>
  end === null ? { rows: (index + 1 + pagesOfGrowth) * size, isLast: false } : { rows: end, isLast: true };

const samePages = (one: readonly number[], other: readonly number[]) =>
  one.length === other.length && one.every((page, place) => page === other[place]);

/**
 * The rows of a list of which only those in sight are fetched, in pages; what scrolls away before it came is not waited for. `seen` are the
 * first and the last row in sight.
 *
 * The archive counts to `mostCounted`: of a longer list that many rows can be jumped among at once, and beyond them the list grows as one
 * goes on, until its end is met.
 */
export const useGalleryRows = (asked: GalleryAsked, seen: readonly [number, number]): GalleryRows => {
  const gallery = useGallery();
  const size = asked.ppage;
  const wantedList = JSON.stringify(asked);
  const [shown, setShown] = useState(asked);
  const first = useQuery({ ...gallery.page(asked, 0), staleTime });
  if (first.data !== undefined && JSON.stringify(shown) !== wantedList) setShown(asked);
  const list = JSON.stringify(shown);
  const isStale = list !== wantedList;

  const inSight: number[] = [];
  const lastPage = Math.floor((seen[1] + ahead) / size);
  for (let page = Math.floor(Math.max(0, seen[0] - ahead) / size); page <= lastPage; page += 1) inSight.push(page);
  const [pages, setPages] = useState<readonly number[]>([0]);
  const changedAt = useRef(0);
  const wanted = inSight.join(',');
  useEffect(() => {
    const next = wanted.split(',').map(Number);
    const change = () => {
      changedAt.current = performance.now();
      setPages((before) => (samePages(before, next) ? before : next));
    };
    const waiting = setTimeout(change, Math.max(0, changedAt.current + pauseMs - performance.now()));
    return () => clearTimeout(waiting);
  }, [wanted]);

  const top = (isStale ? gallery.knownPage(shown, 0) : first.data) ?? null;
  const [end, setEnd] = useState<End>({ list: '', rows: 0, isLast: false });
  const counted = top
    ? top.isTotalExact
      ? top.totalCount
      : Math.max(mostCounted, end.list === list ? end.rows : 0)
    : 0;
  const isCountExact = top?.isTotalExact === true || (end.list === list && end.isLast);
  const count = isCountExact && top?.isTotalExact === false ? end.rows : counted;
  const reachable = pages.filter((page) => page === 0 || page * size < count);
  const replies = useQueries({
    queries: reachable.map((page) => ({ ...gallery.page(shown, page), staleTime })),
  });
  // A list that was not counted to its end grows by what is seen of it.
  if (top?.isTotalExact === false && !(end.list === list && end.isLast)) {
    for (const [place, reply] of replies.entries()) {
      if (!reply.data) continue;
      const found = endSeen(reply.data.end, reachable[place] ?? 0, size);
      const isFurther = found.isLast
        ? found.rows >= mostCounted
        : found.rows > Math.max(mostCounted, end.list === list ? end.rows : 0);
      if (isFurther) setEnd({ list, ...found });
    }
  }

  const rowAt = (index: number): GalleryImage | null => {
    const page = Math.floor(index / size);
    const place = reachable.indexOf(page);
    const reply = (place < 0 ? undefined : replies[place]?.data) ?? gallery.knownPage(shown, page);
    return reply?.data[index % size] ?? null;
  };
  const read = async (from: number, to: number, most: number): Promise<readonly GalleryImage[]> => {
    // What is too much is left out at the far end.
    const [start, last] = to < from ? [Math.max(to, from - most + 1), from] : [from, Math.min(to, from + most - 1)];
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
    isStale,
    error: first.isError && (isStale || !top) ? first.error : null,
    hasGaps: top !== null && failed.length > 0,
    retry,
  };
};
