import { Button } from '@mantine/core';
import IconZoomExclamation from '@tabler/icons-react/dist/esm/icons/IconZoomExclamation.mjs';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useLocation } from 'wouter';
import type { ListOrder } from '../../../contract/lists.ts';
import { useRecordFailureText } from '../language/failure-text.ts';
import { ListBar } from '../language/list-bar.tsx';
import { ListFoot } from '../language/list-foot.tsx';
import { useTableWords } from '../language/table-words.ts';
import { type ReadList, useListPage } from '../list-page.ts';
import type { ListPlace } from '../list-place.ts';
import { Notice } from '../parts/notice.tsx';
import { type Column, useColumnChoice } from '../parts/record-table/columns.ts';
import { RecordTable } from '../parts/record-table/record-table.tsx';
import { failureOfQuery } from '../reading.tsx';
import type { PreviewSubject } from './preview-subject.ts';
import { SearchFilters } from './search-filters.tsx';
import type { ShownPlace } from './search-place.ts';
import type { IsGone } from './use-moved.ts';
import { WithPreview } from './with-preview.tsx';

/** What the lists of the search page have in common with the page. */
export interface ListFrame {
  readonly clinicId: string;
  readonly place: ShownPlace;
  readonly mayOpenBin: boolean;
  readonly isGone: IsGone;
  /** Who may not open images is not shown them in passing either. */
  readonly mayPreview: boolean;
  /** Between table and foot. */
  readonly below?: ReactNode;
  /** At the end of the bar: the chief thing to do. */
  readonly tools?: ReactNode;
}

interface FoundListProps<Row extends { readonly id: string }, Sort extends string> {
  readonly frame: ListFrame;
  readonly title: string;
  readonly list: ListPlace<Sort>;
  readonly read: ReadList<Row, Sort>;
  readonly columns: readonly Column<Row, Sort>[];
  /** Under which the choice of columns is remembered. */
  readonly columnsKey: string;
  readonly nameOf: (row: Row) => string;
  /** Where a row leads; what is deleted leads nowhere. */
  readonly hrefOf?: (row: Row) => string;
  readonly actions?: (row: Row) => ReactNode;
  /** Whose newest images are shown beside a row; none: those of no row. */
  readonly previewOf?: (row: Row) => PreviewSubject;
  /** In place of the rows where nothing was looked for and there is nothing. */
  readonly empty: ReactNode;
}

/** One list of the search page: bar, table, foot. */
export const FoundList = <Row extends { readonly id: string }, Sort extends string>(
  props: FoundListProps<Row, Sort>,
) => {
  const { frame, title, list, read, nameOf, hrefOf, actions, previewOf, empty } = props;
  const { place, isGone } = frame;
  const { t } = useTranslation(['search', 'shell']);
  const [, navigate] = useLocation();
  const found = useListPage(list, read);
  const columns = useColumnChoice(props.columnsKey, props.columns);
  const words = useTableWords();
  const failureText = useRecordFailureText();
  const rows = found.rows?.filter(({ id }) => !isGone(id, found.answeredAt)) ?? null;
  const isNarrowed = list.q !== '' || place.from !== null || place.to !== null;
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
        title={t('nothingFits')}
        text={t('nothingFitsText')}
        icon={<IconZoomExclamation />}
        action={
          <Button variant="default" onClick={place.clear}>
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
      place={found.place}
      awaited={list.ppage}
      columns={columns.shown}
      keyOf={({ id }) => id}
      nameOf={nameOf}
      words={words}
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
      <ListBar
        list={list}
        searchLabel={t(place.type === 'patients' ? 'findPatients' : 'findStudies')}
        columns={columns}
        filters={<SearchFilters place={place} mayOpenBin={frame.mayOpenBin} />}
      >
        {frame.tools}
      </ListBar>
      {previewOf && frame.mayPreview ? (
        <WithPreview clinicId={frame.clinicId} rows={rows} subjectOf={previewOf}>
          {table}
        </WithPreview>
      ) : (
        table
      )}
      <div>
        {frame.below}
        <ListFoot list={list} reply={found.reply} />
      </div>
    </>
  );
};
