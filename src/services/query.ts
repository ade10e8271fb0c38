/** Key and fetch function of a query. */
export interface Query<Data> {
  readonly queryKey: readonly unknown[];
  readonly queryFn: (context: { signal: AbortSignal }) => Promise<Data>;
  /** Milliseconds for which the data are not fetched again; absent: that of the client. */
  readonly staleTime?: number;
}

/** Returns a query of TanStack Query. `fetch` is aborted when the query is no longer needed. */
export const query = <Data>(
  queryKey: readonly unknown[],
  fetch: (signal: AbortSignal) => Promise<Data>,
): Query<Data> => ({
  queryKey,
  queryFn: ({ signal }) => fetch(signal),
});
