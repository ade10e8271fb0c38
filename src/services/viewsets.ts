import { type QueryClient, QueryObserver } from '@tanstack/query-core';
import type { BodyOf } from '../../contract/route.ts';
import { type Viewset, viewsetGet, viewsetMount, viewsetMove, viewsetUnmount } from '../../contract/viewsets.ts';
import type { Call } from './call.ts';
import { type Queries, queryRoots } from './queries.ts';
import type { QueryInvalidation } from './query-invalidation.ts';

export interface Viewsets {
  /** Fetches the viewset, bypassing the cache. */
  readonly open: (viewsetId: string, signal: AbortSignal) => Promise<Viewset>;
  readonly mount: (body: BodyOf<typeof viewsetMount>, signal: AbortSignal) => Promise<Viewset>;
  readonly unmount: (body: BodyOf<typeof viewsetUnmount>, signal: AbortSignal) => Promise<Viewset>;
  /** Returns all changed viewsets. */
  readonly move: (body: BodyOf<typeof viewsetMove>, signal: AbortSignal) => Promise<readonly Viewset[]>;
  /** Calls the listener when the cached viewset is invalidated. Returns the function that unsubscribes. */
  readonly watch: (viewsetId: string, onOutdated: () => void) => () => void;
}

interface Parts {
  readonly call: Call;
  readonly client: QueryClient;
  readonly queries: Pick<Queries, 'viewset'>;
  readonly invalidation: Pick<QueryInvalidation, 'invalidate'>;
}

/**
 * Creates the viewset service. Replies are cached. A change cannot be aborted once sent; an aborted `signal` only means that its reply is
 * not cached.
 */
export const createViewsets = ({ call, client, queries, invalidation }: Parts): Viewsets => {
  const keyOf = (viewsetId: string) => queries.viewset(viewsetId).queryKey;
  const cacheViewset = (viewset: Viewset) => client.setQueryData(keyOf(viewset.viewSetUuid), viewset);
  const cacheChanged = (changed: readonly Viewset[], signal: AbortSignal) => {
    if (signal.aborted) return;
    for (const viewset of changed) {
      cacheViewset(viewset);
      invalidation.invalidate([queryRoots.studies, viewset.patientId]);
    }
  };

  return {
    open: async (viewsetId, signal) => {
      // Marks the cached query as fresh: an invalidation during the fetch is reported only for a fresh query.
      const known = client.getQueryData<Viewset>(keyOf(viewsetId));
      if (known) cacheViewset(known);
      const viewset = await call(viewsetGet, { params: { id: viewsetId }, signal });
      cacheViewset(viewset);
      return viewset;
    },
    mount: async (body, signal) => {
      const viewset = await call(viewsetMount, { body });
      cacheChanged([viewset], signal);
      return viewset;
    },
    unmount: async (body, signal) => {
      const viewset = await call(viewsetUnmount, { body });
      cacheChanged([viewset], signal);
      return viewset;
    },
    move: async (body, signal) => {
      const changed = await call(viewsetMove, { body });
      cacheChanged(changed, signal);
      return changed;
    },
    watch: (viewsetId, onOutdated) => {
      const queryKey = keyOf(viewsetId);
      // An observer keeps the query in the cache while the viewset is open.
      const stopObserving = new QueryObserver(client, { queryKey, enabled: false }).subscribe(() => {});
      const stopListening = client.getQueryCache().subscribe((event) => {
        if (event.type !== 'updated' || event.action.type !== 'invalidate') return;
        if (event.query.queryKey[0] === queryKey[0] && event.query.queryKey[1] === queryKey[1]) onOutdated();
      });
      return () => {
        stopListening();
        stopObserving();
      };
    },
  };
};
