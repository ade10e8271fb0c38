import { Skeleton } from '@mantine/core';
import { useLayoutEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { type AccessAction, type AccessEntry, isByRecipient } from '../../../contract/access-log.ts';
import { problemCode } from '../../../contract/problem.ts';
import { signInMethod } from '../../../contract/sign-in.ts';
import { ProtectedMark } from '../language/protected-mark.tsx';
import classes from './log.module.css';
import type { LogFilter } from './log-filter.ts';

/** Returns the name of a patient in the log; words instead where the identity is protected and the server sends no name. */
export const useLogPatientName = () => {
  const { t } = useTranslation('log');
  return ({ name, protectedIdentity }: NonNullable<AccessEntry['patient']>): string =>
    name || (protectedIdentity ? t('protectedPatient') : '');
};

/** Returns what was refused, the translated detail of an entry (sign-in method, error code, file kind; else the raw value), and the address. */
const useDetailText = (): ((entry: AccessEntry) => string) => {
  const { t } = useTranslation(['log', 'failure']);
  const textOf = (detail: string) => {
    const method = signInMethod.safeParse(detail).data;
    if (method) return t(`method-${method}`);
    if (detail === 'pin') return t('method-pin');
    if (detail === 'incorrect-secret' || detail === 'service-ended') return t(detail);
    const code = problemCode.safeParse(detail).data;
    if (code) return t(`failure:${code}`);
    return detail === 'csv' || detail === 'pdf' ? detail.toUpperCase() : detail;
  };
  return ({ detail, refused, address }) =>
    [refused?.request, detail === null ? null : textOf(detail), address, refused?.id].filter(Boolean).join(' · ');
};

/** Returns whether an entry without a user is of somebody who was not signed in, not of the command line. */
const isBySomebody = (action: AccessAction) => action === 'sign-in.refused' || action === 'access.refused';

/** Returns who wrote an entry without a user. */
const withoutUser = (action: AccessAction) => {
  if (isBySomebody(action)) return 'unknownAccount';
  return action.startsWith('directory.') ? 'directory' : 'commandLine';
};

/** Rows rendered beyond the visible range, so that scrolling shows no gap. */
const spare = 12;

interface ShownRows {
  /** First rendered row, and the one after the last. */
  readonly from: number;
  readonly to: number;
  /** Height in CSS pixels of the rows omitted above and below. */
  readonly above: number;
  readonly below: number;
}

/** Returns which of `count` equal rows to render in a box of `height` scrolled to `top`, with overscan. */
export const shownRows = (
  count: number,
  { top, height, rowHeight }: { readonly top: number; readonly height: number; readonly rowHeight: number },
): ShownRows => {
  const first = Math.min(Math.max(0, Math.floor(top / rowHeight) - spare), Math.max(0, count - 1));
  const to = Math.min(count, Math.ceil((top + height) / rowHeight) + spare);
  return { from: first, to, above: first * rowHeight, below: (count - to) * rowHeight };
};

/** Returns scroll offset and height of a box, updated on scroll and resize. */
export const useScrolled = (box: HTMLElement | null): { readonly top: number; readonly height: number } => {
  const [scrolled, setScrolled] = useState({ top: 0, height: 0 });
  useLayoutEffect(() => {
    if (!box) return;
    const measure = () => setScrolled({ top: box.scrollTop, height: box.clientHeight });
    const observer = new ResizeObserver(measure);
    observer.observe(box);
    box.addEventListener('scroll', measure, { passive: true });
    measure();
    return () => {
      observer.disconnect();
      box.removeEventListener('scroll', measure);
    };
  }, [box]);
  return scrolled;
};

interface LogTableProps {
  /** Null while the first page loads. */
  readonly entries: readonly AccessEntry[] | null;
  readonly scrolled: { readonly top: number; readonly height: number };
  readonly onNarrow: (narrower: Partial<LogFilter>) => void;
}

const columns = ['time', 'person', 'action', 'patient', 'clinic', 'detail'] as const;
const usualHeight = 37;
const rowsWhileLoading = 14;

/** Times are shown in the time zone of the clinics (Sweden), not of the browser. */
const clock = new Intl.DateTimeFormat('sv-SE', {
  timeZone: 'Europe/Stockholm',
  year: 'numeric',
  month: '2-digit',
  day: '2-digit',
  hour: '2-digit',
  minute: '2-digit',
  second: '2-digit',
});

/** Virtualized table of entries, newest first. Clicking a name filters the log by it. */
export const LogTable = ({ entries, scrolled, onNarrow }: LogTableProps) => {
  const { t } = useTranslation('log');
  const detailText = useDetailText();
  const nameOf = useLogPatientName();
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
            const name = account?.name || t('deletedAccount');
            const program = account?.isServiceAccount ? 'byService' : account?.isDevice ? 'byDevice' : null;
            const text = program ? t(program, { name }) : name;
            const patientName = patient ? nameOf(patient) : '';
            const [day = '', time = ''] = clock.format(new Date(entry.at)).split(' ');
            return (
              <tr key={entry.id} data-entry={entry.id} aria-rowindex={rows.from + index + 2}>
                <td className={classes.time}>
                  <time dateTime={entry.at}>
                    <span>{day}</span> <span className={classes.hour}>{time}</span>
                  </time>
                </td>
                <td className={classes.user}>
                  {account ? (
                    <button
                      type="button"
                      className={classes.narrow}
                      title={account.email || undefined}
                      aria-label={t('onlyPerson', { name })}
                      onClick={() => onNarrow({ person: account.id })}
                    >
                      {isByRecipient(entry.action) ? t('byLinkOf', { name }) : text}
                    </button>
                  ) : (
                    <span className={classes.dimmed}>{t(withoutUser(entry.action))}</span>
                  )}
                </td>
                <td title={t(entry.action)}>
                  {t(entry.action)}
                  {patient && (
                    <span className={classes.beneath}>
                      {patientName}
                      <ProtectedMark of={patient} />
                    </span>
                  )}
                </td>
                <td className={classes.patient}>
                  {patient && (
                    <button
                      type="button"
                      className={classes.narrow}
                      title={patient.personalNumber || undefined}
                      aria-label={t('onlyPatient', { name: patientName })}
                      onClick={() => onNarrow({ patient: patient.id })}
                    >
                      {patientName}
                      <ProtectedMark of={patient} />
                    </button>
                  )}
                </td>
                <td className={classes.clinic} title={entry.clinic?.name}>
                  {entry.clinic?.name}
                </td>
                <td className={classes.detail} title={detailText(entry) || undefined}>
                  {detailText(entry)}
                </td>
              </tr>
            );
          })}
        </tbody>
      </table>
    </div>
  );
};
