import { Button } from '@mantine/core';
import IconDownload from '@tabler/icons-react/dist/esm/icons/IconDownload.mjs';
import IconPlayerStop from '@tabler/icons-react/dist/esm/icons/IconPlayerStop.mjs';
import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { byteOrderMark, csvRow } from '../../../contract/csv.ts';
import type { ReadList } from '../app/list-page.ts';
import type { ListRequest } from '../app/list-url-state.ts';
import { failureOfQuery } from '../app/queries-context.tsx';
import { today } from '../ui/dates.ts';
import type { Column } from '../ui/record-table/columns.ts';
import { saveFile } from '../ui/save-file.ts';
import { toast } from '../ui/toast.ts';
import { useCountText } from './count-text.ts';
import { useFailureText } from './failure-text.ts';

const rowsAtATime = 500;

export interface CsvExportProps<Row, Sort extends string> {
  /** Base name of the file; date and extension are appended. */
  readonly fileName: string;
  readonly columns: readonly Column<Row, Sort>[];
  readonly read: ReadList<Row, Sort>;
  /** Search and order of the table. */
  readonly request: ListRequest<Sort>;
  /** Selected rows: if there are any, only these are exported. */
  readonly chosen?: ReadonlyMap<string, Row>;
}

/** Exports the whole list as CSV, page by page; can be stopped. */
export const CsvExport = <Row, Sort extends string>(props: CsvExportProps<Row, Sort>) => {
  const { fileName, columns, read, request, chosen } = props;
  const { t } = useTranslation(['lists', 'shell']);
  const failureText = useFailureText();
  const countText = useCountText();
  const [progress, setProgress] = useState<{ readonly done: number; readonly of: string } | null>(null);
  const going = useRef<AbortController | null>(null);
  useEffect(() => () => going.current?.abort(), []);

  const save = (lines: readonly string[]) => {
    const head = byteOrderMark + csvRow(columns.map(({ name }) => name));
    const day = today();
    saveFile({
      name: `${fileName}-${day}.csv`,
      content: new Blob([head, ...lines], { type: 'text/csv;charset=utf-8' }),
    });
  };
  const lineOf = (row: Row) => csvRow(columns.map((column) => column.text(row)));
  const all = async (signal: AbortSignal): Promise<readonly string[]> => {
    const { after: _, ...list } = request;
    const lines: string[] = [];
    for (let next: string | null = ''; next !== null && !signal.aborted; ) {
      const reply = await read({
        ...list,
        page: 1,
        ppage: rowsAtATime,
        ...(next !== '' && { after: next }),
      }).queryFn({ signal });
      lines.push(...reply.data.map(lineOf));
      next = reply.next;
      if (!signal.aborted) setProgress({ done: lines.length, of: countText(reply) });
    }
    return lines;
  };
  const begin = async () => {
    if (chosen && chosen.size > 0) return save([...chosen.values()].map(lineOf));
    const stop = new AbortController();
    going.current = stop;
    setProgress({ done: 0, of: '' });
    try {
      const lines = await all(stop.signal);
      if (!stop.signal.aborted) save(lines);
    } catch (error) {
      if (!stop.signal.aborted)
        toast({
          tone: 'bad',
          text: t('exportFailed', { reason: failureText(failureOfQuery(error)) }),
          close: t('shell:close'),
        });
    } finally {
      if (going.current === stop) {
        going.current = null;
        setProgress(null);
      }
    }
  };
  const stop = () => {
    going.current?.abort();
    going.current = null;
    setProgress(null);
  };
  if (progress)
    return (
      <Button variant="default" leftSection={<IconPlayerStop aria-hidden="true" />} onClick={stop}>
        <span>{t('exportStop')}</span>
        <span role="status">
          {progress.done > 0 &&
            `\u00a0(${t('exportDone', { done: countText.number(progress.done), of: progress.of })})`}
        </span>
      </Button>
    );
  return (
    <Button variant="default" leftSection={<IconDownload aria-hidden="true" />} onClick={() => void begin()}>
      {chosen && chosen.size > 0 ? t('exportChosen', { count: chosen.size }) : t('export')}
    </Button>
  );
};
