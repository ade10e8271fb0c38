import { Button } from '@mantine/core';
import IconDisc from '@tabler/icons-react/dist/esm/icons/IconDisc.mjs';
import IconFiles from '@tabler/icons-react/dist/esm/icons/IconFiles.mjs';
import IconFileZip from '@tabler/icons-react/dist/esm/icons/IconFileZip.mjs';
import IconListDetails from '@tabler/icons-react/dist/esm/icons/IconListDetails.mjs';
import IconPhoto from '@tabler/icons-react/dist/esm/icons/IconPhoto.mjs';
import { type ReactNode, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'wouter';
import type { ImportKind } from '../../../contract/imports.ts';
import { IconAlert } from '../parts/icon-alert.tsx';
import classes from './row.module.css';
import { CancelAsk, RowCommands, type RowCommandsProps } from './row-commands.tsx';
import { kindName, type Outcome, type Whom } from './shown-import.ts';

/** One import as a person sees it, but for its progress, its files and what it asks. */
export interface ShownImport {
  readonly name: string;
  readonly kind: ImportKind;
  /** Whose it becomes, as far as that is known. */
  readonly whom: readonly Whom[];
  readonly outcome: Outcome;
  readonly incomplete: boolean;
  /** How it stands, in words, for those who do not see it; null while it simply runs. */
  readonly told: string | null;
  /** Why it stopped, in words; null when it did not, or when each file says it. */
  readonly failure: string | null;
  /** Files that the archive has: cancelling loses them. */
  readonly arrived: number;
  readonly hasFiles: boolean;
  /** Something was not taken: its files show themselves once the import is over. */
  readonly hasProblems: boolean;
}

interface ImportRowProps extends RowCommandsProps {
  readonly shown: ShownImport;
  readonly progress: ReactNode;
  readonly result: ReactNode;
  /** What is asked of a person; null when nothing is. */
  readonly asks: ReactNode;
  /** Drawn only while it is open. */
  readonly files: () => ReactNode;
}

const icons = { static: IconPhoto, dicom: IconFiles, dicomdir: IconDisc, zip: IconFileZip } as const;

const mostPeople = 3;

const ForWhom = ({ whom }: { whom: readonly Whom[] }) => {
  const { t } = useTranslation('import');
  return (
    <>
      {whom.slice(0, mostPeople).map(({ id, name }) => (
        <Link key={id} href={`/patient/${id}`} title={t('openPatient')}>
          {name}
        </Link>
      ))}
      {whom.length > mostPeople && <span>{t('morePeople', { count: whom.length - mostPeople })}</span>}
    </>
  );
};

/** One import: what it is, for whom, how far, what came of it, and what a person can do about it. */
export const ImportRow = ({ shown, progress, result, asks, files, ...commands }: ImportRowProps) => {
  const { t } = useTranslation('import');
  const { name, outcome } = shown;
  const settled = outcome === 'done' || outcome === 'failed';
  const row = useRef<HTMLLIElement>(null);
  const [open, setOpen] = useState<boolean | null>(null);
  const [cancelling, setCancelling] = useState(false);
  const showsFiles = open ?? (settled && shown.hasProblems);
  const kind = kindName(shown.kind, name);
  const Icon = icons[kind];
  const keep = () => {
    setCancelling(false);
    row.current?.focus();
  };
  return (
    <li ref={row} className={classes.row} data-outcome={outcome} aria-label={name} tabIndex={-1}>
      <div className={classes.head}>
        <Icon className={classes.kind} aria-hidden="true" />
        <div className={classes.what}>
          <h3 className={classes.title} title={name}>
            {name}
          </h3>
          <p className={classes.facts}>
            <span>{t(`kind-${kind}`)}</span>
            <ForWhom whom={shown.whom} />
          </p>
        </div>
        <div className={classes.commands}>
          {shown.hasFiles && (
            <Button
              variant="subtle"
              color="gray"
              size="compact-sm"
              className={classes.toggle}
              aria-expanded={showsFiles}
              aria-label={showsFiles ? t('hideFiles') : t('showFiles')}
              onClick={() => setOpen(!showsFiles)}
            >
              <IconListDetails aria-hidden="true" />
              <span>{showsFiles ? t('hideFiles') : t('showFiles')}</span>
            </Button>
          )}
          <RowCommands {...commands} onCancel={() => (shown.arrived > 0 ? setCancelling(true) : commands.onCancel())} />
        </div>
      </div>
      {progress}
      {result}
      <p className={classes.told} role="status">
        {shown.told}
      </p>
      {shown.failure && <IconAlert>{shown.failure}</IconAlert>}
      {cancelling && commands.may.cancel && <CancelAsk arrived={shown.arrived} onYes={commands.onCancel} onNo={keep} />}
      {showsFiles && files()}
      {asks}
    </li>
  );
};
