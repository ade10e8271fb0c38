import { Button, TextInput } from '@mantine/core';
import IconBuilding from '@tabler/icons-react/dist/esm/icons/IconBuilding.mjs';
import IconSearch from '@tabler/icons-react/dist/esm/icons/IconSearch.mjs';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useDeferredValue, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { bounds } from '../../../contract/bounds.ts';
import { Pager } from '../language/pager.tsx';
import { useElementSize } from '../parts/element-size.ts';
import { Notice } from '../parts/notice.tsx';
import { useReading } from '../reading.tsx';
import { ClinicTable } from './clinic-table.tsx';
import classes from './clinics.module.css';

interface ClinicsPageProps {
  readonly onOpen: (clinic: { readonly id: string; readonly name: string }) => void;
}

const rowHeight = 37;
const fewestRows = 10;

/** The clinics of the archive; opening one leads to its patients. */
export const ClinicsPage = ({ onOpen }: ClinicsPageProps) => {
  const { t } = useTranslation(['clinics', 'search', 'shell']);
  const [text, setText] = useState('');
  const [page, setPage] = useState(1);
  const { ref, height } = useElementSize();
  const query = useDeferredValue(text.trim());
  const rows = Math.max(fewestRows, Math.floor(height / rowHeight) - 1);
  const answer = useQuery({
    ...useReading().customers({ q: query, page, ppage: rows }),
    enabled: height > 0,
    placeholderData: keepPreviousData,
  });
  const found = answer.data ?? null;
  return (
    <div className={classes.page}>
      <div className={classes.bar}>
        <h1 className={classes.title}>{t('title')}</h1>
        <p className={classes.lead}>{t('choose')}</p>
        <TextInput
          className={classes.filter}
          aria-label={t('filter')}
          placeholder={t('filter')}
          maxLength={bounds.query[1]}
          leftSection={<IconSearch aria-hidden="true" />}
          value={text}
          onChange={(event) => {
            setText(event.currentTarget.value);
            setPage(1);
          }}
        />
      </div>
      <div ref={ref} className={classes.scroll}>
        {answer.isError ? (
          <Notice
            urgent
            title={t('search:loadFailed')}
            action={<Button onClick={() => void answer.refetch()}>{t('shell:retry')}</Button>}
          />
        ) : found?.totalCount === 0 ? (
          <Notice title={t('none')} text={t('noneText')} icon={<IconBuilding />} />
        ) : (
          <ClinicTable clinics={found?.data ?? null} query={query} rows={rows} onOpen={onOpen} />
        )}
      </div>
      <div className={classes.pager}>
        {found && <Pager page={page} perPage={rows} totalCount={found.totalCount} onPage={setPage} />}
      </div>
    </div>
  );
};
