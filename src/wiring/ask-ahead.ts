import type { QueryClient } from '@tanstack/query-core';
import type { Queries } from '../services/queries.ts';
import { firstPatients } from '../views/search/first-patients.ts';

/**
 * Asks for the list with which the search page begins while the archive is asked who somebody is, so that it is there when the page is drawn. What
 * is refused is asked for again by the page, which says so.
 */
export const askAhead = (queryClient: QueryClient, queries: Queries) => (clinicId: string) => {
  const asked = firstPatients(clinicId, window.location, window.history.state);
  if (asked) void queryClient.prefetchQuery(queries.patients(asked));
};
