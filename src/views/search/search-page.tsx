import { Button } from '@mantine/core';
import IconPlus from '@tabler/icons-react/dist/esm/icons/IconPlus.mjs';
import IconUsers from '@tabler/icons-react/dist/esm/icons/IconUsers.mjs';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Pager } from '../language/pager.tsx';
import { useElementSize } from '../parts/element-size.ts';
import { Notice } from '../parts/notice.tsx';
import { useReading } from '../reading.tsx';
import { PatientTable } from './patient-table.tsx';
import classes from './search.module.css';

interface SearchPageProps {
  readonly clinicId: string;
  readonly query: string;
  readonly page: number;
  readonly mayAdd: boolean;
  /** Something is written of a new patient already, and is to be gone on with. */
  readonly resumesNew: boolean;
  readonly onPage: (page: number) => void;
  readonly onEverybody: () => void;
  /** The dialog of a new patient. */
  readonly renderNew: (onClose: () => void) => ReactNode;
}

const rowHeight = 37;
const fewestRows = 10;

/** The patients of the clinic, or those that a search found: as many rows as the window holds. */
export const SearchPage = ({
  clinicId,
  query,
  page,
  mayAdd,
  resumesNew,
  onPage,
  onEverybody,
  renderNew,
}: SearchPageProps) => {
  const { t } = useTranslation(['search', 'shell']);
  const [adding, setAdding] = useState(false);
  // What is gone on with stays open when nobody asks for it any more.
  if (resumesNew && mayAdd && !adding) setAdding(true);
  const { ref, height } = useElementSize();
  const rows = Math.max(fewestRows, Math.floor(height / rowHeight) - 1);
  const answer = useQuery({
    ...useReading().patients({ customerId: clinicId, q: query, page, ppage: rows }),
    enabled: height > 0,
    placeholderData: keepPreviousData,
  });
  const found = answer.data ?? null;
  const add = mayAdd ? (
    <Button leftSection={<IconPlus aria-hidden="true" />} onClick={() => setAdding(true)}>
      {t('newPatient')}
    </Button>
  ) : null;
  const title = query === '' ? t('title') : /\d{4,}/.test(query) ? t('titlePersonal') : t('titleFor', { text: query });
  const body = () => {
    if (answer.isError)
      return (
        <Notice
          urgent
          title={t('loadFailed')}
          action={<Button onClick={() => void answer.refetch()}>{t('shell:retry')}</Button>}
        />
      );
    if (found?.totalCount === 0)
      return query === '' ? (
        <Notice title={t('emptyTitle')} text={t('emptyText')} icon={<IconUsers />} action={add} />
      ) : (
        <Notice
          title={t('nothingTitle')}
          text={t('nothingText')}
          icon={<IconUsers />}
          action={
            <Button variant="default" onClick={onEverybody}>
              {t('showEverybody')}
            </Button>
          }
        />
      );
    return <PatientTable patients={found?.data ?? null} query={query} rows={rows} />;
  };
  return (
    <div className={classes.page}>
      <div className={classes.bar}>
        <h1 className={classes.title}>{title}</h1>
        {found && <span className={classes.total}>{t('total', { count: found.totalCount })}</span>}
        {query !== '' && (
          <Button variant="subtle" onClick={onEverybody}>
            {t('showEverybody')}
          </Button>
        )}
        <div className={classes.push}>{add}</div>
      </div>
      <div ref={ref} className={classes.scroll}>
        {body()}
      </div>
      <div className={classes.pager}>
        {found && <Pager page={page} perPage={rows} totalCount={found.totalCount} onPage={onPage} />}
      </div>
      {adding && renderNew(() => setAdding(false))}
    </div>
  );
};
