import { screen } from '@testing-library/react';
import { afterEach, beforeEach, vi } from 'vitest';
import { type ListReply, useListPage } from '../../src/views/app/list-page.ts';
import { type ListRequest, useListUrlState } from '../../src/views/app/list-url-state.ts';
import { ListFooter } from '../../src/views/language/list-footer.tsx';
import { ListToolbar } from '../../src/views/language/list-toolbar.tsx';
import { useTableLabels } from '../../src/views/language/table-labels.ts';
import { type Column, useColumnChoice } from '../../src/views/ui/record-table/columns.ts';
import { RecordTable } from '../../src/views/ui/record-table/record-table.tsx';
import { useSelection } from '../../src/views/ui/record-table/selection.ts';

export interface User {
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

/** A list of users as the pages compose it: toolbar, table and footer. */
export const List = ({ answer, onOpen = () => {} }: ListProps) => {
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
export const archiveOf = (count: number) => {
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

export const rowOf = (name: string) => screen.findByRole('row', { name: new RegExp(`${name}\\b`) });

/** Empties storage and the URL before each test. Call it once in a test file. */
export const withEmptyList = () => {
  beforeEach(() => {
    localStorage.clear();
    window.history.replaceState(null, '', '/users');
  });
  afterEach(() => vi.restoreAllMocks());
};
