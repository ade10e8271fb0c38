import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, describe, expect, it } from 'vitest';
import { defaultClaims } from '../../contract/claims.ts';
import type { DayPatient } from '../../contract/day-lists.ts';
import { anna, clinic, listed, olle, openSearch, rowNamed, search } from './search-fixture.tsx';
import { withWideTables } from './with-wide-tables.ts';

withWideTables();

const path = '/resource/patient/day-list';
const annaWaits: DayPatient = {
  ...anna,
  at: '2026-11-20T08:15:30.000Z',
  images: { total: 3, unopened: 1, unmounted: 2, withoutTeeth: 0 },
};
const olleOpened: DayPatient = { ...olle, at: new Date().toISOString(), images: null };

const openLists = (address: string, permission?: readonly string[]) =>
  openSearch(address, {
    ...(permission && { permission }),
    answer: ({ route, body }) => {
      if (route.path !== path) return undefined;
      const { list, reason, q } = body as { list: string; reason?: string; q?: string };
      if (q === 'nobody') return listed([]);
      if (list === 'opened') return listed([olleOpened]);
      return listed(list === 'waiting' && reason !== 'withoutTeeth' ? [annaWaits] : []);
    },
  });

beforeEach(() => {
  localStorage.clear();
  // jsdom has no font loading API.
  Object.defineProperty(document, 'fonts', { value: new EventTarget(), configurable: true });
});

describe('the lists of the day', () => {
  it('are tabs by click and by key, and part of the address', async () => {
    const { callsOf } = await openLists('/?tab=today');
    await screen.findByText('No images were imported today');
    await userEvent.click(screen.getByRole('tab', { name: 'To do' }));
    const row = await rowNamed(/Lind, Anna/);
    expect(row.textContent).toContain('1 not opened, 2 not mounted');
    expect(row.textContent).not.toContain('without tooth');
    expect(within(row).getByRole('link').getAttribute('href')).toBe(`/patient/${anna.id}`);
    expect(search().get('tab')).toBe('waiting');
    expect(screen.getByRole('heading', { level: 1 }).textContent).toBe('Images that wait');
    expect(callsOf('POST', path).at(-1)?.body).toEqual({
      customerId: clinic.id,
      list: 'waiting',
      page: 1,
      ppage: 25,
    });

    await userEvent.keyboard('{ArrowLeft}');
    expect(await rowNamed(/Berg, Olle/)).toBeDefined();
    expect(search().get('tab')).toBe('opened');
  });

  it('shows the time of today without its date, and no images for opened patients', async () => {
    await openLists('/?tab=opened');
    const row = await rowNamed(/Berg, Olle/);
    expect(row.lastElementChild?.textContent).toMatch(/^\d{2}:\d{2}$/);
    expect(screen.queryByRole('columnheader', { name: 'Remaining' })).toBeNull();
  });

  it('limits the waiting patients to one reason, and leaves it with the list', async () => {
    const { callsOf } = await openLists('/?tab=waiting');
    await rowNamed(/Lind, Anna/);
    await userEvent.click(screen.getByRole('radio', { name: 'Without tooth numbers' }));
    expect(await screen.findByText('Nothing matches')).toBeDefined();
    expect(callsOf('POST', path).at(-1)?.body).toMatchObject({ reason: 'withoutTeeth' });
    expect(search().get('reason')).toBe('withoutTeeth');
    await userEvent.click(screen.getByRole('button', { name: 'Clear the search' }));
    await rowNamed(/Lind, Anna/);
    expect(search().get('reason')).toBeNull();
    await userEvent.click(screen.getByRole('radio', { name: 'Not mounted' }));
    await userEvent.click(screen.getByRole('tab', { name: 'Today' }));
    expect(search().get('reason')).toBeNull();
    expect(await screen.findByText('No images were imported today')).toBeDefined();
  });

  it('sends a typed number in the body, and never writes it into the address', async () => {
    const { callsOf } = await openLists('/?tab=waiting');
    await rowNamed(/Lind, Anna/);
    await userEvent.type(screen.getByRole('searchbox', { name: 'Name or personal number' }), '2384{Enter}');
    await waitFor(() => expect(callsOf('POST', path).at(-1)?.body).toMatchObject({ q: '2384' }));
    expect(window.location.search).not.toContain('2384');
  });

  it('are shown to users who may not open the recycle bin', async () => {
    const without = defaultClaims.CustomerAdmin.filter((claim) => claim !== 'feature.recycle_bin');
    await openLists('/?tab=opened&type=studies', without);
    expect(await rowNamed(/Berg, Olle/)).toBeDefined();
    expect(screen.getAllByRole('tab').map(({ textContent }) => textContent)).toEqual([
      'All',
      'Today',
      'Recent',
      'To do',
    ]);
  });
});
