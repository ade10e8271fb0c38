import type { Query, QueryClient, QueryKey } from '@tanstack/query-core';
import { queryRoots } from './query-roots.ts';

/** Patients whose data stay in the cache after their page was left. */
const keptPatients = 20;
/** While the hub announces changes, data are not fetched again for so long: thumbnail links in them are valid for 30 minutes at least. */
const freshMs = 15 * 60_000;
const freshWithoutHubMs = 30_000;

const roots: readonly unknown[] = [queryRoots.patient, queryRoots.studies, queryRoots.viewset];

export interface PatientCache {
  /** Changes are announced by the hub, or no longer. */
  readonly setAnnounced: (isAnnounced: boolean) => void;
  /** Whether the cached reply of a query need not be fetched again. */
  readonly isFresh: (queryKey: QueryKey) => boolean;
}

/** Returns the patient of a query; null for other queries and for a mount that has not arrived. */
const patientOf = ({ queryKey: [root, id], state: { data } }: Query): string | null => {
  if (!roots.includes(root)) return null;
  const patientId: unknown =
    root === queryRoots.viewset ? typeof data === 'object' && data !== null && Reflect.get(data, 'patientId') : id;
  return typeof patientId === 'string' ? patientId : null;
};

/**
 * Keeps patients with their studies and mounts in the query cache, and removes those that were left first beyond a limit. Data on the page
 * are never removed.
 */
export const createPatientCache = (client: QueryClient, limit = keptPatients): PatientCache => {
  const cache = client.getQueryCache();
  let isAnnounced = false;
  const staleTime = () => (isAnnounced ? freshMs : freshWithoutHubMs);
  for (const root of roots) client.setQueryDefaults([root], { staleTime, gcTime: Number.POSITIVE_INFINITY });

  /** Patients in the order of their last use. */
  const patients = new Set<string>();
  const removeOldest = () => {
    for (const patientId of patients) {
      if (patients.size <= limit) return;
      const queries = cache.getAll().filter((query) => patientOf(query) === patientId);
      if (queries.some((query) => query.getObserversCount() > 0)) continue;
      for (const query of queries) cache.remove(query);
      patients.delete(patientId);
    }
  };
  cache.subscribe((event) => {
    const isUse = event.type === 'observerAdded' || (event.type === 'updated' && event.action.type === 'success');
    const patientId = isUse ? patientOf(event.query) : null;
    if (patientId === null) return;
    patients.delete(patientId);
    patients.add(patientId);
    removeOldest();
  });

  return {
    setAnnounced: (next) => {
      isAnnounced = next;
    },
    isFresh: (queryKey) => cache.find({ queryKey })?.isStaleByTime(staleTime()) === false,
  };
};
