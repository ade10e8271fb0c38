import type { QueryClient } from '@tanstack/query-core';
import type { Queries } from './queries.ts';

/** Maximum wait for the list, so that the page normally renders once with it. */
const maxWaitMs = 500;

type PatientQuery = Parameters<Queries['patients']>[0];

export interface PrefetchDependencies {
  readonly queryClient: QueryClient;
  readonly queries: Pick<Queries, 'patients'>;
  /** The first list that the page will show; null if it shows something else. */
  readonly firstPatients: (clinicId: string) => PatientQuery | null;
}

/**
 * Prefetches the first list of the search page while the account is loaded. Resolves when the list has arrived or failed, or after the
 * maximum wait. The page fetches it again after an error.
 */
export const createPrefetchPatients =
  ({ queryClient, queries, firstPatients }: PrefetchDependencies) =>
  async (clinicId: string): Promise<void> => {
    const query = firstPatients(clinicId);
    if (!query) return;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const timeout = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, maxWaitMs);
    });
    await Promise.race([queryClient.prefetchQuery(queries.patients(query)), timeout]);
    clearTimeout(timer);
  };
