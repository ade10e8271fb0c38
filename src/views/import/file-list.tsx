import { Button, Checkbox } from '@mantine/core';
import IconCopy from '@tabler/icons-react/dist/esm/icons/IconCopy.mjs';
import { memo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { FileProblem, FileStatus, ImportFile } from '../../../contract/imports.ts';
import type { SkippedFile, UploadFile } from '../../machines/import-study/upload.rules.ts';
import { useFailureText } from '../language/failure-text.ts';
import { toast } from '../ui/toast.ts';
import classes from './file-list.module.css';
import { isPictureless } from './shown-import.ts';

/** A line of the file list. `not-sent`: never uploaded; `lost`: must be chosen again. */
interface ShownFile {
  readonly key: string;
  /** Path with `/` as separator. */
  readonly path: string;
  readonly status: 'waiting' | 'lost' | 'not-sent' | FileStatus;
  readonly problem: FileProblem | SkippedFile['why'] | null;
  /** Why the server rejected the upload; null when it did not. */
  readonly failure: UploadFile['failure'];
}

const severity: Readonly<Record<ShownFile['status'], number>> = {
  refused: 0,
  lost: 1,
  duplicate: 2,
  'left-out': 3,
  'not-sent': 4,
  ignored: 5,
  waiting: 6,
  received: 7,
  unpacked: 8,
  parsed: 9,
  imported: 10,
};

/** Returns true for a file that was rejected, or imported without a picture. */
const isProblem = (file: ShownFile): boolean => {
  const { status, problem } = file;
  const came = status !== 'refused' && status !== 'lost' && problem !== 'unreadable' && problem !== 'file-missing';
  return !came || isPictureless(file);
};

const ofUpload = ({ key, path, status, failure }: UploadFile): ShownFile => ({
  key,
  path,
  failure,
  status: status === 'uploaded' ? 'received' : status,
  problem: null,
});

const ofFound = (file: ImportFile, containers: ReadonlyMap<string, string>): ShownFile => {
  const container = file.containerId === null ? undefined : containers.get(file.containerId);
  return {
    key: file.id,
    path: container ? `${container}/${file.path}` : file.path,
    status: file.status,
    problem: file.problem,
    failure: null,
  };
};

/**
 * Returns all files of an import, problems first. During the upload the browser's list is authoritative; afterwards the
 * server's, plus the uploads it rejected.
 */
export const shownFiles = (
  uploads: readonly UploadFile[],
  found: readonly ImportFile[],
  leftOut: readonly SkippedFile[],
  uploading: boolean,
): readonly ShownFile[] => {
  const containers = new Map(found.map(({ id, path }) => [id, path]));
  const own = uploading || found.length === 0 ? uploads : uploads.filter(({ status }) => status !== 'uploaded');
  const arrived = uploading && uploads.length > 0 ? [] : found;
  return [
    ...own.map(ofUpload),
    ...arrived.map((file) => ofFound(file, containers)),
    ...leftOut.map(
      ({ path, why }): ShownFile => ({
        key: `not-sent/${path}`,
        path,
        status: 'not-sent',
        problem: why,
        failure: null,
      }),
    ),
  ].toSorted((one, other) => severity[one.status] - severity[other.status]);
};

export const sameFiles = (one: readonly ShownFile[], other: readonly ShownFile[]): boolean =>
  one.length === other.length &&
  one.every((file, index) => {
    const there = other[index];
    return there?.key === file.key && there.status === file.status && there.problem === file.problem;
  });

/** Lines per page; a folder may hold ten thousand files. */
const portion = 200;

/** Translated status or error of a file. */
const useReason = (): ((file: ShownFile) => string) => {
  const { t } = useTranslation('import');
  const failureText = useFailureText();
  return ({ status, problem, failure }) => {
    if (failure) return failureText(failure);
    if (problem === 'unreadable') return t('reason-unreadable');
    if (status === 'not-sent') return t('reason-not-sent');
    return problem ? t(`problem-${problem}`) : t(`status-${status}`);
  };
};

const FileLine = memo(({ path, status, reason }: { path: string; status: ShownFile['status']; reason: string }) => {
  const cut = path.lastIndexOf('/') + 1;
  return (
    <li className={classes.file} data-status={status}>
      <span className={classes.path} title={path}>
        {cut > 0 && <span className={classes.folder}>{path.slice(0, cut)}</span>}
        <span className={classes.name}>{path.slice(cut)}</span>
      </span>
      <span className={classes.reason}>{reason}</span>
    </li>
  );
});

/** Lists files by name, problems first with their reason; can be filtered and copied as text. */
export const FileList = ({ files, name }: { files: readonly ShownFile[]; name: string }) => {
  const { t } = useTranslation('import');
  const reason = useReason();
  const [onlyProblems, setOnlyProblems] = useState(false);
  const [shown, setShown] = useState(portion);
  const problems = files.filter(isProblem);
  const listed = onlyProblems && problems.length > 0 ? problems : files;
  const copy = () => {
    const text = listed.map((file) => `${file.path}\t${reason(file)}`).join('\n');
    navigator.clipboard.writeText(text).then(
      () => toast({ tone: 'good', text: t('copied', { count: listed.length }), close: t('close') }),
      () => toast({ tone: 'bad', text: t('notCopied'), close: t('close') }),
    );
  };
  return (
    <div className={classes.box}>
      <div className={classes.bar}>
        {problems.length > 0 && problems.length < files.length && (
          <Checkbox
            size="sm"
            label={t('onlyProblems', { count: problems.length })}
            checked={onlyProblems}
            onChange={(event) => setOnlyProblems(event.currentTarget.checked)}
          />
        )}
        <Button
          variant="subtle"
          color="gray"
          size="compact-sm"
          className={classes.copy}
          leftSection={<IconCopy />}
          onClick={copy}
        >
          {t('copyList')}
        </Button>
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable region must be focusable to be scrolled by keys. */}
      <ul className={classes.files} aria-label={t('filesOf', { name })} tabIndex={0}>
        {listed.slice(0, shown).map((file) => (
          <FileLine key={file.key} path={file.path} status={file.status} reason={reason(file)} />
        ))}
        {listed.length > shown && (
          <li className={classes.more}>
            <Button variant="subtle" size="compact-sm" onClick={() => setShown(shown + portion)}>
              {t('showMore', { count: Math.min(portion, listed.length - shown) })}
            </Button>
            <span>{t('shownOf', { shown, count: listed.length })}</span>
          </li>
        )}
      </ul>
    </div>
  );
};
