import { useSelector } from '@xstate/react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { type ImportsActor, selectImportCount } from '../../machines/imports/imports.machine.ts';
import { useGround } from '../ground.tsx';
import { IconAlert } from '../parts/icon-alert.tsx';
import { PageTitle } from '../parts/page-title.tsx';
import { DropOverlay } from './drop-overlay.tsx';
import { DropZone } from './drop-zone.tsx';
import { FindingList } from './finding-list.tsx';
import type { Finding } from './findings.ts';
import classes from './import.module.css';
import { ImportTray } from './import-tray.tsx';
import { putIntoTray } from './not-sent.ts';
import { TraySummary } from './tray-summary.tsx';
import { useFileDrop } from './use-file-drop.ts';
import { useGather } from './use-gather.ts';
import { useOpenImports } from './use-open-imports.ts';

interface ImportPageProps {
  readonly actor: ImportsActor;
  readonly clinic: { readonly id: string; readonly name: string };
  /** The archive cannot tell of progress now. */
  readonly down: boolean;
}

const ignored = () => {};

/** Import into a clinic: files first; whose they are is decided study by study when they were read. */
export const ImportPage = ({ actor, clinic, down }: ImportPageProps) => {
  const { t } = useTranslation(['import', 'shell']);
  const { importFiles } = useGround();
  const [findings, setFindings] = useState<readonly Finding[]>([]);
  const [opening, setOpening] = useState<number | null>(null);
  const target = { patientId: null, customerId: clinic.id };
  const take = useGather({ tray: actor, target, onStarted: () => {}, onFindings: setFindings });
  const above = useFileDrop({ onFiles: take, onCount: setOpening });
  // What was begun elsewhere since this session began is here too.
  useOpenImports(actor, { customerId: clinic.id }, ignored);
  const slim = useSelector(actor, selectImportCount) > 0;
  const close = (finding: Finding) => setFindings(findings.filter((one) => one !== finding));
  return (
    <div className={classes.page}>
      <header>
        <PageTitle>{t('title')}</PageTitle>
        <h1 className={classes.title}>{t('title')}</h1>
        <p className={classes.quiet}>{t('toClinic', { clinic: clinic.name })}</p>
      </header>
      <DropZone slim={slim} opening={opening} onFiles={take} onDirectory={(files) => take(files, true)} />
      {down && <IconAlert tone="caution">{t('shell:importDown')}</IconAlert>}
      {findings.length > 0 && (
        <FindingList
          findings={findings}
          onClose={close}
          onAnyway={(finding, groups) => {
            putIntoTray(actor, importFiles, target, groups);
            close(finding);
          }}
        />
      )}
      <section className={classes.imports} aria-label={t('tray')} tabIndex={-1}>
        <TraySummary actor={actor} />
        <ImportTray actor={actor} down={down} />
      </section>
      {above && <DropOverlay name={clinic.name} />}
    </div>
  );
};
