import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { describe, expect, it, vi } from 'vitest';
import { csvCell } from '../../contract/csv.ts';
import { archiveOf, List, rowOf, withEmptyList } from './list-fixture.tsx';
import { show } from './render.tsx';

withEmptyList();

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
    const { query, answer } = archiveOf(1_234);
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
    await show(<List answer={archiveOf(9).answer} />);
    await userEvent.click(await screen.findByRole('checkbox', { name: 'Select Person 3' }));
    await userEvent.click(screen.getByRole('button', { name: 'Export 1 selected' }));
    expect(await textOf(files[0]?.blob)).toBe('\uFEFFName;City\r\nPerson 3;City 3\r\n');
  });

  it('saves nothing when it is stopped', async () => {
    const files = saved();
    const { answer } = archiveOf(5_000);
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
