/** One thing to read: under which key it is kept, and how it is fetched. */
export interface Query<Data> {
  readonly queryKey: readonly unknown[];
  readonly queryFn: (context: { signal: AbortSignal }) => Promise<Data>;
}

export const query = <Data>(
  queryKey: readonly unknown[],
  ask: (signal: AbortSignal) => Promise<Data>,
): Query<Data> => ({
  queryKey,
  queryFn: ({ signal }) => ask(signal),
});
