import { configure, fireEvent, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { csvCell } from '../../contract/csv.ts';
import { ServiceError } from '../../src/services/failure.ts';
import { type ListReply, useListPage } from '../../src/views/app/list-page.ts';
import { type ListRequest, useListUrlState } from '../../src/views/app/list-url-state.ts';
import { ListFooter } from '../../src/views/language/list-footer.tsx';
import { ListToolbar } from '../../src/views/language/list-toolbar.tsx';
import { useTableLabels } from '../../src/views/language/table-labels.ts';
import { type Column, useColumnChoice } from '../../src/views/ui/record-table/columns.ts';
import { RecordTable } from '../../src/views/ui/record-table/record-table.tsx';
import { useSelection } from '../../src/views/ui/record-table/selection.ts';
import { show } from './render.tsx';

// The whole suite runs on all cores at once.
configure({ asyncUtilTimeout: 5_000 });

interface User {
  readonly id: string;
  readonly name: string;
  readonly city: string;
}
type Sort = 'name' | 'city';

const users = (count: number): User[] =>
  Array.from({ length: count }, (_, index) => ({
    id: `p${index}`,
    name: `Person ${index}`,
    city: `City ${index % 7}`,
  }));

const columns: readonly Column<User, Sort>[] = [
  { key: 'name', name: 'Name', sort: 'name', text: ({ name }) => name },
  { key: 'city', name: 'City', sort: 'city', text: ({ city }) => city },
  { key: 'id', name: 'Id', byDefault: false, text: ({ id }) => id },
];

interface ListProps {
  readonly answer: (query: ListRequest<Sort>) => Promise<ListReply<User>>;
  readonly onOpen?: (user: User) => void;
}

const List = ({ answer, onOpen = () => {} }: ListProps) => {
  const list = useListUrlState<Sort>({ sorts: ['name', 'city'] });
  const read = (query: ListRequest<Sort>) => ({ queryKey: ['users', query], queryFn: () => answer(query) });
  const found = useListPage(list, read);
  const choice = useColumnChoice('test-columns', columns);
  const selection = useSelection<User>();
  return (
    <>
      <ListToolbar
        list={list}
        searchLabel="Find a person"
        columns={choice}
        csv={{ fileName: 'users', read, columns: choice, chosen: selection.chosen }}
      />
      <RecordTable
        label="People"
        rows={found.rows}
        isStale={found.isStale}
        awaited={10}
        columns={choice.shown}
        keyOf={({ id }) => id}
        nameOf={({ name }) => name}
        words={useTableLabels()}
        sorting={{ by: list.sort, order: list.order, onSort: (sort, order) => list.change({ sort, order }) }}
        selection={selection}
        onOpen={onOpen}
        actions={({ name }) => <button type="button">More {name}</button>}
      />
      <ListFooter list={list} reply={found.reply} chosen={selection.chosen.size} />
    </>
  );
};

/** A list of `count` users that answers like the server: by page number or cursor. */
const archive = (count: number) => {
  const all = users(count);
  const query: ListRequest<Sort>[] = [];
  const answer = async (expected: ListRequest<Sort>): Promise<ListReply<User>> => {
    query.push(expected);
    const from = expected.after ? Number(expected.after.slice('from '.length)) : (expected.page - 1) * expected.ppage;
    const to = from + expected.ppage;
    return {
      data: all.slice(from, to),
      totalCount: Math.min(count, 10_000),
      isTotalExact: count <= 10_000,
      next: to < count ? `from ${to}` : null,
    };
  };
  return { query, answer };
};

const rowOf = (name: string) => screen.findByRole('row', { name: new RegExp(`${name}\\b`) });
const isTicked = (row: HTMLElement) => row.getAttribute('aria-selected') === 'true';

beforeEach(() => {
  localStorage.clear();
  window.history.replaceState(null, '', '/users');
});
afterEach(() => vi.restoreAllMocks());

describe('a table of records', () => {
  it('opens a row by click or Enter, except on its own buttons', async () => {
    const onOpen = vi.fn<(user: User) => void>();
    await show(<List answer={archive(5).answer} onOpen={onOpen} />);
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

  it('is navigated and selected by keys alone', async () => {
    await show(<List answer={archive(6).answer} />);
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
    await show(<List answer={archive(8).answer} />);
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
    const { query, answer } = archive(5);
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
    const first = await show(<List answer={archive(2).answer} />);
    await rowOf('Person 0');
    expect(screen.queryByRole('columnheader', { name: 'Id' })).toBeNull();
    await userEvent.click(screen.getByRole('button', { name: 'Columns' }));
    await userEvent.click(await screen.findByRole('menuitemcheckbox', { name: 'Id', hidden: true }));
    await userEvent.click(screen.getByRole('menuitemcheckbox', { name: 'City', hidden: true }));
    first.unmount();
    await show(<List answer={archive(2).answer} />);
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
    await show(<List answer={archive(500).answer} />);
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

describe('the URL state of a list', () => {
  it('steps forward by cursor, and back by page number', async () => {
    const { query, answer } = archive(35);
    await show(<List answer={answer} />);
    await rowOf('Person 0');
    expect(screen.getByText('1–10 of 35')).toBeTruthy();
    await userEvent.click(screen.getByRole('button', { name: 'Next page' }));
    await rowOf('Person 10');
    expect(query.at(-1)).toMatchObject({ page: 2, after: 'from 10' });
    expect(window.location.search).toBe('?page=2');
    await userEvent.click(screen.getByRole('button', { name: 'Next page' }));
    await rowOf('Person 20');
    window.history.back();
    await rowOf('Person 10');
    await userEvent.click(screen.getByRole('button', { name: 'First page' }));
    await rowOf('Person 0');
    expect(window.location.search).toBe('');
  });

  it('is loaded by page number when the server no longer knows the cursor', async () => {
    const { query, answer } = archive(25);
    await show(
      <List
        answer={async (expected) => {
          if (expected.after) {
            query.push(expected);
            throw new ServiceError({ kind: 'refused', status: 400, code: 'invalid-request', errors: [] });
          }
          return answer(expected);
        }}
      />,
    );
    await rowOf('Person 0');
    await userEvent.click(screen.getByRole('button', { name: 'Next page' }));
    await rowOf('Person 10');
    expect(query.slice(-2).map(({ page, after }) => [page, after])).toEqual([
      [2, 'from 10'],
      [2, undefined],
    ]);
  });

  it('keeps words in the URL, and digits in history state', async () => {
    const { query, answer } = archive(25);
    await show(<List answer={answer} />);
    await rowOf('Person 0');
    const field = screen.getByRole('searchbox', { name: 'Find a person' });
    await userEvent.type(field, 'anna ');
    await waitFor(() => expect(query.at(-1)).toMatchObject({ q: 'anna', page: 1 }));
    expect(window.location.search).toBe('?q=anna');
    await userEvent.type(field, 'li');
    expect(field).toHaveProperty('value', 'anna li');
    await userEvent.clear(field);
    await userEvent.type(field, '19850423{Enter}');
    await waitFor(() => expect(query.at(-1)).toMatchObject({ q: '19850423' }));
    expect(window.location.href).not.toContain('1985');
    expect(field).toHaveProperty('value', '19850423');
  });

  it('goes to the last page when the one in the URL does not exist', async () => {
    window.history.replaceState(null, '', '/users?page=9');
    const steps = window.history.length;
    await show(<List answer={archive(25).answer} />);
    await rowOf('Person 24');
    expect(window.location.search).toBe('?page=3');
    expect(window.history.length).toBe(steps);
  });

  it('shows that a list is longer than the counted rows', async () => {
    await show(<List answer={archive(20_000).answer} />);
    expect(await screen.findByText('1–10 of 10,000+')).toBeTruthy();
  });
});

describe('the CSV export of a list', () => {
  const saved = () => {
    const files: { blob: Blob; name: string }[] = [];
    URL.createObjectURL = (blob) => {
      files.push({ blob: blob as Blob, name: '' });
      return 'blob:test';
    };
    URL.revokeObjectURL = () => {};
    vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function (this: HTMLAnchorElement) {
      const last = files.at(-1);
      if (last) last.name = this.download;
    });
    return files;
  };
  const textOf = async (blob: Blob | undefined) =>
    new TextDecoder('utf-8', { ignoreBOM: true }).decode(await blob?.arrayBuffer());

  it('reads the whole list, with search and order of the table', async () => {
    const files = saved();
    const { query, answer } = archive(1_234);
    window.history.replaceState(null, '', '/users?q=an&sort=city&page=3');
    await show(<List answer={answer} />);
    await rowOf('Person 20');
    await userEvent.click(screen.getByRole('button', { name: 'Export CSV' }));
    await waitFor(() => expect(files[0]?.name).toMatch(/^users-\d{4}-\d\d-\d\d\.csv$/));
    const lines = (await textOf(files[0]?.blob)).split('\r\n');
    expect(lines[0]).toBe('\uFEFFName;City');
    expect(lines).toHaveLength(1_236);
    expect(lines[1_234]).toBe('Person 1233;City 1');
    expect(query.slice(-3).map(({ q, sort, ppage, after }) => [q, sort, ppage, after])).toEqual([
      ['an', 'city', 500, undefined],
      ['an', 'city', 500, 'from 500'],
      ['an', 'city', 500, 'from 1000'],
    ]);
  });

  it('contains only the selected rows, if any', async () => {
    const files = saved();
    await show(<List answer={archive(9).answer} />);
    await userEvent.click(await screen.findByRole('checkbox', { name: 'Select Person 3' }));
    await userEvent.click(screen.getByRole('button', { name: 'Export 1 selected' }));
    expect(await textOf(files[0]?.blob)).toBe('\uFEFFName;City\r\nPerson 3;City 3\r\n');
  });

  it('saves nothing when it is stopped', async () => {
    const files = saved();
    const { answer } = archive(5_000);
    let letOn = () => {};
    const held = new Promise<void>((resolve) => {
      letOn = resolve;
    });
    await show(
      <List
        answer={async (expected) => {
          if (expected.after === 'from 500') await held;
          return answer(expected);
        }}
      />,
    );
    await rowOf('Person 0');
    await userEvent.click(screen.getByRole('button', { name: 'Export CSV' }));
    await userEvent.click(await screen.findByRole('button', { name: /Stop the export.*500 of 5,000/ }));
    letOn();
    expect(await screen.findByRole('button', { name: 'Export CSV' })).toBeTruthy();
    expect(files).toEqual([]);
  });

  it('contains no formulas that a spreadsheet would run', () => {
    expect(['=1+1', '+46 8 123', ' @sum', 'a;b', 'plain'].map(csvCell)).toEqual([
      `"'=1+1"`,
      `"'+46 8 123"`,
      `"' @sum"`,
      '"a;b"',
      'plain',
    ]);
  });
});
