import { TextInput } from '@mantine/core';
import IconSearch from '@tabler/icons-react/dist/esm/icons/IconSearch.mjs';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { bounds } from '../../../contract/bounds.ts';
import type { ReadList } from '../list-page.ts';
import type { ListPlace } from '../list-place.ts';
import type { ColumnChoice } from '../parts/record-table/columns.ts';
import { ColumnMenu } from './column-menu.tsx';
import { CsvExport } from './csv-export.tsx';
import classes from './list-bar.module.css';

interface ListBarProps<Row, Sort extends string> {
  readonly list: ListPlace<Sort>;
  /** What the search field says: "Find a clinic". */
  readonly searchLabel: string;
  readonly columns?: ColumnChoice<Row, Sort>;
  /** The list as a file: how it is read, and what the file is called. */
  readonly csv?: {
    readonly fileName: string;
    readonly read: ReadList<Row, Sort>;
    readonly columns: ColumnChoice<Row, Sort>;
    readonly chosen?: ReadonlyMap<string, Row>;
  };
  /** Between the search and the columns: filters. */
  readonly filters?: ReactNode;
  /** At the end: what can be done, the chief thing last. */
  readonly children?: ReactNode;
}

/** How long a person may pause while typing, in milliseconds, before it is searched. */
const pauseMs = 250;

/** Above a long list: its search, filters, columns, the file, and what can be done. */
export const ListBar = <Row, Sort extends string>(props: ListBarProps<Row, Sort>) => {
  const { list, searchLabel, columns, csv, filters, children } = props;
  const [typed, setTyped] = useState<string | null>(null);
  const [shown, setShown] = useState(list.q);
  // The address may change by itself: the way back, a link.
  if (shown !== list.q) {
    setShown(list.q);
    if (typed !== null && typed.trim() !== list.q) setTyped(null);
  }
  const wanted = typed?.trim() ?? list.q;
  const isPending = wanted !== list.q;
  const change = useRef(list.change);
  useEffect(() => {
    change.current = list.change;
  });
  useEffect(() => {
    if (!isPending) return undefined;
    const waiting = setTimeout(() => change.current({ q: wanted }), pauseMs);
    return () => clearTimeout(waiting);
  }, [isPending, wanted]);
  return (
    <div className={classes.bar}>
      <TextInput
        className={classes.search}
        type="search"
        aria-label={searchLabel}
        placeholder={searchLabel}
        maxLength={bounds.query[1]}
        autoComplete="off"
        leftSection={<IconSearch aria-hidden="true" />}
        value={typed ?? list.q}
        onChange={(event) => setTyped(event.currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key === 'Enter' && isPending) list.change({ q: wanted });
        }}
      />
      {filters}
      <div className={classes.tools}>
        {columns && <ColumnMenu choice={columns} />}
        {csv && (
          <CsvExport
            fileName={csv.fileName}
            read={csv.read}
            columns={csv.columns.shown}
            asked={list.asked}
            {...(csv.chosen && { chosen: csv.chosen })}
          />
        )}
        {children}
      </div>
    </div>
  );
};
