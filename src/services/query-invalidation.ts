import type { QueryClient } from '@tanstack/query-core';
import type { HubEvent } from '../../contract/hub.ts';
import type { PreferenceStore } from './preferences.ts';
import { queryRoots } from './queries.ts';

/** Queries to invalidate: those whose key starts with `queryKey` and whose data match `isStale`. */
export interface StaleQueries {
  readonly queryKey: readonly string[];
  readonly isStale?: (reply: unknown) => boolean;
}

const numberIn = (reply: unknown, name: string): number | null => {
  const value: unknown = typeof reply === 'object' && reply !== null ? Reflect.get(reply, name) : null;
  return typeof value === 'number' ? value : null;
};

const isOfPatient = (patientId: string) => (reply: unknown) =>
  typeof reply === 'object' && reply !== null && Reflect.get(reply, 'patientId') === patientId;

/** Matches gallery pages with images of the patient; with `pending`, only images without a thumbnail. */
const showsPatient =
  (patientId: string, pending = false) =>
  (reply: unknown): boolean => {
    const rows: unknown = typeof reply === 'object' && reply !== null ? Reflect.get(reply, 'data') : null;
    return (
      Array.isArray(rows) &&
      rows.some(
        (row: { patientId?: unknown; activeImageThumbLink?: unknown }) =>
          row.patientId === patientId && (!pending || row.activeImageThumbLink === null),
      )
    );
  };

/** Matches lists with an order of images of the patient. */
const showsOrderOf =
  (patientId: string) =>
  (reply: unknown): boolean => {
    const orders: unknown = typeof reply === 'object' && reply !== null ? Reflect.get(reply, 'orders') : null;
    return Array.isArray(orders) && orders.some((order: { patientId?: unknown }) => order.patientId === patientId);
  };

/** Returns the queries that a hub event makes stale. */
export const staleQueriesOf = (event: HubEvent): readonly StaleQueries[] => {
  switch (event.name) {
    case 'ImageProcessed':
    case 'ImageProcessedFailed':
    case 'DetachImageProcessed':
    case 'DetachedImageProcessedFailed': {
      const { patientId, viewsetId } = event.body;
      const studies = { queryKey: [queryRoots.studies, patientId] };
      const listed = { queryKey: [queryRoots.gallery], isStale: showsPatient(patientId, true) };
      // Unmounted images are in the tray of every viewset of the patient.
      return viewsetId
        ? [studies, listed, { queryKey: [queryRoots.viewset, viewsetId] }]
        : [studies, listed, { queryKey: [queryRoots.viewset], isStale: isOfPatient(patientId) }];
    }
    case 'ViewsetChanged': {
      const { patientId, viewsetId, version, imagesChanged } = event.body;
      // Own changes of placement are announced too; their reply is cached already.
      const isStale = (reply: unknown) => imagesChanged === true || (numberIn(reply, 'version') ?? 0) < version;
      return [{ queryKey: [queryRoots.studies, patientId] }, { queryKey: [queryRoots.viewset, viewsetId], isStale }];
    }
    case 'PatientChanged': {
      const { patientId } = event.body;
      return [
        { queryKey: [queryRoots.patient, patientId] },
        { queryKey: [queryRoots.studies, patientId] },
        { queryKey: [queryRoots.presentationStates, patientId] },
        { queryKey: [queryRoots.patients] },
        { queryKey: [queryRoots.viewset], isStale: isOfPatient(patientId) },
        { queryKey: [queryRoots.gallery], isStale: showsPatient(patientId) },
        { queryKey: [queryRoots.orders], isStale: showsOrderOf(patientId) },
      ];
    }
    case 'OrdersChanged':
      return [{ queryKey: [queryRoots.orders] }];
    case 'imported':
      return (['studies', 'presentationStates', 'patients', 'patient', 'imports', 'viewset', 'gallery'] as const).map(
        (root) => ({ queryKey: [queryRoots[root]] }),
      );
    case 'parsed':
      return [{ queryKey: [queryRoots.imports] }];
    default:
      return [];
  }
};

/** Merges two entries of the same key. */
const merged = ({ queryKey, isStale: one }: StaleQueries, { isStale: other }: StaleQueries): StaleQueries =>
  one && other ? { queryKey, isStale: (reply) => one(reply) || other(reply) } : { queryKey };

/** Invalidations are batched: an import announces hundreds of thumbnails. */
const batchMs = 400;

export interface QueryInvalidation {
  onHubEvent(event: HubEvent): void;
  /** Invalidates queries by key prefix after an own change. */
  invalidate(queryKey: readonly string[]): void;
  /** The hub is connected. Unless for the first time, events may have been missed: everything is invalidated. */
  onHubOpened(): void;
  dispose(): void;
}

export const createQueryInvalidation = (client: QueryClient): QueryInvalidation => {
  const waiting = new Map<string, StaleQueries>();
  let timer: ReturnType<typeof setTimeout> | null = null;
  let wasOpenedBefore = false;

  const flush = () => {
    timer = null;
    const all = [...waiting.values()];
    waiting.clear();
    for (const { queryKey, isStale } of all)
      void client.invalidateQueries({ queryKey, ...(isStale && { predicate: ({ state }) => isStale(state.data) }) });
  };
  const enqueue = (all: readonly StaleQueries[]) => {
    for (const touched of all) {
      const name = touched.queryKey.join('/');
      const known = waiting.get(name);
      waiting.set(name, known ? merged(known, touched) : touched);
    }
    if (all.length > 0) timer ??= setTimeout(flush, batchMs);
  };

  return {
    onHubEvent: (event) => enqueue(staleQueriesOf(event)),
    invalidate: (queryKey) => enqueue([{ queryKey }]),
    onHubOpened: () => {
      if (wasOpenedBefore) enqueue(Object.values(queryRoots).map((root) => ({ queryKey: [root] })));
      wasOpenedBefore = true;
    },
    dispose: () => {
      if (timer !== null) clearTimeout(timer);
      timer = null;
      waiting.clear();
    },
  };
};

/** Fetches again what is shown when the language changes, in whose order the archive sorts lists. Lasts as long as the page. */
export const refetchInOtherLanguage = (
  preferences: PreferenceStore,
  language: () => string,
  queryClient: QueryClient,
): void => {
  let fetchedIn = language();
  preferences.subscribe(() => {
    if (language() === fetchedIn) return;
    fetchedIn = language();
    void queryClient.invalidateQueries();
  });
};
