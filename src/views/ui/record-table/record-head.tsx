import IconArrowDown from '@tabler/icons-react/dist/esm/icons/IconArrowDown.mjs';
import IconArrowUp from '@tabler/icons-react/dist/esm/icons/IconArrowUp.mjs';
import type { ListOrder } from '../../../../contract/lists.ts';
import type { Column } from './columns.ts';
import classes from './record-table.module.css';

export interface Sorting<Sort extends string> {
  readonly by: Sort;
  readonly order: ListOrder;
  readonly onSort: (by: Sort, order: ListOrder) => void;
}

interface RecordHeadProps<Row, Sort extends string> {
  readonly columns: readonly Column<Row, Sort>[];
  readonly sorting: Sorting<Sort> | undefined;
  /** Selects or clears all rows of the page; omitted where rows cannot be selected. */
  readonly everyRow?: {
    readonly label: string;
    readonly state: 'all' | 'some' | 'none';
    readonly onToggle: () => void;
  };
  /** In a narrow table columns use `narrowWidth` instead of their share. */
  readonly isNarrow?: boolean;
  /** Label of the actions column; omitted where there is none. */
  readonly actionsName?: string | undefined;
}

/** Table headings; pressing the sorted one reverses the order. */
export const RecordHead = <Row, Sort extends string>(props: RecordHeadProps<Row, Sort>) => {
  const { columns, sorting, everyRow, actionsName, isNarrow = false } = props;
  const shares = columns.reduce((sum, column) => sum + (column.widthShare ?? 1), 0);
  const hasWidths = isNarrow && columns.some((column) => column.narrowWidth);
  return (
    <thead>
      <tr>
        {everyRow && (
          <th scope="col" className={classes.tick}>
            <label className={classes.tickArea}>
              <input
                type="checkbox"
                aria-label={everyRow.label}
                checked={everyRow.state === 'all'}
                ref={(box) => {
                  if (box) box.indeterminate = everyRow.state === 'some';
                }}
                onChange={everyRow.onToggle}
              />
            </label>
          </th>
        )}
        {columns.map(({ key, name, sort, widthShare: share = 1, narrowWidth, isNumber }) => {
          const isSorted = sort !== undefined && sorting?.by === sort;
          const Arrow = sorting?.order === 'desc' ? IconArrowDown : IconArrowUp;
          return (
            <th
              key={key}
              scope="col"
              style={{ width: hasWidths ? narrowWidth : `${(100 * share) / shares}%` }}
              data-number={isNumber || undefined}
              aria-sort={isSorted ? (sorting.order === 'asc' ? 'ascending' : 'descending') : undefined}
            >
              {sort !== undefined && sorting ? (
                <button
                  type="button"
                  className={classes.sort}
                  onClick={() => sorting.onSort(sort, isSorted && sorting.order === 'asc' ? 'desc' : 'asc')}
                >
                  <span>{name}</span>
                  {isSorted && <Arrow aria-hidden="true" />}
                </button>
              ) : (
                name
              )}
            </th>
          );
        })}
        {actionsName !== undefined && (
          <th scope="col" className={classes.actions}>
            <span className={classes.visuallyHidden}>{actionsName}</span>
          </th>
        )}
      </tr>
    </thead>
  );
};
