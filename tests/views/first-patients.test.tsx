import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { screen } from '@testing-library/react';
import { expect, it, vi } from 'vitest';
import type { Queries } from '../../src/services/queries.ts';
import { type Reading, ReadingProvider } from '../../src/views/reading.tsx';
import { firstPatients } from '../../src/views/search/first-patients.ts';
import { SearchPage } from '../../src/views/search/search-page.tsx';
import { askAhead } from '../../src/wiring/ask-ahead.ts';
import { anArchive } from './administration-of.tsx';
import { idOf, patient } from './edit/writing.tsx';
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
])('what is asked for ahead is what the page then shows, without asking again: %s %j', async (address, state) => {
  window.history.replaceState(state, '', address);
  const read = vi.fn(async () => ({ data: [patient()], totalCount: 60, isTotalExact: true, next: null }));
  const patients = (asked: object) => ({ queryKey: ['patients', asked], queryFn: read });
  const client = new QueryClient({ defaultOptions: { queries: { staleTime: 30_000 } } });
  const asked = firstPatients(clinic.id, window.location, window.history.state);
  if (!asked) throw new Error('nothing is asked for');
  await client.prefetchQuery(patients(asked));
  expect(read).toHaveBeenCalledTimes(1);
  const session = await signedInAs('CustomerAdmin', { clinic });
  await show(
    <QueryClientProvider client={client}>
      <ReadingProvider value={{ patients } as unknown as Reading}>
        <WithRecords call={anArchive(async () => ({ data: [], totalCount: 0, isTotalExact: true, next: null })).call}>
          <SearchPage
            session={session}
            clinicId={clinic.id}
            mayAdd
            resumesNew={false}
            renderNew={() => null}
            renderMerge={() => null}
          />
        </WithRecords>
      </ReadingProvider>
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
])('nothing is asked for ahead where the page begins with something else: %s', (address) => {
  const { pathname, search } = new URL(address, window.location.origin);
  expect(firstPatients(clinic.id, { pathname, search }, null)).toBeNull();
});

/** Has it resolved by now? */
const isDone = (waited: Promise<unknown>) =>
  Promise.race([waited.then(() => true), vi.advanceTimersByTimeAsync(0).then(() => false)]);

it('a list that is asked for ahead is waited for, but not for long', async () => {
  vi.useFakeTimers();
  window.history.replaceState(null, '', '/');
  let come: () => void = () => {};
  const list = () =>
    new Promise((resolve) => {
      come = () => resolve({});
    });
  const ask = () =>
    askAhead(new QueryClient(), {
      patients: (asked: object) => ({ queryKey: ['patients', asked], queryFn: list }),
    } as unknown as Queries)(clinic.id);
  const quick = ask();
  await vi.advanceTimersByTimeAsync(100);
  expect(await isDone(quick)).toBe(false);
  come();
  expect(await isDone(quick)).toBe(true);
  const slow = ask();
  await vi.advanceTimersByTimeAsync(499);
  expect(await isDone(slow)).toBe(false);
  await vi.advanceTimersByTimeAsync(1);
  expect(await isDone(slow)).toBe(true);
  window.history.replaceState(null, '', '/roles');
  expect(await isDone(ask())).toBe(true);
  vi.useRealTimers();
});
