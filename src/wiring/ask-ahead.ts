import type { QueryClient } from '@tanstack/query-core';
import type { Queries } from '../services/queries.ts';
import { firstPatients } from '../views/search/first-patients.ts';

/** A page that is drawn without its list is drawn twice. A list that takes longer comes into a page that stands. */
const patienceMs = 500;

/**
 * Asks for the list with which the search page begins while the archive is asked who somebody is, so that it is there when the page is drawn. What
 * is refused is asked for again by the page, which says so. Resolves when the list is there, was refused or takes long.
 */
export const askAhead = (queryClient: QueryClient, queries: Queries) => async (clinicId: string) => {
  const asked = firstPatients(clinicId, window.location, window.history.state);
  if (!asked) return;
  let timer = 0;
  const patience = new Promise<void>((resolve) => {
    timer = window.setTimeout(resolve, patienceMs);
  });
  await Promise.race([queryClient.prefetchQuery(queries.patients(asked)), patience]);
  window.clearTimeout(timer);
};
