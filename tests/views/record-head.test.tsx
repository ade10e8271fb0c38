import { render, screen } from '@testing-library/react';
import { expect, it } from 'vitest';
import type { Column } from '../../src/views/ui/record-table/columns.ts';
import { RecordHead } from '../../src/views/ui/record-table/record-head.tsx';

type Row = readonly string[];

const text = () => '';
const name: Column<Row> = { key: 'name', name: 'Name', widthShare: 3, text };
const number: Column<Row> = { key: 'number', name: 'Number', narrowWidth: 132, text };

const widths = (columns: readonly Column<Row>[], isNarrow: boolean) => {
  const { unmount } = render(
    <table>
      <RecordHead columns={columns} sorting={undefined} isNarrow={isNarrow} />
    </table>,
  );
  const found = screen.getAllByRole('columnheader').map((head) => head.style.width);
  unmount();
  return found;
};

it('columns share the width; in a narrow table `narrowWidth` applies', () => {
  expect(widths([name, number], false)).toEqual(['75%', '25%']);
  expect(widths([name, number], true)).toEqual(['', '132px']);
  expect(widths([name], true)).toEqual(['100%']);
});
