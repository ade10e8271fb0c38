import { Button, Checkbox } from '@mantine/core';
import IconCopy from '@tabler/icons-react/dist/esm/icons/IconCopy.mjs';
import { memo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useFailureText } from '../language/failure-text.ts';
import { toast } from '../parts/toast.ts';
import classes from './file-list.module.css';
import { isProblem, type ShownFile } from './shown-files.ts';

/** Lines at a time; a folder of ten thousand files must not stop the page. */
const portion = 200;

/** Why a file is where it is, in words. */
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

/** Files by name, those with a problem first, each with its reason in words; to be filtered, and copied as text. */
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
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls is scrolled by keys too. */}
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
