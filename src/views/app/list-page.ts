import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import type { ListRequest, ListUrlState } from './list-url-state.ts';
import { failureOfQuery, type ReadQuery } from './queries-context.tsx';

/** A page of a list as the server returns it: `listed` of the contract. */
export interface ListReply<Row> {
  readonly data: readonly Row[];
  readonly totalCount: number;
  readonly isTotalExact: boolean;
  readonly next: string | null;
}

/** Builds the query of a page: `(request) => administration.customers(request)`. */
export type ReadList<Row, Sort extends string> = (request: ListRequest<Sort>) => ReadQuery<ListReply<Row>>;

export interface ListPage<Row> {
  /** Null while the first page loads. */
  readonly rows: readonly Row[] | null;
  readonly reply: ListReply<Row> | null;
  /** Identifies page and search of the rows; a new value resets the table. */
  readonly shownRequest: string;
  /** When the server returned the rows, in milliseconds since 1970; 0 while they are stale. */
  readonly answeredAt: number;
  /** The rows belong to another page or search. */
  readonly isStale: boolean;
  /** Why there are no rows; null when loading or loaded. */
  readonly error: unknown;
  readonly retry: () => void;
}

/**
 * Loads the list page that the URL describes. The previous rows stay, marked stale, until it is loaded;
 * give the calling component a `key` when the whole list changes (another clinic).
 */
export const useListPage = <Row, Sort extends string>(
  list: ListUrlState<Sort>,
  read: ReadList<Row, Sort>,
): ListPage<Row> => {
  const { after, ...byNumber } = list.request;
  const query = read(list.request);
  const { data, dataUpdatedAt, error, isPlaceholderData, refetch } = useQuery({
    queryKey: query.queryKey,
    queryFn: async (context: { signal: AbortSignal }) => {
      try {
        return await query.queryFn(context);
      } catch (error) {
        // The server may no longer know a cursor (reset or changed rights): retry by page number.
        if (after === undefined || failureOfQuery(error).code !== 'invalid-request') throw error;
        return read(byNumber).queryFn(context);
      }
    },
    placeholderData: keepPreviousData,
    ...(query.staleTime !== undefined && { staleTime: query.staleTime }),
  });
  const request = JSON.stringify(query.queryKey);
  const [shownRequest, setShownRequest] = useState(request);
  if (!isPlaceholderData && shownRequest !== request) setShownRequest(request);
  const lastPage = data ? Math.max(1, Math.ceil(data.totalCount / list.ppage)) : 1;
  const isBeyond = data?.data.length === 0 && !isPlaceholderData && list.page > lastPage;
  const { correctTo } = list;
  // The last row of the last page may have been deleted.
  useEffect(() => {
    if (isBeyond) correctTo(lastPage);
  });
  return {
    rows: isBeyond ? null : (data?.data ?? null),
    reply: isBeyond ? null : (data ?? null),
    shownRequest,
    answeredAt: dataUpdatedAt,
    isStale: isPlaceholderData,
    error: data === undefined ? error : null,
    retry: () => void refetch(),
  };
};
