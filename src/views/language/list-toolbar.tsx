import { Button, Menu, TextInput } from '@mantine/core';
import IconColumns3 from '@tabler/icons-react/dist/esm/icons/IconColumns3.mjs';
import IconSearch from '@tabler/icons-react/dist/esm/icons/IconSearch.mjs';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { bounds } from '../../../contract/bounds.ts';
import type { ReadList } from '../app/list-page.ts';
import type { ListUrlState } from '../app/list-url-state.ts';
import type { ColumnChoice } from '../ui/record-table/columns.ts';
import { CsvExport } from './csv-export.tsx';
import classes from './list-toolbar.module.css';

/** Menu of the table's columns. The first is always shown. */
const ColumnMenu = <Row, Sort extends string>({ choice }: { readonly choice: ColumnChoice<Row, Sort> }) => {
  const { t } = useTranslation('lists');
  return (
    <Menu position="bottom-end" withinPortal>
      <Menu.Target>
        <Button variant="default" leftSection={<IconColumns3 aria-hidden="true" />}>
          {t('columns')}
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        {choice.all.slice(1).map(({ key, name }) => (
          <Menu.CheckboxItem key={key} checked={choice.isShown(key)} onChange={() => choice.toggle(key)}>
            {name}
          </Menu.CheckboxItem>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
};

interface ListToolbarProps<Row, Sort extends string> {
  readonly list: ListUrlState<Sort>;
  /** Label of the search field, such as "Find a clinic". */
  readonly searchLabel: string;
  readonly columns?: ColumnChoice<Row, Sort>;
  /** CSV export: file name and how the list is read. */
  readonly csv?: {
    readonly fileName: string;
    readonly read: ReadList<Row, Sort>;
    readonly columns: ColumnChoice<Row, Sort>;
    readonly chosen?: ReadonlyMap<string, Row>;
  };
  /** Filters, between search and columns. */
  readonly filters?: ReactNode;
  /** Actions at the end; the primary one last. */
  readonly children?: ReactNode;
}

/** Delay after typing before the search starts, in milliseconds. */
const debounceMs = 250;

/** Toolbar of a list: search, filters, columns, export and actions. */
export const ListToolbar = <Row, Sort extends string>(props: ListToolbarProps<Row, Sort>) => {
  const { list, searchLabel, columns, csv, filters, children } = props;
  const [typed, setTyped] = useState<string | null>(null);
  const [shown, setShown] = useState(list.q);
  // The URL may change by itself: back button or link.
  if (shown !== list.q) {
    setShown(list.q);
    if (typed !== null && typed.trim() !== list.q) setTyped(null);
  }
  const query = typed?.trim() ?? list.q;
  const isPending = query !== list.q;
  const change = useRef(list.change);
  useEffect(() => {
    change.current = list.change;
  });
  useEffect(() => {
    if (!isPending) return undefined;
    const timer = setTimeout(() => change.current({ q: query }), debounceMs);
    return () => clearTimeout(timer);
  }, [isPending, query]);
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
          if (event.key === 'Enter' && isPending) list.change({ q: query });
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
            request={list.request}
            {...(csv.chosen && { chosen: csv.chosen })}
          />
        )}
        {children}
      </div>
    </div>
  );
};
