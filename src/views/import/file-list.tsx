import { useTranslation } from 'react-i18next';
import type { FileStatus } from '../../../contract/imports.ts';
import classes from './import.module.css';

export interface ShownFile {
  readonly key: string;
  readonly name: string;
  readonly status: 'waiting' | FileStatus;
  /** What is wrong with it, in words; null when nothing is. */
  readonly reason: string | null;
}

const severity: Readonly<Record<ShownFile['status'], number>> = {
  refused: 0,
  duplicate: 1,
  'left-out': 2,
  ignored: 3,
  waiting: 4,
  received: 5,
  unpacked: 6,
  parsed: 7,
  imported: 8,
};

/** Rows shown at once; a folder of ten thousand files must not stop the page. */
const most = 300;

/** Files by name, those with a problem first, each with its reason in words. */
export const FileList = ({ files }: { files: readonly ShownFile[] }) => {
  const { t } = useTranslation('import');
  const sorted = files.toSorted((one, other) => severity[one.status] - severity[other.status]);
  return (
    <ul className={classes.files} aria-label={t('showFiles')}>
      {sorted.slice(0, most).map((file) => (
        <li key={file.key} className={classes.file} data-status={file.status}>
          <span className={classes.fileName} title={file.name}>
            {file.name}
          </span>
          <span className={classes.reason}>{file.reason ?? t(`status-${file.status}`)}</span>
        </li>
      ))}
      {sorted.length > most && <li className={classes.quiet}>{t('filesCount', { count: sorted.length - most })} …</li>}
    </ul>
  );
};
