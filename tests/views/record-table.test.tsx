import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { describe, expect, it, vi } from 'vitest';
import { archiveOf, List, rowOf, type User, withEmptyList } from './list-fixture.tsx';
import { show } from './render.tsx';

withEmptyList();

const isTicked = (row: HTMLElement) => row.getAttribute('aria-selected') === 'true';

describe('a table of records', () => {
  it('opens a row by click or Enter, except on its own buttons', async () => {
    const onOpen = vi.fn<(user: User) => void>();
    await show(<List answer={archiveOf(5).answer} onOpen={onOpen} />);
    const row = await rowOf('Person 2');
    await userEvent.click(within(row).getByText('City 2'));
    expect(onOpen).toHaveBeenLastCalledWith(expect.objectContaining({ id: 'p2' }));
    await userEvent.click(within(row).getByRole('button', { name: 'More Person 2' }));
    expect(onOpen).toHaveBeenCalledTimes(1);
    row.focus();
    await userEvent.keyboard('{ArrowDown}{Enter}');
    expect(onOpen).toHaveBeenLastCalledWith(expect.objectContaining({ id: 'p3' }));
    await userEvent.click(screen.getByRole('button', { name: 'Person 4' }));
    expect(onOpen).toHaveBeenCalledTimes(3);
  });

  it('opens by Enter the row that has the focus, also one that a screen reader focused', async () => {
    const onOpen = vi.fn<(user: User) => void>();
    await show(<List answer={archiveOf(5).answer} onOpen={onOpen} />);
    (await rowOf('Person 3')).focus();
    await userEvent.keyboard('{Enter}');
    expect(onOpen).toHaveBeenLastCalledWith(expect.objectContaining({ id: 'p3' }));
    await userEvent.keyboard('{ArrowDown}{Enter}');
    expect(onOpen).toHaveBeenLastCalledWith(expect.objectContaining({ id: 'p4' }));
  });

  it('is navigated and selected by keys alone', async () => {
    await show(<List answer={archiveOf(6).answer} />);
    (await rowOf('Person 0')).focus();
    await userEvent.keyboard('{ArrowDown} {Shift>}{ArrowDown}{ArrowDown}{/Shift}');
    expect(await Promise.all([0, 1, 2, 3, 4].map(async (one) => isTicked(await rowOf(`Person ${one}`))))).toEqual([
      false,
      true,
      true,
      true,
      false,
    ]);
    expect(document.activeElement).toBe(await rowOf('Person 3'));
    await userEvent.keyboard('{Home}');
    expect(document.activeElement).toBe(await rowOf('Person 0'));
    await userEvent.keyboard('{Control>}a{/Control}');
    expect(screen.getByText('6 selected')).toBeTruthy();
  });

  it('selects a range with Shift, and the whole page at its head', async () => {
    await show(<List answer={archiveOf(8).answer} />);
    await userEvent.click(await screen.findByRole('checkbox', { name: 'Select Person 1' }));
    fireEvent.click(screen.getByRole('checkbox', { name: 'Select Person 4' }), { shiftKey: true });
    expect(screen.getByText('4 selected')).toBeTruthy();
    const every = screen.getByRole<HTMLInputElement>('checkbox', { name: 'Select all on this page' });
    expect(every.indeterminate).toBe(true);
    await userEvent.click(every);
    expect(screen.getByText('8 selected')).toBeTruthy();
    await userEvent.click(every);
    expect(screen.queryByText(/selected$/)).toBeNull();
  });

  it('shows the sort order at its headings, and reverses it', async () => {
    const { query, answer } = archiveOf(5);
    await show(<List answer={answer} />);
    await rowOf('Person 0');
    const heading = (name: string) => screen.getByRole('columnheader', { name });
    expect(heading('Name').getAttribute('aria-sort')).toBe('ascending');
    await userEvent.click(screen.getByRole('button', { name: 'City' }));
    await userEvent.click(screen.getByRole('button', { name: 'City' }));
    expect(heading('City').getAttribute('aria-sort')).toBe('descending');
    expect(heading('Name').hasAttribute('aria-sort')).toBe(false);
    expect(query.at(-1)).toMatchObject({ sort: 'city', order: 'desc', page: 1 });
    expect(window.location.search).toBe('?sort=city&order=desc');
  });

  it('stores the chosen columns', async () => {
    const first = await show(<List answer={archiveOf(2).answer} />);
    await rowOf('Person 0');
    expect(screen.queryByRole('columnheader', { name: 'Id' })).toBeNull();
    await userEvent.click(screen.getByRole('button', { name: 'Columns' }));
    await userEvent.click(await screen.findByRole('menuitemcheckbox', { name: 'Id', hidden: true }));
    await userEvent.click(screen.getByRole('menuitemcheckbox', { name: 'City', hidden: true }));
    first.unmount();
    await show(<List answer={archiveOf(2).answer} />);
    await rowOf('Person 0');
    expect(screen.getByRole('columnheader', { name: 'Id' })).toBeTruthy();
    expect(screen.queryByRole('columnheader', { name: 'City' })).toBeNull();
    expect(screen.queryByRole('menuitemcheckbox', { name: 'Name', hidden: true })).toBeNull();
  });

  it('renders only the visible rows of a long page, and jumps to its end by one key', async () => {
    vi.spyOn(HTMLElement.prototype, 'offsetHeight', 'get').mockImplementation(function (this: HTMLElement) {
      return this.tagName === 'TR' ? 37 : 600;
    });
    vi.spyOn(HTMLElement.prototype, 'offsetWidth', 'get').mockReturnValue(900);
    vi.spyOn(HTMLElement.prototype, 'scrollHeight', 'get').mockReturnValue(500 * 37);
    vi.spyOn(HTMLElement.prototype, 'clientHeight', 'get').mockReturnValue(600);
    HTMLElement.prototype.scrollTo = function (this: HTMLElement, to?: ScrollToOptions | number) {
      this.scrollTop = typeof to === 'object' ? (to.top ?? 0) : 0;
      fireEvent.scroll(this);
    } as HTMLElement['scrollTo'];
    window.history.replaceState(null, '', '/users?ppage=500');
    await show(<List answer={archiveOf(500).answer} />);
    (await rowOf('Person 0')).focus();
    expect(screen.getAllByRole('row').length).toBeLessThan(80);
    expect(screen.getByRole('grid').getAttribute('aria-rowcount')).toBe('501');
    await userEvent.keyboard('{End}');
    const last = await rowOf('Person 499');
    await waitFor(() => expect(document.activeElement).toBe(last));
    expect(last.getAttribute('aria-rowindex')).toBe('501');
    expect(screen.getAllByRole('row').length).toBeLessThan(80);
  });
});
