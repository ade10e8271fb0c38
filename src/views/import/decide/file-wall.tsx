import { Button } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { ImportFile } from '../../../../contract/imports.ts';
import classes from './decide.module.css';
import { FileThumbnail } from './file-thumbnail.tsx';
import { useFileWords } from './use-file-words.ts';

/** Pictures shown before somebody asks for all. */
const mostFirst = 24;

/** The files of a study as small pictures, without places to go to. */
export const FileWall = ({ files }: { files: readonly ImportFile[] }) => {
  const { t } = useTranslation('import-decide');
  const words = useFileWords();
  const [all, setAll] = useState(false);
  const shown = all ? files : files.slice(0, mostFirst);
  return (
    <>
      <ul className={classes.wall} aria-label={t('filesOfStudy')}>
        {shown.map((file) => (
          <li key={file.id} title={words.fileName(file)} data-known={file.status === 'duplicate' || undefined}>
            <FileThumbnail file={file} />
          </li>
        ))}
      </ul>
      {shown.length < files.length && (
        <Button variant="subtle" onClick={() => setAll(true)}>
          {t('showAll', { count: files.length })}
        </Button>
      )}
    </>
  );
};
