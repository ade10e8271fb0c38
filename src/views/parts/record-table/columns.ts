import type { ReactNode } from 'react';
import { useStoredText } from '../stored-state.ts';

/** A column of a table of records. */
export interface Column<Row, Sort extends string = string> {
  readonly key: string;
  /** Its heading, in the reader's language. */
  readonly name: string;
  /** By what the archive sorts when its heading is pressed; none: it cannot be sorted by. */
  readonly sort?: Sort;
  /** The cell in words: for files, and for the cell itself where nothing draws it. */
  readonly text: (row: Row) => string;
  readonly render?: (row: Row) => ReactNode;
  /** Shown to somebody who has not chosen columns; true when left out. The first column is always shown. */
  readonly byDefault?: boolean;
  /** Shown in a narrow box too (a phone, a list beside something). The first column always is. */
  readonly narrow?: boolean;
  /** Its width in a narrow box, in CSS pixels, where all of it must be read; the others share what is left. */
  readonly narrowWidth?: number;
  /** Its share of the width beside the others; 1 when left out. */
  readonly share?: number;
  /** Numbers stand at the end of their cell. */
  readonly isNumber?: boolean;
}

export interface ColumnChoice<Row, Sort extends string = string> {
  readonly all: readonly Column<Row, Sort>[];
  readonly shown: readonly Column<Row, Sort>[];
  readonly isShown: (key: string) => boolean;
  readonly toggle: (key: string) => void;
}

/** Which columns a person wants to see; this browser remembers it under `key`. A column that is new since then is shown as it is by default. */
export const useColumnChoice = <Row, Sort extends string>(
  key: string,
  all: readonly Column<Row, Sort>[],
): ColumnChoice<Row, Sort> => {
  // Only what differs from the default is remembered: `+key` is shown although it is not by default, `-key` the reverse.
  const [stored, store] = useStoredText(key, '');
  const changed = new Set(stored.split(',').filter(Boolean));
  const [first] = all;
  const isShown = (wanted: string): boolean => {
    if (wanted === first?.key || changed.has(`+${wanted}`)) return true;
    const column = all.find((one) => one.key === wanted);
    return column !== undefined && column.byDefault !== false && !changed.has(`-${wanted}`);
  };
  const toggle = (wanted: string) => {
    const byDefault = all.find((one) => one.key === wanted)?.byDefault !== false;
    const mark = `${byDefault ? '-' : '+'}${wanted}`;
    if (!changed.delete(mark)) changed.add(mark);
    store([...changed].join(','));
  };
  return { all, shown: all.filter((column) => isShown(column.key)), isShown, toggle };
};
