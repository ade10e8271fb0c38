import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { screen } from '@testing-library/react';
import { expect, it, vi } from 'vitest';
import { createPrefetchPatients } from '../../src/services/prefetch-patients.ts';
import type { Queries } from '../../src/services/queries.ts';
import { type AppQueries, AppQueriesProvider } from '../../src/views/app/queries-context.tsx';
import { SearchPage } from '../../src/views/search/search-page.tsx';
import { firstPatients } from '../../src/views/search/search-url.ts';
import { anArchive } from './administration-fixture.tsx';
import { patient } from './edit/edit-fixture.tsx';
import { idOf } from './records.ts';
import { WithRecords } from './records-of.tsx';
import { show } from './render.tsx';
import { signedInAs } from './signed-in-session.ts';

const clinic = { id: idOf(2), name: 'Ljungheden' };

it.each([
  ['/', null],
  [`/${clinic.id}`, null],
  ['/?q=anna', null],
  ['/', { listSearch: '1985' }],
  ['/?from=2026-01-01&to=2026-02-01&page=2&ppage=50', null],
  ['/?from=2026-01-01&deleted=1', null],
])('prefetches exactly the list that the page shows: %s %j', async (address, state) => {
  window.history.replaceState(state, '', address);
  const read = vi.fn(async () => ({ data: [patient()], similar: [], totalCount: 60, isTotalExact: true, next: null }));
  const patients = (requests: object) => ({ queryKey: ['patients', requests], queryFn: read });
  const client = new QueryClient({ defaultOptions: { queries: { staleTime: 30_000 } } });
  const requests = firstPatients(clinic.id, window.location, window.history.state);
  if (!requests) throw new Error('nothing was requested');
  await client.prefetchQuery(patients(requests));
  expect(read).toHaveBeenCalledTimes(1);
  const session = await signedInAs('CustomerAdmin', { clinic });
  await show(
    <QueryClientProvider client={client}>
      <AppQueriesProvider value={{ patients } as unknown as AppQueries}>
        <WithRecords call={anArchive(async () => ({ data: [], totalCount: 0, isTotalExact: true, next: null })).call}>
          <SearchPage
            session={session}
            clinicId={clinic.id}
            canAdd
            resumesNew={false}
            renderNew={() => null}
            renderMerge={() => null}
          />
        </WithRecords>
      </AppQueriesProvider>
    </QueryClientProvider>,
  );
  expect(await screen.findByRole('row', { name: new RegExp(patient().mainInfo.personalNumber) })).toBeTruthy();
  expect(read).toHaveBeenCalledTimes(1);
});

it.each([
  ['/?tab=bin'],
  ['/?type=studies'],
  ['/roles'],
  [`/${idOf(3)}`],
  [`/${clinic.id}/gallery`],
  ['/authorization'],
])('prefetches nothing for a page without that list: %s', (address) => {
  const { pathname, search } = new URL(address, window.location.origin);
  expect(firstPatients(clinic.id, { pathname, search }, null)).toBeNull();
});

/** Returns whether the promise has resolved. */
const isDone = (waited: Promise<unknown>) =>
  Promise.race([waited.then(() => true), vi.advanceTimersByTimeAsync(0).then(() => false)]);

it('waits for a prefetched list, up to a limit', async () => {
  vi.useFakeTimers();
  window.history.replaceState(null, '', '/');
  let come: () => void = () => {};
  const list = () =>
    new Promise((resolve) => {
      come = () => resolve({});
    });
  const prefetched = () =>
    createPrefetchPatients({
      queryClient: new QueryClient(),
      queries: {
        patients: (requests: object) => ({ queryKey: ['patients', requests], queryFn: list }),
      } as unknown as Queries,
      firstPatients: (clinicId) => firstPatients(clinicId, window.location, window.history.state),
    })(clinic.id);
  const quick = prefetched();
  await vi.advanceTimersByTimeAsync(100);
  expect(await isDone(quick)).toBe(false);
  come();
  expect(await isDone(quick)).toBe(true);
  const slow = prefetched();
  await vi.advanceTimersByTimeAsync(499);
  expect(await isDone(slow)).toBe(false);
  await vi.advanceTimersByTimeAsync(1);
  expect(await isDone(slow)).toBe(true);
  window.history.replaceState(null, '', '/roles');
  expect(await isDone(prefetched())).toBe(true);
  vi.useRealTimers();
});
