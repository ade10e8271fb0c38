import { configure, fireEvent, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { csvCell } from '../../contract/csv.ts';
import { ServiceError } from '../../src/services/failure.ts';
import { ListBar } from '../../src/views/language/list-bar.tsx';
import { ListFoot } from '../../src/views/language/list-foot.tsx';
import { useTableWords } from '../../src/views/language/table-words.ts';
import { type ListReply, useListPage } from '../../src/views/list-page.ts';
import { type ListAsked, useListPlace } from '../../src/views/list-place.ts';
import { type Column, useColumnChoice } from '../../src/views/parts/record-table/columns.ts';
import { RecordTable } from '../../src/views/parts/record-table/record-table.tsx';
import { useSelection } from '../../src/views/parts/record-table/selection.ts';
import { show } from './render.tsx';

// The whole suite runs on all cores at once.
configure({ asyncUtilTimeout: 5_000 });

interface Person {
  readonly id: string;
  readonly name: string;
  readonly city: string;
}
type Sort = 'name' | 'city';

const people = (count: number): Person[] =>
  Array.from({ length: count }, (_, index) => ({
    id: `p${index}`,
    name: `Person ${index}`,
    city: `City ${index % 7}`,
  }));

const columns: readonly Column<Person, Sort>[] = [
  { key: 'name', name: 'Name', sort: 'name', text: ({ name }) => name },
  { key: 'city', name: 'City', sort: 'city', text: ({ city }) => city },
  { key: 'id', name: 'Id', byDefault: false, text: ({ id }) => id },
];

interface ListProps {
  readonly answer: (asked: ListAsked<Sort>) => Promise<ListReply<Person>>;
  readonly onOpen?: (person: Person) => void;
}

const List = ({ answer, onOpen = () => {} }: ListProps) => {
  const list = useListPlace<Sort>({ sorts: ['name', 'city'] });
  const read = (asked: ListAsked<Sort>) => ({ queryKey: ['people', asked], queryFn: () => answer(asked) });
  const found = useListPage(list, read);
  const choice = useColumnChoice('test-columns', columns);
  const selection = useSelection<Person>();
  return (
    <>
      <ListBar
        list={list}
        searchLabel="Find a person"
        columns={choice}
        csv={{ fileName: 'people', read, columns: choice, chosen: selection.chosen }}
      />
      <RecordTable
        label="People"
        rows={found.rows}
        isStale={found.isStale}
        awaited={10}
        columns={choice.shown}
        keyOf={({ id }) => id}
        nameOf={({ name }) => name}
        words={useTableWords()}
        sorting={{ by: list.sort, order: list.order, onSort: (sort, order) => list.change({ sort, order }) }}
        selection={selection}
        onOpen={onOpen}
        actions={({ name }) => <button type="button">More {name}</button>}
      />
      <ListFoot list={list} reply={found.reply} chosen={selection.chosen.size} />
    </>
  );
};

/** A list of so many people that answers like the archive: by number of the page, or from a sealed place on. */
const archive = (count: number) => {
  const all = people(count);
  const asked: ListAsked<Sort>[] = [];
  const answer = async (wanted: ListAsked<Sort>): Promise<ListReply<Person>> => {
    asked.push(wanted);
    const from = wanted.after ? Number(wanted.after.slice('from '.length)) : (wanted.page - 1) * wanted.ppage;
    const to = from + wanted.ppage;
    return {
      data: all.slice(from, to),
      totalCount: Math.min(count, 10_000),
      isTotalExact: count <= 10_000,
      next: to < count ? `from ${to}` : null,
    };
  };
  return { asked, answer };
};

const rowOf = (name: string) => screen.findByRole('row', { name: new RegExp(`${name}\\b`) });
const isTicked = (row: HTMLElement) => row.getAttribute('aria-selected') === 'true';

beforeEach(() => {
  localStorage.clear();
  window.history.replaceState(null, '', '/people');
});
afterEach(() => vi.restoreAllMocks());

describe('a table of records', () => {
  it('opens a row by a click or Enter, and leaves alone what is a button of its own', async () => {
    const onOpen = vi.fn<(person: Person) => void>();
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

  it('is walked and ticked by keys alone', async () => {
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

  it('ticks a range with Shift, and all of a page at its head', async () => {
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

  it('says at its headings how it is sorted, and turns the order round', async () => {
    const { asked, answer } = archive(5);
    await show(<List answer={answer} />);
    await rowOf('Person 0');
    const heading = (name: string) => screen.getByRole('columnheader', { name });
    expect(heading('Name').getAttribute('aria-sort')).toBe('ascending');
    await userEvent.click(screen.getByRole('button', { name: 'City' }));
    await userEvent.click(screen.getByRole('button', { name: 'City' }));
    expect(heading('City').getAttribute('aria-sort')).toBe('descending');
    expect(heading('Name').hasAttribute('aria-sort')).toBe(false);
    expect(asked.at(-1)).toMatchObject({ sort: 'city', order: 'desc', page: 1 });
    expect(window.location.search).toBe('?sort=city&order=desc');
  });

  it('remembers which columns were chosen', async () => {
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

  it('draws of a long page what is in sight, and goes to its end by one key', async () => {
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
    window.history.replaceState(null, '', '/people?ppage=500');
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

describe('the place in a list', () => {
  it('steps forward from where the archive said that the next page begins, and back by number', async () => {
    const { asked, answer } = archive(35);
    await show(<List answer={answer} />);
    await rowOf('Person 0');
    expect(screen.getByText('1–10 of 35')).toBeTruthy();
    await userEvent.click(screen.getByRole('button', { name: 'Next page' }));
    await rowOf('Person 10');
    expect(asked.at(-1)).toMatchObject({ page: 2, after: 'from 10' });
    expect(window.location.search).toBe('?page=2');
    await userEvent.click(screen.getByRole('button', { name: 'Next page' }));
    await rowOf('Person 20');
    window.history.back();
    await rowOf('Person 10');
    await userEvent.click(screen.getByRole('button', { name: 'First page' }));
    await rowOf('Person 0');
    expect(window.location.search).toBe('');
  });

  it('is read anew by number when the archive no longer knows the place', async () => {
    const { asked, answer } = archive(25);
    await show(
      <List
        answer={async (wanted) => {
          if (wanted.after) {
            asked.push(wanted);
            throw new ServiceError({ kind: 'refused', status: 400, code: 'invalid-request', errors: [] });
          }
          return answer(wanted);
        }}
      />,
    );
    await rowOf('Person 0');
    await userEvent.click(screen.getByRole('button', { name: 'Next page' }));
    await rowOf('Person 10');
    expect(asked.slice(-2).map(({ page, after }) => [page, after])).toEqual([
      [2, 'from 10'],
      [2, undefined],
    ]);
  });

  it('keeps words in the address, and digits beside it', async () => {
    const { asked, answer } = archive(25);
    await show(<List answer={answer} />);
    await rowOf('Person 0');
    const field = screen.getByRole('searchbox', { name: 'Find a person' });
    await userEvent.type(field, 'anna ');
    await waitFor(() => expect(asked.at(-1)).toMatchObject({ q: 'anna', page: 1 }));
    expect(window.location.search).toBe('?q=anna');
    await userEvent.type(field, 'li');
    expect(field).toHaveProperty('value', 'anna li');
    await userEvent.clear(field);
    await userEvent.type(field, '19850423{Enter}');
    await waitFor(() => expect(asked.at(-1)).toMatchObject({ q: '19850423' }));
    expect(window.location.href).not.toContain('1985');
    expect(field).toHaveProperty('value', '19850423');
  });

  it('goes to the last page when the one of the address is not there any more', async () => {
    window.history.replaceState(null, '', '/people?page=9');
    const steps = window.history.length;
    await show(<List answer={archive(25).answer} />);
    await rowOf('Person 24');
    expect(window.location.search).toBe('?page=3');
    expect(window.history.length).toBe(steps);
  });

  it('says that a list is longer than what was counted', async () => {
    await show(<List answer={archive(20_000).answer} />);
    expect(await screen.findByText('1–10 of 10,000+')).toBeTruthy();
  });
});

describe('a list as a file', () => {
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

  it('walks to the end of the list, with the search and the order of the table', async () => {
    const files = saved();
    const { asked, answer } = archive(1_234);
    window.history.replaceState(null, '', '/people?q=an&sort=city&page=3');
    await show(<List answer={answer} />);
    await rowOf('Person 20');
    await userEvent.click(screen.getByRole('button', { name: 'Export CSV' }));
    await waitFor(() => expect(files[0]?.name).toMatch(/^people-\d{4}-\d\d-\d\d\.csv$/));
    const lines = (await textOf(files[0]?.blob)).split('\r\n');
    expect(lines[0]).toBe('\uFEFFName;City');
    expect(lines).toHaveLength(1_236);
    expect(lines[1_234]).toBe('Person 1233;City 1');
    expect(asked.slice(-3).map(({ q, sort, ppage, after }) => [q, sort, ppage, after])).toEqual([
      ['an', 'city', 500, undefined],
      ['an', 'city', 500, 'from 500'],
      ['an', 'city', 500, 'from 1000'],
    ]);
  });

  it('holds the ticked rows alone where there are any', async () => {
    const files = saved();
    await show(<List answer={archive(9).answer} />);
    await userEvent.click(await screen.findByRole('checkbox', { name: 'Select Person 3' }));
    await userEvent.click(screen.getByRole('button', { name: 'Export 1 selected' }));
    expect(await textOf(files[0]?.blob)).toBe('\uFEFFName;City\r\nPerson 3;City 3\r\n');
  });

  it('can be stopped on the way, and then saves nothing', async () => {
    const files = saved();
    const { answer } = archive(5_000);
    let letOn = () => {};
    const held = new Promise<void>((resolve) => {
      letOn = resolve;
    });
    await show(
      <List
        answer={async (wanted) => {
          if (wanted.after === 'from 500') await held;
          return answer(wanted);
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

  it('holds nothing that a spreadsheet would run', () => {
    expect(['=1+1', '+46 8 123', ' @sum', 'a;b', 'plain'].map(csvCell)).toEqual([
      `"'=1+1"`,
      `"'+46 8 123"`,
      `"' @sum"`,
      '"a;b"',
      'plain',
    ]);
  });
});
