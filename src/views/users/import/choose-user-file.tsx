import { Button } from '@mantine/core';
import IconDownload from '@tabler/icons-react/dist/esm/icons/IconDownload.mjs';
import IconFileSpreadsheet from '@tabler/icons-react/dist/esm/icons/IconFileSpreadsheet.mjs';
import { useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { byteOrderMark, csvRow } from '../../../../contract/csv.ts';
import { type UserFileColumn, userFileColumns, userFileLinesAtMost } from '../../../../contract/user-files.ts';
import { IconAlert } from '../../ui/icon-alert.tsx';
import { saveFile } from '../../ui/save-file.ts';
import { type UserFileProblem, userFileMegabytes } from './read-user-file.ts';
import classes from './user-import.module.css';

/** Returns why a file cannot be read. */
const useProblemText = () => {
  const { t, i18n } = useTranslation('users');
  const list = (columns: readonly UserFileColumn[]) =>
    new Intl.ListFormat(i18n.language === 'no' ? 'nb' : i18n.language).format(columns.map((column) => t(column)));
  return (problem: UserFileProblem): string => {
    switch (problem.kind) {
      case 'too-large':
        return t('fileTooLarge', { megabytes: userFileMegabytes });
      case 'too-many':
        return t('fileTooMany', { count: userFileLinesAtMost });
      case 'no-users':
        return t('fileNoUsers');
      case 'no-columns':
        return t('fileNoColumns');
      case 'quotes':
        return t('fileQuotes', { line: problem.line });
      case 'missing':
        return t('fileMissing', { columns: list(problem.columns) });
      case 'repeated':
        return t('fileRepeatedColumns', { columns: list(problem.columns) });
    }
  };
};

interface ChooseUserFileProps {
  readonly problem: UserFileProblem | null;
  readonly busy: boolean;
  readonly onChoose: (file: File) => void;
}

/** Explains the file and opens the system's file dialog. */
export const ChooseUserFile = ({ problem, busy, onChoose }: ChooseUserFileProps) => {
  const { t } = useTranslation('users');
  const problemText = useProblemText();
  const input = useRef<HTMLInputElement>(null);
  const saveTemplate = () => {
    const head = csvRow(userFileColumns.map((column) => t(column)));
    saveFile({
      name: 'dentarium-users-template.csv',
      content: new Blob([byteOrderMark, head], { type: 'text/csv;charset=utf-8' }),
    });
  };
  return (
    <>
      <p>{t('fileLead', { count: userFileLinesAtMost })}</p>
      <p className={classes.dimmed}>{t('fileFormat')}</p>
      <div aria-live="assertive">{problem && <IconAlert>{problemText(problem)}</IconAlert>}</div>
      <div className={classes.links}>
        <Button
          data-autofocus
          leftSection={<IconFileSpreadsheet aria-hidden="true" />}
          loading={busy}
          onClick={() => input.current?.click()}
        >
          {t('fileChoose')}
        </Button>
        <Button variant="default" leftSection={<IconDownload aria-hidden="true" />} onClick={saveTemplate}>
          {t('fileTemplate')}
        </Button>
      </div>
      <input
        ref={input}
        type="file"
        hidden
        accept=".csv,.txt,.tsv,text/csv,text/tab-separated-values"
        data-testid="user-file"
        onChange={(event) => {
          const [file] = event.currentTarget.files ?? [];
          // Clears the input so that the corrected file can be chosen again.
          event.currentTarget.value = '';
          if (file) onChoose(file);
        }}
      />
    </>
  );
};
