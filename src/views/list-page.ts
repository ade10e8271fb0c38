import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import type { ListAsked, ListPlace } from './list-place.ts';
import { failureOfQuery, type Readable } from './reading.tsx';

/** A page of a long list, as the archive answers: `listed` of the contract. */
export interface ListReply<Row> {
  readonly data: readonly Row[];
  readonly totalCount: number;
  readonly isTotalExact: boolean;
  readonly next: string | null;
}

/** How a page of a list is read: `(asked) => administration.customers(asked)`. */
export type ReadList<Row, Sort extends string> = (asked: ListAsked<Sort>) => Readable<ListReply<Row>>;

export interface ListPage<Row> {
  /** Null while the first come. */
  readonly rows: readonly Row[] | null;
  readonly reply: ListReply<Row> | null;
  /** Of which page and search the rows are; for `place` of the table, which begins anew with another. */
  readonly place: string;
  /** When the archive gave the rows, in milliseconds since 1970; 0 while they are those of another page or search. */
  readonly answeredAt: number;
  /** The rows are still those of another page or search. */
  readonly isStale: boolean;
  /** Why there are no rows; null when there are, or may yet be. */
  readonly error: unknown;
  readonly retry: () => void;
}

/**
 * The page of a list that the address means. The rows before stay, as stale ones, until it is there; so a page that can change its list
 * altogether (another clinic) gives whoever calls this a `key` of its own for each.
 */
export const useListPage = <Row, Sort extends string>(
  list: ListPlace<Sort>,
  read: ReadList<Row, Sort>,
): ListPage<Row> => {
  const { after, ...byNumber } = list.asked;
  const readable = read(list.asked);
  const { data, dataUpdatedAt, error, isPlaceholderData, refetch } = useQuery({
    queryKey: readable.queryKey,
    queryFn: async (context: { signal: AbortSignal }) => {
      try {
        return await readable.queryFn(context);
      } catch (refusal) {
        // A place that the archive no longer knows (it was set up anew, or the rights are others) is not the person's fault.
        if (after === undefined || failureOfQuery(refusal).code !== 'invalid-request') throw refusal;
        return read(byNumber).queryFn(context);
      }
    },
    placeholderData: keepPreviousData,
  });
  const asked = JSON.stringify(readable.queryKey);
  const [place, setPlace] = useState(asked);
  if (!isPlaceholderData && place !== asked) setPlace(asked);
  const lastPage = data ? Math.max(1, Math.ceil(data.totalCount / list.ppage)) : 1;
  const isBeyond = data?.data.length === 0 && !isPlaceholderData && list.page > lastPage;
  const { correctTo } = list;
  // The last row of the last page may be gone.
  useEffect(() => {
    if (isBeyond) correctTo(lastPage);
  });
  return {
    rows: isBeyond ? null : (data?.data ?? null),
    reply: isBeyond ? null : (data ?? null),
    place,
    answeredAt: dataUpdatedAt,
    isStale: isPlaceholderData,
    error: data === undefined ? error : null,
    retry: () => void refetch(),
  };
};
