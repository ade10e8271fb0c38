import { useState } from 'react';

/** Rows that were ticked, by key; they stay ticked while one turns pages. */
export type Chosen<Row> = ReadonlyMap<string, Row>;

export interface Selection<Row> {
  readonly chosen: Chosen<Row>;
  readonly onChange: (chosen: Chosen<Row>) => void;
}

export const useSelection = <Row>(): Selection<Row> => {
  const [chosen, onChange] = useState<Chosen<Row>>(() => new Map());
  return { chosen, onChange };
};

/** `chosen` with all `rows` ticked, or with none of them. */
export const withRows = <Row>(
  chosen: Chosen<Row>,
  rows: readonly Row[],
  keyOf: (row: Row) => string,
  ticked: boolean,
): Chosen<Row> => {
  const next = new Map(chosen);
  for (const row of rows) {
    if (ticked) next.set(keyOf(row), row);
    else next.delete(keyOf(row));
  }
  return next;
};

/** The rows from one index to another, whichever comes first; both included. */
export const rowsBetween = <Row>(rows: readonly Row[], one: number, other: number): readonly Row[] =>
  rows.slice(Math.min(one, other), Math.max(one, other) + 1);
