import type { ReactNode } from 'react';
import { useStoredText } from '../stored-state.ts';

/** A column of a record table. */
export interface Column<Row, Sort extends string = string> {
  readonly key: string;
  /** Its heading, translated. */
  readonly name: string;
  /** The server's sort key; not sortable when omitted. */
  readonly sort?: Sort;
  /** The cell as text, for export and for cells without `render`. */
  readonly text: (row: Row) => string;
  readonly render?: (row: Row) => ReactNode;
  /** Shown by default; true when omitted. The first column is always shown. */
  readonly byDefault?: boolean;
  /** Also shown in a narrow table. The first column always is. */
  readonly narrow?: boolean;
  /** Width in a narrow table, in CSS pixels; other columns share the rest. */
  readonly narrowWidth?: number;
  /** Relative width; 1 when omitted. */
  readonly widthShare?: number;
  /** Numbers are right-aligned. */
  readonly isNumber?: boolean;
}

export interface ColumnChoice<Row, Sort extends string = string> {
  readonly all: readonly Column<Row, Sort>[];
  readonly shown: readonly Column<Row, Sort>[];
  readonly isShown: (key: string) => boolean;
  readonly toggle: (key: string) => void;
}

/** Stores the chosen columns in this browser under `key`. New columns use their default. */
export const useColumnChoice = <Row, Sort extends string>(
  key: string,
  all: readonly Column<Row, Sort>[],
): ColumnChoice<Row, Sort> => {
  // Only differences from the default are stored: `+key` shown, `-key` hidden.
  const [stored, store] = useStoredText(key, '');
  const changed = new Set(stored.split(',').filter(Boolean));
  const [first] = all;
  const isShown = (columnKey: string): boolean => {
    if (columnKey === first?.key || changed.has(`+${columnKey}`)) return true;
    const column = all.find((one) => one.key === columnKey);
    return column !== undefined && column.byDefault !== false && !changed.has(`-${columnKey}`);
  };
  const toggle = (columnKey: string) => {
    const byDefault = all.find((one) => one.key === columnKey)?.byDefault !== false;
    const mark = `${byDefault ? '-' : '+'}${columnKey}`;
    if (!changed.delete(mark)) changed.add(mark);
    store([...changed].join(','));
  };
  return { all, shown: all.filter((column) => isShown(column.key)), isShown, toggle };
};
