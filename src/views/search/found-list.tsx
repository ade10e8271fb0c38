import { Button } from '@mantine/core';
import IconZoomExclamation from '@tabler/icons-react/dist/esm/icons/IconZoomExclamation.mjs';
import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useLocation } from 'wouter';
import type { ListOrder } from '../../../contract/lists.ts';
import { type ReadList, useListPage } from '../app/list-page.ts';
import type { ListUrlState } from '../app/list-url-state.ts';
import { failureOfQuery } from '../app/queries-context.tsx';
import { useRecordFailureText } from '../language/failure-text.ts';
import { ListFooter } from '../language/list-footer.tsx';
import { ListToolbar } from '../language/list-toolbar.tsx';
import { useTableLabels } from '../language/table-labels.ts';
import { Notice } from '../ui/notice.tsx';
import { type Column, useColumnChoice } from '../ui/record-table/columns.ts';
import { RecordTable } from '../ui/record-table/record-table.tsx';
import type { PreviewSubject } from './preview-subject.ts';
import { SearchFilters } from './search-filters.tsx';
import { dayListOf, type SearchUrl } from './search-url.ts';
import { WithPreview } from './with-preview.tsx';

/** The list that a record belongs to. */
type Side = 'list' | 'bin';

interface Move {
  readonly to: Side;
  /** When the server confirmed it, in milliseconds since 1970; null while pending. */
  readonly doneAt: number | null;
}

/** Returns whether a record in a reply is hidden because it was moved later. `answeredAt`: milliseconds since 1970. */
export type IsGone = (id: string, answeredAt: number) => boolean;

/**
 * Tracks records moved to or from the recycle bin on this page. A moved record is hidden in its old list, but only from
 * replies older than the move: a newer reply that contains it wins.
 */
export const useMoved = () => {
  const [moves, setMoves] = useState<ReadonlyMap<string, Move>>(new Map());
  return {
    put: (to: Side) => (id: string) => setMoves((now) => new Map(now).set(id, { to, doneAt: null })),
    /** The server confirmed it. */
    done: (id: string) =>
      setMoves((now) => {
        const move = now.get(id);
        return move ? new Map(now).set(id, { ...move, doneAt: Date.now() }) : now;
      }),
    /** Returns a filter for records that left this list. */
    goneFrom:
      (side: Side): IsGone =>
      (id, answeredAt) => {
        const move = moves.get(id);
        return move !== undefined && move.to !== side && (move.doneAt === null || answeredAt <= move.doneAt);
      },
  };
};

/** Common props of the lists of the search page. */
export interface ListFrame {
  readonly clinicId: string;
  readonly url: SearchUrl;
  readonly canOpenRecycleBin: boolean;
  readonly isGone: IsGone;
  /** False for users who cannot open images; they see no preview either. */
  readonly canPreview: boolean;
  /** Shown between table and footer. */
  readonly below?: ReactNode;
  /** Primary action at the end of the toolbar. */
  readonly tools?: ReactNode;
}

interface FoundListProps<Row extends { readonly id: string }, Sort extends string> {
  readonly frame: ListFrame;
  readonly title: string;
  readonly list: ListUrlState<Sort>;
  readonly read: ReadList<Row, Sort>;
  readonly columns: readonly Column<Row, Sort>[];
  /** Storage key of the column selection. */
  readonly columnsKey: string;
  readonly nameOf: (row: Row) => string;
  /** Link of a row; deleted records have none. */
  readonly hrefOf?: (row: Row) => string;
  readonly actions?: (row: Row) => ReactNode;
  /** Subject of the image preview of a row; undefined: no preview. */
  readonly previewOf?: (row: Row) => PreviewSubject;
  /** Shown instead of rows when the unfiltered list is empty. */
  readonly empty: ReactNode;
}

/** A list of the search page: toolbar, table, footer. */
export const FoundList = <Row extends { readonly id: string }, Sort extends string>(
  props: FoundListProps<Row, Sort>,
) => {
  const { frame, title, list, read, nameOf, hrefOf, actions, previewOf, empty } = props;
  const { url, isGone } = frame;
  const { t } = useTranslation(['search', 'shell']);
  const [, navigate] = useLocation();
  const found = useListPage(list, read);
  const columns = useColumnChoice(props.columnsKey, props.columns);
  const texts = useTableLabels();
  const failureText = useRecordFailureText();
  const rows = found.rows?.filter(({ id }) => !isGone(id, found.answeredAt)) ?? null;
  const isNarrowed = list.q !== '' || url.from !== null || url.to !== null || url.reason !== null;
  const instead = () => {
    if (found.error)
      return (
        <Notice
          urgent
          title={failureText(failureOfQuery(found.error))}
          action={<Button onClick={found.retry}>{t('shell:retry')}</Button>}
        />
      );
    if (rows === null || rows.length > 0) return null;
    if (!isNarrowed) return empty;
    return (
      <Notice
        title={t('noMatch')}
        text={t('noMatchText')}
        icon={<IconZoomExclamation />}
        action={
          <Button variant="default" onClick={url.clear}>
            {t('clearSearch')}
          </Button>
        }
      />
    );
  };
  const table = (
    <RecordTable
      label={title}
      rows={rows}
      isStale={found.isStale}
      place={found.shownRequest}
      awaited={list.ppage}
      columns={columns.shown}
      keyOf={({ id }) => id}
      nameOf={nameOf}
      words={texts}
      {...(props.columns.some(({ sort }) => sort) && {
        sorting: {
          by: list.sort,
          order: list.order,
          onSort: (sort: Sort, order: ListOrder) => list.change({ sort, order }),
        },
      })}
      {...(hrefOf && { hrefOf, onOpen: (row: Row) => navigate(hrefOf(row)) })}
      {...(actions && { actions })}
      instead={instead()}
    />
  );
  return (
    <>
      <ListToolbar
        list={list}
        searchLabel={t(url.type === 'patients' || dayListOf(url.tab) ? 'findPatients' : 'findStudies')}
        columns={columns}
        filters={<SearchFilters url={url} canOpenRecycleBin={frame.canOpenRecycleBin} />}
      >
        {frame.tools}
      </ListToolbar>
      {previewOf && frame.canPreview ? (
        <WithPreview clinicId={frame.clinicId} rows={rows} subjectOf={previewOf}>
          {table}
        </WithPreview>
      ) : (
        table
      )}
      <div>
        {frame.below}
        <ListFooter list={list} reply={found.reply} />
      </div>
    </>
  );
};
