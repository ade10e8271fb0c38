import { Button } from '@mantine/core';
import IconDisc from '@tabler/icons-react/dist/esm/icons/IconDisc.mjs';
import IconFiles from '@tabler/icons-react/dist/esm/icons/IconFiles.mjs';
import IconFolder from '@tabler/icons-react/dist/esm/icons/IconFolder.mjs';
import IconUpload from '@tabler/icons-react/dist/esm/icons/IconUpload.mjs';
import IconX from '@tabler/icons-react/dist/esm/icons/IconX.mjs';
import { useSelector } from '@xstate/react';
import { type ReactNode, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { type ImportsActor, selectImportCount } from '../../machines/imports/imports.machine.ts';
import { useAppContext } from '../app/app-context.tsx';
import type { FilesRead } from '../ui/dropped-files.ts';
import { FileInput, type FileInputHandle } from '../ui/file-input.tsx';
import { IconAlert } from '../ui/icon-alert.tsx';
import { PageHeading } from '../ui/page-heading.tsx';
import { ToolButton } from '../ui/tool-button.tsx';
import { DropOverlay, useFileDrop, useGather } from './file-drop.tsx';
import { type Finding, useFindingText } from './findings.ts';
import { type ImportGroup, importOf } from './groups.ts';
import classes from './import.module.css';
import { ImportTray, TraySummary } from './import-tray.tsx';
import { useOpenImports } from './use-open-imports.ts';

interface FindingListProps {
  readonly findings: readonly Finding[];
  readonly onAnyway: (finding: Finding, groups: readonly ImportGroup[]) => void;
  readonly onClose: (finding: Finding) => void;
}

const filesOf = (groups: readonly ImportGroup[]) => groups.reduce((sum, { files }) => sum + files.length, 0);

/** Lists dismissible messages about dropped items that started no import. */
const FindingList = ({ findings, onAnyway, onClose }: FindingListProps) => {
  const { t } = useTranslation('import');
  const words = useFindingText();
  return (
    <ul className={classes.findings} role="alert">
      {findings.map((finding) => {
        const [first = '', ...more] = words(finding);
        return (
          <li key={`${finding.kind}/${'name' in finding ? finding.name : ''}`} className={classes.finding}>
            <div>
              <IconAlert tone="caution">
                <b>{first}</b>
              </IconAlert>
              {more.map((text) => (
                <p key={text}>{text}</p>
              ))}
              {finding.kind === 'no-directory' && (
                <Button size="compact-md" variant="default" onClick={() => onAnyway(finding, finding.groups)}>
                  {t('importAnyway', { count: filesOf(finding.groups) })}
                </Button>
              )}
            </div>
            <ToolButton label={t('close')} onClick={() => onClose(finding)}>
              <IconX />
            </ToolButton>
          </li>
        );
      })}
    </ul>
  );
};

interface DropZoneProps {
  /** Compact, after the first import. */
  readonly slim: boolean;
  /** Files found so far in folders being read; null when none are. */
  readonly opening: number | null;
  readonly onFiles: (files: FilesRead) => void;
  readonly onDirectory: (files: FilesRead) => void;
}

/** Drop target with buttons to choose files, a folder, or a folder with a DICOMDIR. */
const DropZone = ({ slim, opening, onFiles, onDirectory }: DropZoneProps) => {
  const { t } = useTranslation('import');
  const dialog = useRef<FileInputHandle>(null);
  const discs = useRef<FileInputHandle>(null);
  return (
    <section className={classes.zone} data-slim={slim || undefined} aria-label={t('dropHere')}>
      <FileInput ref={dialog} onFiles={onFiles} />
      <FileInput ref={discs} name="disc" onFiles={onDirectory} />
      <div className={classes.invitation}>
        <IconUpload aria-hidden="true" />
        <div>
          <p className={classes.call}>{opening === null ? t('dropHere') : t('readingFolders', { count: opening })}</p>
          <p className={classes.dimmed}>{t('dropHint')}</p>
        </div>
      </div>
      <div className={classes.actions}>
        <Button
          variant={slim ? 'default' : 'filled'}
          leftSection={<IconFiles />}
          onClick={() => dialog.current?.chooseFiles()}
        >
          {t('chooseFiles')}
        </Button>
        <Button variant="default" leftSection={<IconFolder />} onClick={() => dialog.current?.chooseFolder()}>
          {t('chooseFolder')}
        </Button>
        <Button variant="default" leftSection={<IconDisc />} onClick={() => discs.current?.chooseFolder()}>
          {t('chooseDisc')}
        </Button>
      </div>
    </section>
  );
};

interface ImportPageProps {
  readonly actor: ImportsActor;
  readonly clinic: { readonly id: string; readonly name: string };
  /** The connection for progress events is lost. */
  readonly isConnectionLost: boolean;
  /** The user may not create studies. */
  readonly isForKnownStudies: boolean;
  /** Images on the way to devices. */
  readonly sendings: ReactNode;
}

const ignored = () => {};

/** Imports files into a clinic; patients are chosen per study after the files are parsed. */
export const ImportPage = ({ actor, clinic, isConnectionLost, isForKnownStudies, sendings }: ImportPageProps) => {
  const { t } = useTranslation(['import', 'shell']);
  const { importFiles } = useAppContext();
  const [findings, setFindings] = useState<readonly Finding[]>([]);
  const [opening, setOpening] = useState<number | null>(null);
  const target = { patientId: null, customerId: clinic.id };
  const take = useGather({ target, onStarted: () => {}, onFindings: setFindings });
  const above = useFileDrop({ onFiles: take, onCount: setOpening });
  // Also shows imports that other sessions of the user started, and what was sent to the clinic.
  useOpenImports(actor, { customerId: clinic.id, received: 'true' }, ignored);
  const slim = useSelector(actor, selectImportCount) > 0;
  const close = (finding: Finding) => setFindings(findings.filter((one) => one !== finding));
  return (
    <div className={classes.page}>
      <header>
        <PageHeading>{t('title')}</PageHeading>
        <p className={classes.dimmed}>{t('toClinic', { clinic: clinic.name })}</p>
      </header>
      {isForKnownStudies && <IconAlert tone="caution">{t('knownStudiesOnly')}</IconAlert>}
      <DropZone slim={slim} opening={opening} onFiles={take} onDirectory={(files) => take(files, true)} />
      {isConnectionLost && <IconAlert tone="caution">{t('shell:importDown')}</IconAlert>}
      {findings.length > 0 && (
        <FindingList
          findings={findings}
          onClose={close}
          onAnyway={(finding, groups) => {
            importFiles(target, groups.map(importOf));
            close(finding);
          }}
        />
      )}
      <section className={classes.imports} aria-label={t('tray')} tabIndex={-1}>
        <TraySummary actor={actor} />
        <ImportTray actor={actor} isConnectionLost={isConnectionLost} />
      </section>
      {sendings}
      {above && <DropOverlay name={clinic.name} />}
    </div>
  );
};
