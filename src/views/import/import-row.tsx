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
import { IconAlert } from '../ui/icon-alert.tsx';
import classes from './row.module.css';
import { CancelQuestion, RowCommands, type RowCommandsProps } from './row-commands.tsx';
import { type ImportPatient, kindName, type Outcome } from './shown-import.ts';

/** Data of an import row without progress, files and questions. */
export interface ShownImport {
  readonly name: string;
  readonly kind: ImportKind;
  /** Patients of the import, as far as known. */
  readonly patients: readonly ImportPatient[];
  readonly outcome: Outcome;
  readonly incomplete: boolean;
  /** Status text for screen readers; null while it simply runs. */
  readonly statusText: string | null;
  /** Why the import stopped; null when it did not or when each file has its own reason. */
  readonly failure: string | null;
  /** Number of uploaded files, which cancelling discards. */
  readonly arrived: number;
  readonly hasFiles: boolean;
  /** Some files were rejected: the file list opens when the import ends. */
  readonly hasProblems: boolean;
}

interface ImportRowProps extends RowCommandsProps {
  readonly shown: ShownImport;
  readonly progress: ReactNode;
  readonly result: ReactNode;
  /** Question to the user, or null. */
  readonly question: ReactNode;
  /** Rendered only while expanded. */
  readonly files: () => ReactNode;
}

const icons = { static: IconPhoto, dicom: IconFiles, dicomdir: IconDisc, zip: IconFileZip } as const;

const maxPatients = 3;

const PatientLinks = ({ patients }: { patients: readonly ImportPatient[] }) => {
  const { t } = useTranslation('import');
  return (
    <>
      {patients.slice(0, maxPatients).map(({ id, name }) => (
        <Link key={id} href={`/patient/${id}`} title={t('openPatient')}>
          {name}
        </Link>
      ))}
      {patients.length > maxPatients && <span>{t('morePatients', { count: patients.length - maxPatients })}</span>}
    </>
  );
};

/** Shows one import: name, patients, progress, result and commands. */
export const ImportRow = ({ shown, progress, result, question, files, ...commands }: ImportRowProps) => {
  const { t } = useTranslation('import');
  const { name, outcome } = shown;
  const settled = outcome === 'done' || outcome === 'failed';
  const row = useRef<HTMLLIElement>(null);
  const [open, setOpen] = useState<boolean | null>(null);
  const [cancelling, setCancelling] = useState(false);
  const showsFiles = open ?? (settled && shown.hasProblems);
  const kind = kindName(shown.kind, name);
  const Icon = icons[kind];
  const keepImport = () => {
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
            <PatientLinks patients={shown.patients} />
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
      <p className={classes.status} role="status">
        {shown.statusText}
      </p>
      {shown.failure && <IconAlert>{shown.failure}</IconAlert>}
      {cancelling && commands.available.cancel && (
        <CancelQuestion arrived={shown.arrived} onYes={commands.onCancel} onNo={keepImport} />
      )}
      {showsFiles && files()}
      {question}
    </li>
  );
};
