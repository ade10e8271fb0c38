import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { describe, expect, it } from 'vitest';
import { ServiceError } from '../../src/services/failure.ts';
import { archiveOf, List, rowOf, withEmptyList } from './list-fixture.tsx';
import { show } from './render.tsx';

withEmptyList();

describe('the URL state of a list', () => {
  it('steps forward by cursor, and back by page number', async () => {
    const { query, answer } = archiveOf(35);
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
    const { query, answer } = archiveOf(25);
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
    const { query, answer } = archiveOf(25);
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
    await show(<List answer={archiveOf(25).answer} />);
    await rowOf('Person 24');
    expect(window.location.search).toBe('?page=3');
    expect(window.history.length).toBe(steps);
  });

  it('shows that a list is longer than the counted rows', async () => {
    await show(<List answer={archiveOf(20_000).answer} />);
    expect(await screen.findByText('1–10 of 10,000+')).toBeTruthy();
  });
});
