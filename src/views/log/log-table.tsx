import { Skeleton } from '@mantine/core';
import { useLayoutEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { AccessEntry } from '../../../contract/access-log.ts';
import { useDetailText } from './detail-text.ts';
import classes from './log.module.css';
import type { LogFilter } from './log-place.ts';
import { shownRows } from './shown-rows.ts';

interface LogTableProps {
  /** null while the first come. */
  readonly entries: readonly AccessEntry[] | null;
  readonly scrolled: { readonly top: number; readonly height: number };
  readonly onNarrow: (narrower: Partial<LogFilter>) => void;
}

const columns = ['time', 'person', 'action', 'patient', 'clinic', 'detail'] as const;
const usualHeight = 37;
const rowsWhileLoading = 14;

/** Clinics are in Sweden: their time, wherever the reader sits. */
const clock = new Intl.DateTimeFormat('sv-SE', {
  timeZone: 'Europe/Stockholm',
  ...{ year: 'numeric', month: '2-digit', day: '2-digit', hour: '2-digit', minute: '2-digit', second: '2-digit' },
});

/** Entries, newest first; only those in sight are drawn, however many there are. Names narrow the log to what concerns them. */
export const LogTable = ({ entries, scrolled, onNarrow }: LogTableProps) => {
  const { t } = useTranslation('log');
  const detailText = useDetailText();
  const body = useRef<HTMLTableSectionElement>(null);
  const [rowHeight, setRowHeight] = useState(usualHeight);
  const count = entries?.length ?? 0;
  const rows = shownRows(count, { ...scrolled, rowHeight });
  useLayoutEffect(() => {
    const height = body.current?.querySelector('[data-entry]')?.getBoundingClientRect().height;
    if (height && Math.abs(height - rowHeight) > 0.5) setRowHeight(height);
  });
  return (
    <div style={{ paddingTop: rows.above, paddingBottom: rows.below }}>
      <table className={classes.table} aria-busy={entries === null} aria-rowcount={entries ? count + 1 : undefined}>
        <thead>
          <tr aria-rowindex={1}>
            {columns.map((column) => (
              <th key={column} scope="col" className={classes[column]}>
                {t(column)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody ref={body}>
          {entries === null &&
            Array.from({ length: rowsWhileLoading }, (_, row) => row).map((row) => (
              <tr key={row}>
                {columns.map((column, index) => (
                  <td key={column} className={classes[column]}>
                    <Skeleton height={12} width={`${72 - ((row * 7 + index * 5) % 23)}%`} radius={3} />
                  </td>
                ))}
              </tr>
            ))}
          {entries?.slice(rows.from, rows.to).map((entry, index) => {
            const { account, patient } = entry;
            const [day = '', time = ''] = clock.format(new Date(entry.at)).split(' ');
            return (
              <tr key={entry.id} data-entry={entry.id} aria-rowindex={rows.from + index + 2}>
                <td className={classes.time}>
                  <time dateTime={entry.at}>
                    <span>{day}</span> <span className={classes.hour}>{time}</span>
                  </time>
                </td>
                <td className={classes.person}>
                  {account ? (
                    <button
                      type="button"
                      className={classes.narrow}
                      title={account.email || undefined}
                      aria-label={t('onlyPerson', { name: account.name || t('gone') })}
                      onClick={() => onNarrow({ person: account.id })}
                    >
                      {account.name || t('gone')}
                    </button>
                  ) : (
                    <span className={classes.quiet}>{t('nobody')}</span>
                  )}
                </td>
                <td className={classes.action} title={t(entry.action)}>
                  {t(entry.action)}
                  {patient && <span className={classes.beneath}>{patient.name}</span>}
                </td>
                <td className={classes.patient}>
                  {patient && (
                    <button
                      type="button"
                      className={classes.narrow}
                      title={patient.personalNumber || undefined}
                      aria-label={t('onlyPatient', { name: patient.name })}
                      onClick={() => onNarrow({ patient: patient.id })}
                    >
                      {patient.name}
                    </button>
                  )}
                </td>
                <td className={classes.clinic} title={entry.clinic?.name}>
                  {entry.clinic?.name}
                </td>
                <td className={classes.detail} title={detailText(entry.detail) || undefined}>
                  {detailText(entry.detail)}
                </td>
              </tr>
            );
          })}
        </tbody>
      </table>
    </div>
  );
};
