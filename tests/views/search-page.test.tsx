import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, describe, expect, it } from 'vitest';
import { defaultClaims } from '../../contract/claims.ts';
import { today } from '../../src/views/ui/dates.ts';
import { refused } from './edit/edit-fixture.tsx';
import {
  anna,
  chooseOf,
  clinic,
  gone,
  goneContents,
  goneStudy,
  openSearch,
  rowNamed,
  search,
} from './search-fixture.tsx';
import { withWideTables } from './with-wide-tables.ts';

withWideTables();

beforeEach(() => {
  localStorage.clear();
  // jsdom has no font loading API.
  Object.defineProperty(document, 'fonts', { value: new EventTarget(), configurable: true });
});

describe('the search page', () => {
  it('lists the patients of the clinic with links, and sends no period unless one is set', async () => {
    const { patients } = await openSearch('/');
    const row = await rowNamed(/Lind, Anna/);
    expect(within(row).getByRole('link').getAttribute('href')).toBe(`/patient/${anna.id}`);
    expect(patients).toHaveBeenCalledWith({ customerId: clinic.id, q: '', page: 1, ppage: 25 });
    expect(screen.getByLabelText<HTMLInputElement>('To').value).toBe(today());
    expect(screen.getByRole('tab', { name: 'All' }).getAttribute('aria-selected')).toBe('true');
  });

  it('keeps type, period and text in the URL; the last day defaults to today', async () => {
    const { callsOf } = await openSearch('/?type=studies&q=kontroll');
    await rowNamed(/Kontroll/);
    expect(screen.getByRole('heading', { level: 1 }).textContent).toBe('Studies: “kontroll”');
    fireEvent.change(screen.getByLabelText('From'), { target: { value: '2026-01-01' } });
    await waitFor(() => expect(search().get('from')).toBe('2026-01-01'));
    expect(search().get('to')).toBeNull();
    await waitFor(() =>
      expect(callsOf('POST', '/resource/study/search').at(-1)?.body).toMatchObject({
        customerId: clinic.id,
        q: 'kontroll',
        from: '2026-01-01',
        to: today(),
      }),
    );
  });

  it('lists patients with similar names apart below the list', async () => {
    const similar = { ...anna, id: '00000000-0000-4000-8000-0000000000aa' };
    const { patients } = await openSearch('/?q=lint', { similar: [similar] });
    const section = within(await screen.findByRole('region', { name: 'Similar names' }));
    expect(section.getByRole('link', { name: /Anna Lind/ }).getAttribute('href')).toBe(`/patient/${similar.id}`);
    expect(section.getByText(anna.mainInfo.personalNumber)).toBeTruthy();
    // One request serves the list and the section.
    expect(new Set(patients.mock.calls.map(([query]) => JSON.stringify(query))).size).toBe(1);
  });

  it('never writes digits into the URL, also when other parameters change', async () => {
    const { patients } = await openSearch('/');
    await rowNamed(/Lind, Anna/);
    await userEvent.type(screen.getByRole('searchbox', { name: 'Name or personal number' }), '2384{Enter}');
    await waitFor(() => expect(patients).toHaveBeenLastCalledWith(expect.objectContaining({ q: '2384' })));
    fireEvent.change(screen.getByLabelText('From'), { target: { value: '2026-01-01' } });
    await waitFor(() =>
      expect(patients).toHaveBeenLastCalledWith(expect.objectContaining({ q: '2384', from: '2026-01-01' })),
    );
    expect(window.location.href).not.toContain('2384');
    expect(screen.getByRole('heading', { level: 1 }).textContent).toBe('Patients: search results');
  });

  it('removes a deleted patient at once, and Undo restores it', async () => {
    const { callsOf } = await openSearch('/');
    await chooseOf('Anna Lind', /Delete patient/);
    await userEvent.click(await screen.findByRole('button', { name: 'Delete' }));
    await waitFor(() => expect(screen.queryByRole('row', { name: /Lind, Anna/ })).toBeNull());
    expect(callsOf('DELETE', '/resource/patient/delete/:id')[0]?.params).toEqual({ id: anna.id });
    await userEvent.click(await screen.findByRole('button', { name: 'Undo' }));
    await rowNamed(/Lind, Anna/);
    expect(callsOf('PUT', '/resource/patient/restore/:id')[0]?.params).toEqual({ id: anna.id });
  });

  it('handles Ctrl+Z while the toast is visible, but not in a text field', async () => {
    const { callsOf } = await openSearch('/');
    await chooseOf('Olle Berg', /Delete patient/);
    await userEvent.click(await screen.findByRole('button', { name: 'Delete' }));
    await screen.findByRole('button', { name: 'Undo' });
    fireEvent.keyDown(screen.getByRole('searchbox'), { key: 'z', ctrlKey: true });
    expect(callsOf('PUT', '/resource/patient/restore/:id')).toEqual([]);
    fireEvent.keyDown(document.body, { key: 'z', ctrlKey: true });
    await rowNamed(/Berg, Olle/);
    fireEvent.keyDown(document.body, { key: 'z', ctrlKey: true });
    expect(callsOf('PUT', '/resource/patient/restore/:id')).toHaveLength(1);
  });

  it('shows in the confirmation why a patient cannot be deleted', async () => {
    await openSearch('/', {
      answer: ({ route }) =>
        route.path === '/resource/patient/delete/:id' ? Promise.reject(refused('not-found')) : undefined,
    });
    await chooseOf('Anna Lind', /Delete patient/);
    await userEvent.click(await screen.findByRole('button', { name: 'Delete' }));
    expect(await screen.findByRole('dialog')).toBeTruthy();
    await waitFor(() =>
      expect(screen.getByRole('button', { name: 'Delete' }).hasAttribute('data-loading')).toBe(false),
    );
    expect(screen.queryByRole('button', { name: 'Undo' })).toBeNull();
  });

  it('lists the recycle bin, last deleted first, and restores at once', async () => {
    let answer: (() => void) | null = null;
    const { callsOf } = await openSearch('/?tab=bin', {
      answer: ({ route }) =>
        route.path === '/resource/patient/restore/:id'
          ? new Promise((done) => {
              answer = () => done({ id: gone.id });
            })
          : undefined,
    });
    const row = await rowNamed(/Sund, Eva/);
    expect(row.textContent).toContain('Göran Åkerblom');
    expect(row.textContent).toMatch(/2026-11-20 \d\d:15:30/);
    expect(within(row).queryByRole('link')).toBeNull();
    expect(callsOf('POST', '/resource/patient/search/deleted')[0]?.body).toMatchObject({
      sort: 'deletedAt',
      order: 'desc',
      customerId: clinic.id,
    });
    await userEvent.click(within(row).getByRole('button', { name: 'Restore Eva Sund' }));
    await waitFor(() => expect(screen.queryByRole('row', { name: /Sund, Eva/ })).toBeNull());
    answer = answer as (() => void) | null;
    answer?.();
    expect(await screen.findByText('Eva Sund is restored')).toBeTruthy();
    await userEvent.click(screen.getByRole('button', { name: 'Undo' }));
    await rowNamed(/Sund, Eva/);
    expect(callsOf('DELETE', '/resource/patient/delete/:id')).toHaveLength(1);
  });

  it('finds a just deleted record in the recycle bin', async () => {
    await openSearch('/');
    await chooseOf('Anna Lind', /Delete patient/);
    await userEvent.click(await screen.findByRole('button', { name: 'Delete' }));
    await waitFor(() => expect(screen.queryByRole('row', { name: /Lind, Anna/ })).toBeNull());
    await userEvent.click(screen.getByRole('tab', { name: 'Recycle bin' }));
    await userEvent.click(await screen.findByRole('button', { name: 'Restore Anna Lind' }));
    await waitFor(() => expect(screen.queryByRole('row', { name: /Lind, Anna/ })).toBeNull());
    await userEvent.click(screen.getByRole('tab', { name: 'All' }));
    await rowNamed(/Lind, Anna/);
  });

  it('shows a row again that another user restored', async () => {
    const { deletedIds } = await openSearch('/');
    await chooseOf('Anna Lind', /Delete patient/);
    await userEvent.click(await screen.findByRole('button', { name: 'Delete' }));
    await waitFor(() => expect(screen.queryByRole('row', { name: /Lind, Anna/ })).toBeNull());
    deletedIds.delete(anna.id);
    // Returning to the tab refetches the lists.
    document.dispatchEvent(new Event('visibilitychange', { bubbles: true }));
    await rowNamed(/Lind, Anna/);
  });

  it('hides a record being restored from replies that still contain it', async () => {
    let answer: (() => void) | null = null;
    const { callsOf } = await openSearch('/?tab=bin', {
      answer: ({ route }) =>
        route.path === '/resource/patient/restore/:id'
          ? new Promise<void>((done) => {
              answer = done;
            })
          : undefined,
    });
    await userEvent.click(await screen.findByRole('button', { name: 'Restore Eva Sund' }));
    await waitFor(() => expect(screen.queryByRole('row', { name: /Sund, Eva/ })).toBeNull());
    document.dispatchEvent(new Event('visibilitychange', { bubbles: true }));
    await waitFor(() => expect(callsOf('POST', '/resource/patient/search/deleted')).toHaveLength(2));
    await waitFor(() => expect(answer).not.toBeNull());
    expect(screen.queryByRole('row', { name: /Sund, Eva/ })).toBeNull();
    (answer as (() => void) | null)?.();
    expect(await screen.findByText('Eva Sund is restored')).toBeTruthy();
    expect(screen.queryByRole('row', { name: /Sund, Eva/ })).toBeNull();
  });

  it('shows the row again when restoring was rejected, with the reason', async () => {
    await openSearch('/?tab=bin', {
      answer: ({ route }) =>
        route.path === '/resource/patient/restore/:id' ? Promise.reject(refused('personal-number-taken')) : undefined,
    });
    await userEvent.click(await screen.findByRole('button', { name: 'Restore Eva Sund' }));
    expect(await screen.findByText(/personal number/i, { selector: '[role=alert] *' })).toBeTruthy();
    await rowNamed(/Sund, Eva/);
  });

  it('lists deleted studies', async () => {
    const { callsOf } = await openSearch('/?tab=bin&type=studies');
    const row = await rowNamed(/Kontroll/);
    await userEvent.click(within(row).getByRole('button', { name: 'Restore 2026-03-02 Kontroll, Anna Lind' }));
    await waitFor(() => expect(callsOf('PUT', '/resource/study/restore/:id')[0]?.params).toEqual({ id: goneStudy.id }));
  });

  it('lists deleted images, series and mounts with where they belong, and restores each', async () => {
    const { callsOf } = await openSearch('/?tab=bin');
    await userEvent.click(await screen.findByRole('radio', { name: 'Series, images, mounts' }));
    await screen.findByRole('heading', { name: 'Deleted series, images and mounts' });
    const texts = [
      ['image', 'Image Intraoral 4 16 17', /^Image Intraoral 4 16 17\s*1\s*2026-03-02 Kontroll\s*Lind, Anna/],
      ['series', 'Series Intraoral', /^Series Intraoral\s*3\s*2026-03-02 Kontroll/],
      ['viewset', 'Mount Full mouth', /^Mount Full mouth\s*3\s*2026-03-02 Kontroll/],
    ] as const;
    for (const [index, [kind, name, text]] of texts.entries()) {
      const row = await rowNamed(new RegExp(name.split(' ').slice(1).join(' '), 'i'));
      expect(row.textContent).toMatch(text);
      expect(row.textContent).toContain('2036-11-20');
      const restore = `Restore ${name}, 2026-03-02 Kontroll, Anna Lind`;
      await userEvent.click(within(row).getByRole('button', { name: restore }));
      await waitFor(() =>
        expect(callsOf('PUT', `/resource/${kind}/restore/:id`)[0]?.params).toEqual({ id: goneContents[index]?.id }),
      );
    }
  });

  it('disables restoring by kind, with the missing right', async () => {
    const permission = [...defaultClaims.CustomerAdmin, 'disable.delete_view_set'];
    await openSearch('/?tab=bin&type=contents', { permission });
    const mount = await screen.findByRole('button', { name: /^Restore Mount/ });
    expect(mount.getAttribute('aria-disabled') ?? mount.getAttribute('data-disabled')).toBeTruthy();
    const image = screen.getByRole('button', { name: /^Restore Image/ });
    expect(image.getAttribute('aria-disabled') ?? image.getAttribute('data-disabled')).toBeFalsy();
  });

  it('leaves the list of series, images and mounts with the recycle bin', async () => {
    await openSearch('/?tab=bin&type=contents');
    await userEvent.click(await screen.findByRole('tab', { name: 'All' }));
    await rowNamed(/Lind, Anna/);
    expect(screen.queryByRole('radio', { name: 'Series, images, mounts' })).toBeNull();
    expect(search().get('type')).toBeNull();
  });

  it('requires a claim for the recycle bin, and names it', async () => {
    await openSearch('/?tab=bin', { permission: defaultClaims.Doctor });
    expect(await screen.findByText(/Use the recycle bin/)).toBeTruthy();
    expect(screen.queryByRole('grid')).toBeNull();
  });

  it('shows deleted records below the results on request', async () => {
    const { callsOf } = await openSearch('/?q=sund');
    await rowNamed(/Lind, Anna/);
    await userEvent.click(screen.getByRole('checkbox', { name: 'Include deleted' }));
    const below = within(await screen.findByRole('region', { name: 'Also in the recycle bin' }));
    expect((await below.findByRole('listitem')).textContent).toContain('Eva Sund');
    expect(search().get('deleted')).toBe('1');
    expect(callsOf('POST', '/resource/patient/search/deleted')[0]?.body).toMatchObject({ q: 'sund' });
    await userEvent.click(below.getByRole('button', { name: 'Restore Eva Sund' }));
    await waitFor(() => expect(below.queryByRole('listitem')).toBeNull());
  });

  it('offers to merge, disabled with the reason without the claim', async () => {
    await openSearch('/', { permission: [...defaultClaims.CustomerAdmin, 'disable.move_study'] });
    await userEvent.click(await screen.findByRole('button', { name: 'More actions for Anna Lind' }));
    const item = await screen.findByRole<HTMLButtonElement>('menuitem', { name: /Move all studies/, hidden: true });
    expect(item.disabled).toBe(true);
    expect(item.textContent).toContain('Move studies');
  });
});
