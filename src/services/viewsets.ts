import { type QueryClient, QueryObserver } from '@tanstack/query-core';
import type { BodyOf } from '../../contract/route.ts';
import { type Viewset, viewsetGet, viewsetMount, viewsetMove, viewsetUnmount } from '../../contract/viewsets.ts';
import type { Call } from './call.ts';
import type { NewsInvalidation } from './news-invalidation.ts';
import { type Queries, queryRoots } from './queries.ts';

export interface Viewsets {
  /** As the archive has it now, past every kept reply. */
  readonly open: (viewsetId: string, signal: AbortSignal) => Promise<Viewset>;
  readonly mount: (body: BodyOf<typeof viewsetMount>, signal: AbortSignal) => Promise<Viewset>;
  readonly unmount: (body: BodyOf<typeof viewsetUnmount>, signal: AbortSignal) => Promise<Viewset>;
  /** All viewsets that the move changed. */
  readonly move: (body: BodyOf<typeof viewsetMove>, signal: AbortSignal) => Promise<readonly Viewset[]>;
  /** Tells when somebody has made the kept reply old. Returns the function that stops telling. */
  readonly watch: (viewsetId: string, onOutdated: () => void) => () => void;
}

interface Parts {
  readonly call: Call;
  readonly client: QueryClient;
  readonly queries: Pick<Queries, 'viewset'>;
  readonly news: Pick<NewsInvalidation, 'touched'>;
}

/**
 * What hangs where, read and changed. Every reply is kept for the rest of the page. A change that was sent is not called off, it may have
 * been made already; `signal` says that nobody waits for it any more, so its reply is not kept.
 */
export const createViewsets = ({ call, client, queries, news }: Parts): Viewsets => {
  const keyOf = (viewsetId: string) => queries.viewset(viewsetId).queryKey;
  const keep = (viewset: Viewset) => client.setQueryData(keyOf(viewset.viewSetUuid), viewset);
  const keepChanged = (changed: readonly Viewset[], signal: AbortSignal) => {
    if (signal.aborted) return;
    for (const viewset of changed) {
      keep(viewset);
      news.touched([queryRoots.studies, viewset.patientId]);
    }
  };

  return {
    open: async (viewsetId, signal) => {
      // A word that comes while the answer is on its way is heard only when the kept reply does not count as old already.
      const known = client.getQueryData<Viewset>(keyOf(viewsetId));
      if (known) keep(known);
      const viewset = await call(viewsetGet, { params: { id: viewsetId }, signal });
      keep(viewset);
      return viewset;
    },
    mount: async (body, signal) => {
      const viewset = await call(viewsetMount, { body });
      keepChanged([viewset], signal);
      return viewset;
    },
    unmount: async (body, signal) => {
      const viewset = await call(viewsetUnmount, { body });
      keepChanged([viewset], signal);
      return viewset;
    },
    move: async (body, signal) => {
      const changed = await call(viewsetMove, { body });
      keepChanged(changed, signal);
      return changed;
    },
    watch: (viewsetId, onOutdated) => {
      const queryKey = keyOf(viewsetId);
      // Only observed replies stay in the cache for as long as the viewset is open.
      const stopKeeping = new QueryObserver(client, { queryKey, enabled: false }).subscribe(() => {});
      const stopListening = client.getQueryCache().subscribe((event) => {
        if (event.type !== 'updated' || event.action.type !== 'invalidate') return;
        if (event.query.queryKey[0] === queryKey[0] && event.query.queryKey[1] === queryKey[1]) onOutdated();
      });
      return () => {
        stopListening();
        stopKeeping();
      };
    },
  };
};
