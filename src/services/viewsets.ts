import { type QueryClient, QueryObserver } from '@tanstack/query-core';
import type { BodyOf } from '../../contract/route.ts';
import { type Viewset, viewsetGet, viewsetMount, viewsetMove, viewsetUnmount } from '../../contract/viewsets.ts';
import type { Call } from './call.ts';
import type { PatientCache } from './patient-cache.ts';
import { type Queries, queryRoots } from './queries.ts';
import type { QueryInvalidation } from './query-invalidation.ts';

export interface Viewsets {
  /** Returns the viewset: from the cache when it is fresh, except while it is watched. */
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
  readonly patientCache: Pick<PatientCache, 'isFresh'>;
}

/**
 * Creates the viewset service. Replies are cached. A change cannot be aborted once sent; an aborted `signal` only means that its reply is
 * not cached.
 */
export const createViewsets = ({ call, client, queries, invalidation, patientCache }: Parts): Viewsets => {
  const watched = new Set<string>();
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
      const known = client.getQueryData<Viewset>(keyOf(viewsetId));
      // One that is open is asked for again after a conflict.
      if (known && !watched.has(viewsetId) && patientCache.isFresh(keyOf(viewsetId))) return known;
      // Marks the cached query as fresh: an invalidation during the fetch is reported only for a fresh query.
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
      watched.add(viewsetId);
      const queryKey = keyOf(viewsetId);
      // An observer keeps the query in the cache while the viewset is open.
      const stopObserving = new QueryObserver(client, { queryKey, enabled: false }).subscribe(() => {});
      const stopListening = client.getQueryCache().subscribe((event) => {
        if (event.type !== 'updated' || event.action.type !== 'invalidate') return;
        if (event.query.queryKey[0] === queryKey[0] && event.query.queryKey[1] === queryKey[1]) onOutdated();
      });
      return () => {
        watched.delete(viewsetId);
        stopListening();
        stopObserving();
      };
    },
  };
};
